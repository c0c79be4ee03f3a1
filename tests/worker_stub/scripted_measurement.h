#pragma once

#include "core/measurement/measurement.h"

namespace warplens::tests {

/// A complete measurement of `experiment` that no GPU made: its device is called "scripted worker",
/// its numbers are invented. Holds values of every source, a missing one, and notes.
[[nodiscard]] Measurement scriptedMeasurement(const Experiment& experiment);

}  // namespace warplens::tests
