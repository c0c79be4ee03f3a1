#pragma once

#include <string>
#include <vector>

#include "core/measurement/measurement.h"

namespace warplens::tests {

/// A complete measurement of `experiment` that no GPU made: its device is called "scripted worker",
/// its numbers are invented. Holds values of every source, a missing one, and notes.
[[nodiscard]] Measurement scriptedMeasurement(const Experiment& experiment);

/// The same as the worker that plays parts sends it: its moment and its kernel's digest are those
/// of `sent`, its version is this program's.
[[nodiscard]] Measurement scriptedAsSent(const Experiment& experiment, const Measurement& sent);

/// The measurement with one thing in it that cannot be. `lie` is one of `lies`.
[[nodiscard]] Measurement implausible(Measurement measurement, const std::string& lie);
[[nodiscard]] const std::vector<std::string>& lies();

}  // namespace warplens::tests
