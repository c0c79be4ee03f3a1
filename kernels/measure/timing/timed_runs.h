#pragma once

#include <functional>
#include <stop_token>
#include <variant>

#include "core/measurement/measurement.h"
#include "core/measurement/timing.h"
#include "kernels/measure/timing/run_timer.h"

namespace warplens {

/// Times the kernel by `timer`. Warm-up runs come first: two alone, then a batch. Then at least 20
/// runs, more until 20 ms of device time or 200 runs; a kernel so slow that 20 runs would take over
/// 0.5 s stops there, after at least 3. Where `request` names a number of runs, that many. Fills
/// what the runs told; cache state and clocks are the caller's to state. `between` is called after
/// each batch. A requested stop ends it early, with what it has.
[[nodiscard]] Timing timeRuns(RunTimer& timer, const TimingRequest& request,
                              const std::function<void()>& between, std::stop_token stop);

/// Longer runs hide what a launch costs.
inline constexpr double slowestBackToBack = 1e-3;

/// Seconds that each of many runs takes that are queued one behind another, the device held back
/// until all are: its median over some rounds. `once` is about what one run takes, at most
/// `slowestBackToBack`. Nullopt where the device cannot be held back.
[[nodiscard]] std::optional<double> backToBackSeconds(TimedDevice& device, double once);

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
