#pragma once

#include <string>
#include <vector>

#include "core/program/launch_report.h"
#include "kernels/measure/counters/range_profiler.h"

namespace warplens {

/// The readings as values with Source::counted: one for every quantity that counters can give, each
/// a number (the median of the repeats) or the reason it is missing. `medianSeconds` is the time
/// the bandwidths are over. `probed` says whether lanes share bytes, which the counters cannot see.
/// Appends a note for every counter whose repeats disagreed.
[[nodiscard]] std::vector<Value> countedValues(const CounterReadings& readings,
                                               double medianSeconds,
                                               const std::vector<ProgramLine>& probed,
                                               bool mergedSharedLoads,
                                               std::vector<std::string>& notes);

/// The same list with every value missing for one reason.
[[nodiscard]] std::vector<Value> countedValuesMissing(const std::string& reason);

}  // namespace warplens
