#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/program/cuda_tokens.h"
#include "core/program/launch_inputs.h"
#include "core/program/program_trace.h"

/// What is told to the process that started the program, in frames (trace_frames.h) through a pipe.
namespace warplens::programs {

/// What is wished of a run: `pipe=5;kernel=scan;launch=3;seconds=1000000` in the environment's
/// traceEnvironment, which the program itself does not see.
struct Options final {
    int pipe = -1;
    std::string kernel{};                   ///< count only launches of it; empty: all
    std::optional<std::uint32_t> launch{};  ///< count only this one
    std::optional<Extents> grid{};          ///< in place of the program's, of what is counted
    std::optional<Extents> block{};
    std::optional<std::uint32_t> inputsOf{};  ///< a launch whose inputs are wanted
    /// A block of `launch` whose steps are wanted; the program ends with them.
    std::optional<Index3> stepsOf{};
    int devices = 1;                         ///< that the program is told of
    std::map<std::string, int> registers{};  ///< of a thread, by kernel
    bool keepsResults = false;
    double secondsPerLaunch = 1;   ///< of what was written; then blocks are sampled
    double secondsMost = 20;       ///< of a launch's blocks that are only run
    std::uint64_t memoryMost = 0;  ///< bytes; a process that holds more is ended; 0: no limit
    double secondsOfAll = 120;  ///< of the whole run: what does not fit is sampled, then left out

    [[nodiscard]] bool counts(const LaunchReport& which) const {
        return (kernel.empty() || kernel == which.kernel ||
                kernel == shortKernelName(which.kernel)) &&
               (!launch || *launch == which.index);
    }
};
[[nodiscard]] const Options& options();

/// Bytes of memory that this process has held at once so far; there is no /proc to ask for less.
[[nodiscard]] std::uint64_t mostHeld();
/// Whether it holds nearly all that it may, and more than `before`: what it holds on top of what is
/// written, snapshots say, has no room.
[[nodiscard]] bool isMemoryFull(std::uint64_t before);

/// The host's return addresses from here outwards.
[[nodiscard]] std::vector<std::uint64_t> callers();

/// By the call that is under way, or the one of `addresses`.
void sendLaunch(const LaunchReport& launch,
                const std::vector<std::uint64_t>& addresses = callers());
void sendFinding(const Finding& finding);  ///< of a kernel
/// The device's memory is not what a GPU's would be from here on: what depends on it and is found
/// to be wrong is told as a note that says so.
void doubtFindings();
/// Of the host's code: at the call that is under way, or at `addresses`.
void sendFinding(FindingKind kind, const std::string& words,
                 const std::vector<std::uint64_t>& addresses = callers());
void sendArray(std::uint32_t id, bool isFreed, const std::vector<std::uint64_t>& addresses);
void sendInputs(std::uint32_t launch, const LaunchInputs& inputs);
/// Bytes that the program gets back, where they are wanted (`ProgramResult`).
void sendResult(const std::byte* bytes, std::size_t size, std::uint32_t elementBytes);
/// What a launch left in an array that it wrote, where results are wanted.
void sendWritten(const std::byte* bytes, std::size_t size);
/// How many bytes of global memory kernels accessed in the whole run, where results are wanted.
void sendReached(std::uint64_t bytes);
void sendSteps(const BlockSteps& steps);
/// Each text once; with a place of the host's code behind it where there are addresses.
void sendNote(const std::string& note, const std::vector<std::uint64_t>& addresses = {});

}  // namespace warplens::programs
