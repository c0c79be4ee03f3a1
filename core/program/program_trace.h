#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/launch_report.h"

namespace warplens {

/// What is wrong with a program.
enum class FindingKind : std::uint8_t {
    outOfBounds,
    useAfterFree,
    hostPointer,      ///< a host's address used in a kernel
    devicePointer,    ///< a device's address used by the host
    wildPointer,      ///< an address of nothing
    misaligned,       ///< a vector access at an address that is no multiple of its size
    barrierMismatch,  ///< a barrier or warp intrinsic not reached by all it waits for
    sharedRace,       ///< two threads, one word of shared memory, no barrier between
    blockRace,        ///< two blocks, one word of global memory, one of them writes
    globalRace,       ///< two threads of a block, one word of global memory, no barrier between
    uninitialisedShared,
    unwrittenMemory,
    notReached,  ///< elements of an array that no thread reads or writes
    divisionByZero,
    endlessLoop,
    stackOverflow,
    failedAssertion,
    neverFreed,
    launchRefused,  ///< broken limits of a launch
    notSupported,   ///< what cannot be traced: textures, inline PTX, launches from kernels, ...
    crash,          ///< the program itself, on the host
    unsynchronisedRead,  ///< by the host, of what a kernel or a copy may still write
};
constexpr std::array<std::string_view, 22> namesOf(FindingKind /*kind*/) {
    return {"out_of_bounds",      "use_after_free",       "host_pointer",
            "device_pointer",     "wild_pointer",         "misaligned",
            "barrier_mismatch",   "shared_race",          "block_race",
            "global_race",        "uninitialised_shared", "unwritten_memory",
            "not_reached",        "division_by_zero",     "endless_loop",
            "stack_overflow",     "failed_assertion",     "never_freed",
            "launch_refused",     "not_supported",        "crash",
            "unsynchronised_read"};
}

/// What no finding is about: the last sentence of a list of them, also of an empty one.
inline constexpr std::string_view notLookedFor =
    "Not looked for: another result in another order of blocks (docs/your-own-kernel.md).";

/// One thing that is wrong, with an example of a thread that does it.
struct Finding final {
    FindingKind kind = FindingKind::outOfBounds;
    std::string words;  ///< one sentence: what, array, index, how many elements there are
    SourcePlace place;
    std::string kernel;                     ///< empty on the host
    std::optional<std::uint32_t> launch{};  ///< index
    std::optional<Index3> block{};
    std::optional<Index3> thread{};
    std::uint64_t times = 1;  ///< how often it was seen
    friend bool operator==(const Finding&, const Finding&) = default;
};

/// How the program itself ended.
struct ProgramExit final {
    std::optional<int> status{};  ///< as returned; absent when it was ended by a signal
    std::string signal;           ///< `SIGSEGV`; empty when there was none
    std::string stopped;          ///< which limit ended it, in words; empty when none did
    std::string output;           ///< standard output and error, at most what the limit holds
    bool outputCut = false;
    friend bool operator==(const ProgramExit&, const ProgramExit&) = default;
};

/// All that a program's run on the host says.
struct ProgramTrace final {
    std::string program;  ///< the file as named
    std::vector<LaunchReport> launches;
    std::vector<Finding> findings;
    std::vector<std::string> notes;  ///< what a reader must know to read the numbers
    ProgramExit exit;
    double compileSeconds = 0;
    double seconds = 0;  ///< of the run
    friend bool operator==(const ProgramTrace&, const ProgramTrace&) = default;
};

void describe(Archive& v, Finding& finding);
void describe(Archive& v, ProgramExit& exit);
void describe(Archive& v, ProgramTrace& trace);

}  // namespace warplens
