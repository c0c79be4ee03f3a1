#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/recordings/library.h"
#include "core/program/measured_program.h"
#include "kernels/trace/trace_program.h"

namespace warplens {

/// --measured, of the commands that show a .cu file.
void addMeasuredOption(CLI::App& parser, std::string& path);

/// What `measure FILE.cu --save` kept of the program, its lines named as the program's file is
/// here; null where `path` is empty. Throws InvalidRequest with what is wrong: no such document, or
/// one of another text of the file or of other options.
[[nodiscard]] std::shared_ptr<const MeasuredProgram> measuredFrom(const std::string& path,
                                                                  const TraceRequest& request);

/// Its measurement of the launch; null where it has none, or nothing was kept.
[[nodiscard]] const ProgramMeasurement* measurementIn(const MeasuredProgram* measured,
                                                      const LaunchReport& launch);

/// The recordings of a scenario, one line each with its launch, device and day, under a line that
/// says what they are; says so when there is none.
[[nodiscard]] std::string recordingChoices(const RecordingLibrary& library,
                                           const std::string& scenario);

}  // namespace warplens
