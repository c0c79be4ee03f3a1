#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/launch.h"
#include "core/measurement/measurement.h"
#include "core/program/address_formula.h"

namespace warplens {

/// What a place in the source does.
enum class LineKind : std::uint8_t {
    load,         ///< of global memory
    store,        ///< to global memory
    atomic,       ///< on global or shared memory
    sharedLoad,   ///< of shared memory
    sharedStore,  ///< to shared memory
    branch,       ///< an if, a loop's test, one half of && or ||, ?:
};
constexpr std::array<std::string_view, 6> namesOf(LineKind /*kind*/) {
    return {"load", "store", "atomic", "shared_load", "shared_store", "branch"};
}

/// A place in a program's source.
struct SourcePlace final {
    std::string file;        ///< as named on the command line or by an include; empty where unknown
    std::uint32_t line = 0;  ///< from 1; 0 where unknown
    std::uint32_t column = 0;  ///< from 1; 0 where unknown
    friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// What a line comes to where other threads come first.
struct CountsInOtherOrder final {
    std::uint64_t requests = 0;
    std::uint64_t units = 0;  ///< sectors, wavefronts or divergent warps, as the line's kind has
    friend bool operator==(const CountsInOtherOrder&, const CountsInOtherOrder&) = default;
};

/// What one place of a kernel's source did to one array, or at its branch, summed over a launch. In
/// a launch that is not exact: of the traced blocks, times what they stand for.
struct ProgramLine final {
    SourcePlace place;
    LineKind kind = LineKind::load;
    std::string array;  ///< empty for branches, and where several arrays are meant (`a, b` then)
    Source source = Source::predicted;
    std::uint64_t requests = 0;  ///< by warps; for a branch the warps that came to it
    std::uint64_t sectors = 0;   ///< global memory
    std::uint64_t idealSectors = 0;
    std::uint64_t cacheLines = 0;  ///< of 128 bytes, global memory
    std::uint64_t wavefronts = 0;  ///< shared memory, and atomics on either
    std::uint64_t idealWavefronts = 0;
    std::uint64_t uniqueBytes = 0;      ///< of the sectors, bytes that were used
    std::uint64_t activeLanes = 0;      ///< summed over the requests
    std::uint64_t divergent = 0;        ///< branches: warps whose active lanes went both ways
    std::uint32_t mostSameAddress = 0;  ///< atomics: most lanes of one request at one address
    /// Where the numbers depend on the order in which threads run: what another order comes to.
    std::optional<CountsInOtherOrder> inOtherOrder{};
    /// Of what was written: how the addresses come about, where they follow a rule.
    std::optional<AddressFormula> address{};
    bool hasNoFormula = false;              ///< they follow none
    std::optional<DivergingLanes> lanes{};  ///< of a branch that diverges
    std::string reason{};                   ///< why it costs what it costs (reasons.h)
    friend bool operator==(const ProgramLine&, const ProgramLine&) = default;
};

/// How far off a sampled total may be, from the spread of the sampled blocks: with 95 % confidence
/// within this share of the total.
struct SampleBound final {
    Metric metric;
    double percent = 0;
    friend bool operator==(const SampleBound&, const SampleBound&) = default;
};

/// How a launch's lines of the source `compiled` were counted.
struct CompiledCount final {
    std::string compiler;           ///< `nvcc`
    std::string version;            ///< `13.0`; empty where it does not say
    std::string computeCapability;  ///< `9.0`
    bool exact = true;              ///< every block was run to its end
    std::uint64_t blocksTraced = 0;
    double seconds = 0;
    friend bool operator==(const CompiledCount&, const CompiledCount&) = default;
};

/// A whole number that a kernel was launched with.
struct LaunchArgument final {
    std::string name;
    std::int64_t value = 0;
    friend bool operator==(const LaunchArgument&, const LaunchArgument&) = default;
};

/// One launch of a program.
struct ProgramLaunch final {
    std::uint32_t index = 0;  ///< from 0, in order of launching
    std::string kernel;       ///< as in the source: `scan<true>`
    std::string instance;     ///< name expression with every template argument
    SourcePlace place;        ///< of the launch
    Launch launch;
    std::vector<LaunchArgument> arguments{};  ///< those that are whole numbers, in order
    bool overridden = false;                  ///< grid or block are not the program's
    bool traced = true;  ///< false: only run, because another launch was asked for
    bool exact = true;   ///< every block was traced
    std::uint64_t blocksTraced = 0;
    std::uint64_t blocks = 0;
    std::vector<SampleBound> bounds;  ///< empty when exact
    std::optional<CompiledCount> compiled{};
    std::uint64_t laneAccesses = 0;  ///< traced
    double seconds = 0;
    std::vector<Value> values;
    std::vector<ProgramLine> lines;  ///< by file, line, column, kind
    friend bool operator==(const ProgramLaunch&, const ProgramLaunch&) = default;
};

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

/// Whether compiled code was run beside what is written.
[[nodiscard]] bool hasCompiled(const ProgramLaunch& launch);

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
    std::vector<ProgramLaunch> launches;
    std::vector<Finding> findings;
    std::vector<std::string> notes;  ///< what a reader must know to read the numbers
    ProgramExit exit;
    double compileSeconds = 0;
    double seconds = 0;  ///< of the run
    friend bool operator==(const ProgramTrace&, const ProgramTrace&) = default;
};

/// The lines' sums as values of the kernel and of each array.
[[nodiscard]] std::vector<Value> valuesOf(const std::vector<ProgramLine>& lines);

/// A line's sectors, wavefronts or divergent warps are written as its kind has them.
void describe(Archive& v, ProgramLine& line);
void describe(Archive& v, SampleBound& bound);
void describe(Archive& v, CompiledCount& count);
void describe(Archive& v, LaunchArgument& argument);
void describe(Archive& v, ProgramLaunch& launch);
void describe(Archive& v, Finding& finding);
void describe(Archive& v, ProgramExit& exit);
void describe(Archive& v, ProgramTrace& trace);

}  // namespace warplens
