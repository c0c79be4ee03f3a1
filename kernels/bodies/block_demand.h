#pragma once

#include <string>

#include "core/occupancy/occupancy.h"
#include "core/scenario/scenario.h"

namespace warplens {

/// Bytes of static shared memory that the experiment's kernel declares, found by tracing its first
/// block. The experiment must pass `validateRun`. Throws TraceFault (predict.h).
[[nodiscard]] std::uint32_t staticSharedBytes(const Experiment& experiment);

/// Registers of a thread where nobody knows better.
inline constexpr std::uint32_t assumedRegisters = 32;

/// What a block asks of an SM, and where each part of it is from, in words.
struct StatedDemand final {
    BlockDemand block;
    std::string registersFrom;
    std::string sharedFrom;
};

/// What is known of the experiment without a GPU: its threads and shared memory. How many registers
/// a thread takes only the compiled kernel tells, so that is assumed. Must pass `validateRun`.
[[nodiscard]] StatedDemand demandOf(const Experiment& experiment);

}  // namespace warplens
