#pragma once

#include <cstdint>
#include <stdexcept>

#include "core/launch/launch.h"
#include "core/measurement/measurement.h"
#include "kernels/measure/scenario_launch.h"

namespace warplens {

/// The hardware's own account of how it put threads into warps.
struct MappingReadback final {
    std::uint64_t threads = 0;           ///< threads that reported
    std::uint64_t mismatches = 0;        ///< of these, checked on the device against mapping.h
    std::uint64_t readBack = 0;          ///< records also checked on the host
    std::uint64_t mismatchesOnHost = 0;  ///< of these
};

/// Launches a kernel with exactly this launch. Each thread reports the lane number that the
/// hardware gives it (%laneid) and the rank of the first thread of its warp, asked of that thread
/// itself by a shuffle; both are checked against the rule on the device, and for the first 2^22
/// threads on the host as well. Throws CudaError.
[[nodiscard]] MappingReadback readMappingBack(const Launch& launch);

/// The kernel's output is not what the host computes; names the element and both values.
class WrongResult final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Compares the output array with what the machine computes (kernels/library), of the source where
/// there is PTX of it, else of the code that is measured: every element where that takes some ten
/// milliseconds, otherwise what as many warps write, spread evenly over the grid. Elements that no
/// thread of the launch reaches must still hold what the array was filled with. Throws WrongResult,
/// TraceFault or CudaError.
[[nodiscard]] ResultCheck checkResult(const ScenarioLaunch& launch);

}  // namespace warplens
