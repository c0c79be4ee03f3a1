#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/measurement/measurement.h"
#include "core/measurement/worker_protocol.h"
#include "core/program/program_measurement.h"

namespace warplens {

/// The time of `2026-11-21T09:30:00Z`; nothing for any other text and for a day that no calendar
/// has.
[[nodiscard]] std::optional<std::chrono::sys_seconds> timeFromUtc(const std::string& text);

/// Why a measurement that a worker sent at `now` cannot be believed, the first reason:
/// `wrongResult` where its own check says that the kernel's output differs; otherwise `failed`, for
/// a value out of its metric's range (metric.h) or at odds with another one, a time that does not
/// fit, or what no worker finds out, such as a prediction. Nothing where all of it may be.
[[nodiscard]] std::optional<Failure> implausibility(const Measurement& measurement,
                                                    std::chrono::sys_seconds now);

/// The same of a launch of a person's program. Results that differ from the host's are told by its
/// checks: they are no reason not to believe it.
[[nodiscard]] std::optional<Failure> implausibility(const ProgramMeasurement& measurement,
                                                    std::chrono::sys_seconds now);
/// Of one that was kept, by whatever version and whenever.
[[nodiscard]] std::optional<Failure> implausibility(const ProgramMeasurement& measurement);

}  // namespace warplens
