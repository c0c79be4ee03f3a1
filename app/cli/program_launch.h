#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/recordings/library.h"
#include "core/program/program_measurement.h"
#include "core/program/program_trace.h"
#include "kernels/programs/compiler_setup.h"
#include "kernels/programs/trace_program.h"

namespace warplens {

/// Launches the kernels of a PTX file, or the one that was asked for, and counts what they do: of
/// the source where it was compiled with -G, else of the compiled code. Throws CommandFailed where
/// the file cannot be read, and InvalidRequest for a launch that does not fit.
[[nodiscard]] TracedProgram tracePtxFile(const TraceRequest& request);

/// The launch of a program that a command speaks of: the one that was asked for, or the first, and
/// then standard error says which it is and how to choose. Throws CommandFailed where there is
/// none.
[[nodiscard]] const LaunchReport& launchSpokenOf(const ProgramTrace& trace);

/// What the launch's first block does, step by step, for which the program is run again. Throws
/// CommandFailed where it cannot be told.
[[nodiscard]] std::shared_ptr<const BlockSteps> stepsOf(TraceRequest request,
                                                        const LaunchReport& launch);

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

/// Set to 1 it stands for the answer yes, in scripts.
inline constexpr const char* licenceVariable = "WARPLENS_ACCEPT_CUDA_EULA";

/// Before a program is compiled by NVIDIA's compiler: where none is there, and on a terminal, the
/// same question, once in this process, and the compiler is set up where the answer is yes. Else
/// nothing is done, and what compiles says how to get one (NoCompiler).
void offerCompiler();

}  // namespace warplens
