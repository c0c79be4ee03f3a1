#pragma once

#include <stop_token>
#include <variant>

#include "core/measurement/measurement.h"
#include "kernels/measure/timing/timed_device.h"

namespace warplens {

/// How long the runs of a kernel took, and what a launch costs beside that.
struct TimedLaunches final {
    Timing timing;  ///< but for cache state and working set, which the caller knows
    std::variant<double, Unavailable> launchOverhead;  ///< seconds
};

/// Times the kernel by the device's own stamps, or by events where CUPTI gives none, which the
/// timing then says with the reason. `pciBusId` names the device to NVML, `0000:17:00.0`.
[[nodiscard]] TimedLaunches timeLaunches(TimedDevice& device, const TimingRequest& request,
                                         const char* pciBusId, std::stop_token stop);

}  // namespace warplens
