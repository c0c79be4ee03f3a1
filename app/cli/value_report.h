#pragma once

#include <string>

#include "core/measurement/measurement.h"
#include "core/program/launch_report.h"

/// Results as text for people.
namespace warplens {

/// Launch, values, what the compiler made of the branches, notes, and how and on what it all was
/// measured. A row for each quantity (groupsOf), a column for each source that says anything, a
/// dash where a source has no number; below, where the sources differ, and why numbers are missing.
[[nodiscard]] std::string reportOf(const Measurement& measurement);

/// Launch, values in the same table, and how much of the grid was traced.
[[nodiscard]] std::string reportOf(const LaunchReport& prediction);

/// `matadd-swapped <<<dim3(32, 32), dim3(16, 16)>>> n=512`.
[[nodiscard]] std::string titleOf(const Experiment& experiment);

}  // namespace warplens
