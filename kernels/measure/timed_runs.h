#pragma once

#include <functional>
#include <stop_token>

#include "core/measurement/measurement.h"

namespace warplens {

/// Times `launch` with CUDA events. Warm-up runs come first. Then batches of 20 runs are queued
/// while the device is held back, so that they run back to back with an event between neighbours:
/// each interval is one run, free of the host's launch time. At least 20 runs, more until 20 ms of
/// device time or 200 runs; a kernel so slow that 20 runs would take over 0.5 s is run alone and
/// stops there, after at least 3. Fills the run counts and times; cache state and clocks are the
/// caller's to state. A requested stop ends it early, with what it has.
[[nodiscard]] Timing timeRuns(const std::function<void()>& launch, std::stop_token stop);

}  // namespace warplens
