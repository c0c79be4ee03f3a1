#pragma once

#include "app/window/measuring.h"
#include "app/window/program_job.h"

namespace warplens {
struct TraceRequest;
}  // namespace warplens

namespace warplens::window {

/// How the file that `request` names is made and run whenever it is opened, as the command line
/// says: what else it is made of, its options and arguments. Called before any other.
void openProgramAs(const TraceRequest& request);

/// Whether there can be a compiler here at all: not in a page.
[[nodiscard]] bool mayCompilePrograms();

/// Compiles a file with the system's C++ compiler and runs it with its kernels traced
/// (ProgramTracer). The path is one that the person opened or named, which consents to running it.
[[nodiscard]] ProgramVersion traceVersion(const std::string& path,
                                          const std::vector<ProposedValue>& wishes,
                                          const std::stop_token& stop, const TracingProgress& tell);

/// The same for one launch, with its inputs (ProgramPreparer). Refuses where the file is not what
/// was traced.
[[nodiscard]] MeasureProgramRequest prepareMeasurement(
    const ProgramSubject& subject, const std::string& computeCapability,
    const std::stop_token& stop, const std::function<void(std::string, double)>& tell);

/// Asks the compiler of this machine what the kernel takes of an SM: ResourcesCompiled.
/// What the launch's kernel is compiled to, as its file was then; on the calling thread.
[[nodiscard]] CompileAnswer compileAsPinned(const ShownLaunch& shown,
                                            const std::string& computeCapability);
[[nodiscard]] Command compileNow(const CompilePlace& place, const std::stop_token& stop);

/// Looks for remedies for the file, which must be what was traced, or for one line of it:
/// RemediesFound.
[[nodiscard]] Command findRemediesNow(const RemedyPlace& place, const std::stop_token& stop,
                                      std::uint32_t line = 0);

/// Tries why the compiled code of the file, which must be what was traced, differs from what is
/// written: DifferencesFound.
[[nodiscard]] Command findDifferencesNow(const RemedyPlace& place, const std::stop_token& stop);

/// Runs it again as far as the block, whose steps are told: ProgramStepsTraced. What was compiled
/// is taken from the cache.
[[nodiscard]] Command traceStepsNow(const StepsPlace& place, const std::stop_token& stop);

}  // namespace warplens::window
