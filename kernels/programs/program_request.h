#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/program/launch_inputs.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"
#include "kernels/ptx/open/file_trace.h"

namespace warplens {
/// A person's program and how it is compiled.
struct ProgramSource final {
    std::vector<std::filesystem::path> files;  ///< .cu, at least one
    /// Where a function is missing, looked at before what lies beside `files`.
    std::vector<std::filesystem::path> named{};
    std::vector<std::string> includes{};     ///< -I
    std::vector<std::string> defines{};      ///< -D: `N=64`
    std::vector<std::string> libraries{};    ///< -l
    std::string optimization = "0";          ///< -O, of the host's code
    std::vector<std::string> hostOptions{};  ///< more of its options, as -Xcompiler has them
    std::string standard{};                  ///< `c++20`; empty: gnu++17, nvcc's own
    std::string deviceOption{};              ///< one more of nvcc's for the optimised code
    /// `N=64`: macros of a program; of a file without main, the values of kernels' parameters.
    std::vector<std::string> settings{};
    source::LaunchWishes launch{};  ///< for files without main
    std::string kernel{};           ///< for files without main: the only one to launch
    std::string note{};             ///< what is to be said of how it is built
    bool isWhole = false;           ///< all of it goes to nvcc, also where less would do
};

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
    bool keepsResults = false;  ///< what the program gets back from the device
    /// nvcc, or a toolkit's folder; empty: the first that is found (cuda_compiler.h).
    std::filesystem::path compiler{};
    std::optional<Source> shown{};  ///< whose lines alone are told; nothing: all that there are
    int computeCapability = 90;     ///< 90 for 9.0: what the program is compiled for
    int devices = 1;                ///< that the program is told of
    double secondsPerLaunch = 1;    ///< of tracing; then blocks are sampled
    double secondsUntraced = 20;    ///< of blocks that are not traced, all launches together
    double secondsMost = 120;       ///< of the whole run
};

/// What is told while a program runs. Called on the thread that traces.
struct TraceListener final {
    std::function<void(const LaunchReport&)> launch{};
    std::function<bool()> cancelled{};
};

/// What a program got back from the device.
struct ProgramResult final {
    std::uint32_t elementBytes = 0;  ///< the fewest that a lane accesses of it at once; 0: unknown
    std::vector<std::byte> bytes{};
};

/// A program's trace, and the inputs that were asked for.
struct TracedProgram final {
    ProgramTrace trace;
    /// All that it was built from: also files that were not named and define what was missing.
    ProgramSources sources{};
    bool hasMain = true;  ///< of its own
    std::vector<ProposedValue>
        proposed{};  ///< what its kernels were launched with where it has none
    std::optional<LaunchInputs> inputs{};
    /// Each copy to the host, in order; where there are none, each array when it is freed.
    std::vector<ProgramResult> results{};
    /// Digests of the arrays that each launch wrote, as it left them; with the results.
    std::vector<std::string> written{};
    std::uint64_t bytesReached = 0;  ///< of global memory, by kernels, each once; with the results
    std::optional<BlockSteps> steps{};  ///< nothing where the program did not come to the launch
};

}  // namespace warplens
