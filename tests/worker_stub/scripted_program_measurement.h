#pragma once

#include "core/measurement/worker_protocol.h"
#include "core/program/program_measurement.h"

namespace warplens::tests {

/// A measurement of a launch that no GPU made, with something in every member.
[[nodiscard]] ProgramMeasurement scriptedProgramMeasurement();

/// The same for what is asked for: its lines are those predicted, but for the first load, of which
/// compiled code and hardware make one request less.
[[nodiscard]] ProgramMeasurement scriptedProgramMeasurement(const MeasureProgramRequest& request);

}  // namespace warplens::tests
