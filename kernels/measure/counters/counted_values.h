#pragma once

#include <string>
#include <vector>

#include "core/program/launch_report.h"
#include "kernels/measure/counters/range_profiler.h"

namespace warplens {

/// The readings as values with Source::counted: one for every quantity that counters can give, each
/// a number (the median of the repeats) or the reason it is missing. `medianSeconds` is the time
/// the bandwidths are over. Whether lanes of a request share bytes the counters cannot see.
/// Appends a note for every counter whose repeats disagreed.
[[nodiscard]] std::vector<Value> countedValues(const CounterReadings& readings,
                                               double medianSeconds, bool lanesShareBytes,
                                               bool mergedSharedLoads,
                                               std::vector<std::string>& notes);

/// Whether lanes of a request share bytes anywhere in the launch.
[[nodiscard]] bool haveSharedBytes(const std::vector<ProgramLine>& lines);

/// The same list with every value missing for one reason.
[[nodiscard]] std::vector<Value> countedValuesMissing(const std::string& reason);

}  // namespace warplens
