#pragma once

#include <string>
#include <vector>

#include "app/drawing/warp_memory.h"
#include "core/measurement/timing.h"

/// How long the timed runs took, one beside the other.
namespace warplens::drawing {

/// A histogram of the runs: the bars, the median and the middle half of the runs marked below them,
/// and the times where the bars begin and end. Empty where the runs' times are not kept or the room
/// is too small.
[[nodiscard]] Items prepareRunTimes(const Timing& timing, const DrawArea& area);

/// Times in the words of one unit, with as many digits as tell those apart that differ, down to the
/// nanosecond: `1.718 ms`, `1.721 ms`.
[[nodiscard]] std::vector<std::string> timesApart(const std::vector<double>& seconds);

/// `half of 200 runs within 1.79 and 1.86 µs`; empty where the runs' times are not kept.
[[nodiscard]] std::string middleInWords(const Timing& timing);

}  // namespace warplens::drawing
