#pragma once

#include <string>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/trace/prediction.h"

/// Results as text for people.
namespace warplens {

/// The values by what they tell about (coalescing, bandwidth, divergence, occupancy, time, check),
/// each with its subject and source, and below them why the missing ones are missing.
[[nodiscard]] std::string reportOf(const std::vector<Value>& values);

/// Launch, values, notes, and how and on what they were measured.
[[nodiscard]] std::string reportOf(const Measurement& measurement);

/// Launch, values, and how much of the grid was traced.
[[nodiscard]] std::string reportOf(const Prediction& prediction);

/// `matadd-swapped <<<dim3(32, 32), dim3(16, 16)>>> n=512`.
[[nodiscard]] std::string titleOf(const Experiment& experiment);

}  // namespace warplens
