#pragma once

#include <cstdint>
#include <optional>

#include "core/scenario/scenario.h"

namespace warplens {

/// Whether the loops marked `only computes` are what they are said to be: blocks of the launch,
/// from the first to the last, do the same with these loops and without. Else the line of the first
/// access or named branch that is another. Throws TraceFault (predict.h).
[[nodiscard]] std::optional<std::uint32_t> lineThatComputingChanges(const Experiment& experiment);

}  // namespace warplens
