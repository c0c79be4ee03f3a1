#pragma once

#include <functional>
#include <stop_token>

#include "core/measurement/measurement.h"

namespace warplens {

/// Times `launch` with CUDA events, each run alone between two of them: warm-up runs first, then at
/// least 20 timed runs, and more until 20 ms of device time or 200 runs are reached; a kernel so
/// slow that 20 runs would take over 0.5 s stops there, after at least 3. Fills the run counts and
/// times; cache state and clocks are the caller's to state. A requested stop ends it early, with
/// what it has.
[[nodiscard]] Timing timeRuns(const std::function<void()>& launch, std::stop_token stop);

}  // namespace warplens
