#pragma once

#include "core/program/program_measurement.h"

namespace warplens::tests {

/// A measurement of a launch that no GPU made, with something in every member.
[[nodiscard]] ProgramMeasurement scriptedProgramMeasurement();

}  // namespace warplens::tests
