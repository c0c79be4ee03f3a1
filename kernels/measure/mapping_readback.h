#pragma once

#include <cstdint>

#include "core/launch/launch.h"

namespace warplens {

/// The hardware's own account of how it put threads into warps.
struct MappingReadback final {
    std::uint64_t threads = 0;           ///< threads that reported
    std::uint64_t mismatches = 0;        ///< of these, judged on the device against mapping.h
    std::uint64_t readBack = 0;          ///< records also judged on the host
    std::uint64_t mismatchesOnHost = 0;  ///< of these
};

/// Launches a kernel with exactly this launch. Each thread reports the lane number that the
/// hardware gives it (%laneid) and the rank of the first thread of its warp, asked of that thread
/// itself by a shuffle; both are judged against the rule on the device, and for the first 2^22
/// threads on the host as well. Throws CudaError.
[[nodiscard]] MappingReadback readMappingBack(const Launch& launch);

}  // namespace warplens
