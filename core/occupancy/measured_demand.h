#pragma once

#include "core/measurement/measurement.h"
#include "core/occupancy/occupancy.h"

namespace warplens {

/// What a block of the kernel asks of an SM, as it was compiled for the measured device. Nothing
/// for a measurement that does not tell its resources.
[[nodiscard]] inline std::optional<BlockDemand> demandOf(const Measurement& measurement) {
    if (!measurement.resources) return std::nullopt;
    return BlockDemand{.threads = measurement.experiment.launch.block.count(),
                       .registersPerThread = measurement.resources->registersPerThread,
                       .staticSharedBytes = measurement.resources->staticSharedBytes,
                       .dynamicSharedBytes = measurement.experiment.launch.dynamicSharedBytes};
}

/// The limits of the measured device's compute capability; null where the table has none.
[[nodiscard]] inline const SmLimits* smLimitsOf(const Device& device) {
    const auto capability = parseComputeCapability(device.computeCapability);
    return capability ? findSmLimits(*capability) : nullptr;
}

}  // namespace warplens
