#pragma once

#include <string>

#include "core/program/program_measurement.h"
#include "core/program/program_trace.h"

/// What was measured of a person's program, as text for people.
namespace warplens {

/// One launch: how the results compare, time and resources, a row for each line and kind with the
/// three judges side by side, and where they differ the cause.
[[nodiscard]] std::string reportOf(const ProgramLaunch& predicted,
                                   const ProgramMeasurement& measured);

}  // namespace warplens
