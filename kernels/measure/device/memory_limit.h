#pragma once

#include <cstdint>
#include <string>

#include "core/scenario/scenario.h"

namespace warplens {

/// Throws InvalidRequest, with both numbers, where the experiment's arrays take more than
/// `freeBytes` of the device's memory.
void requireMemory(const Experiment& experiment, std::uint64_t freeBytes,
                   const std::string& deviceName);

}  // namespace warplens
