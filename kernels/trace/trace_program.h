#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/program/block_steps.h"
#include "core/program/launch_inputs.h"
#include "core/program/program_trace.h"
#include "kernels/trace/build/program_build.h"

namespace warplens {

/// What is to be traced of a program.
struct TraceRequest final {
    ProgramSource source;
    std::vector<std::string> arguments{};  ///< of the program's own; it may read files among them
    std::vector<std::filesystem::path> readable{};  ///< what it may read beside its own files
    std::string kernel{};                           ///< only launches of it; empty: all
    std::optional<std::uint32_t> launch{};          ///< only this one
    std::optional<Extents> grid{};  ///< in place of the program's, of what is traced
    std::optional<Extents> block{};
    std::optional<std::uint32_t> inputsOf{};  ///< a launch whose inputs are wanted
    /// A block whose steps are wanted, of `launch`, which must be given: nothing else is traced,
    /// and the program ends there. Blocks before it are run where what it does may depend on them.
    std::optional<Index3> stepsOf{};
    double secondsPerLaunch = 1;  ///< of tracing; then blocks are sampled
    double secondsUntraced = 20;  ///< of blocks that are not traced, all launches together
    double secondsMost = 120;     ///< of the whole run
};

/// What is told while a program runs. Called on the thread that traces.
struct TraceListener final {
    std::function<void(const ProgramLaunch&)> launch{};
    std::function<void(std::uint32_t launch, std::uint64_t done, std::uint64_t of)> progress{};
    std::function<bool()> cancelled{};
};

/// A program's trace, and the inputs that were asked for.
struct TracedProgram final {
    ProgramTrace trace;
    bool hasMain = true;  ///< of its own
    std::vector<ProposedValue>
        proposed{};  ///< what its kernels were launched with where it has none
    std::optional<LaunchInputs> inputs{};
    std::optional<BlockSteps> steps{};  ///< nothing where the program did not come to the launch
};

/// Compiles and runs the program with its kernels traced. Throws as buildProgram, and
/// InvalidRequest where an array of a file without main cannot be made as asked for; what goes
/// wrong in the program itself is told in the trace. Kernels of a file without main are launched as
/// wished and proposed (proposed_main.h), which the trace's notes say.
[[nodiscard]] TracedProgram traceProgram(const TraceRequest& request,
                                         const TraceListener& listener = {});

}  // namespace warplens
