#pragma once

#include <string>
#include <vector>

#include "core/scenario/scenario.h"

namespace warplens {

/// What is worth sweeping from this experiment on, as `parseAxis` reads it, the most telling first;
/// all of them can be run. At least one for every scenario's own experiment. Cost: about a
/// millisecond.
[[nodiscard]] std::vector<std::string> proposedAxes(const Experiment& experiment);

}  // namespace warplens
