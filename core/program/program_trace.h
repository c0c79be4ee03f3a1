#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/launch_report.h"
#include "core/trace/warp_observer.h"

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
    warpOrder,           ///< lanes of a warp, one word of shared memory, only volatile between
    meetingByData,       ///< only by luck with the data do no two threads change one element
    repeatedWork,        ///< by blocks or threads whose index along an axis the kernel never reads
    oneThreadWorks,      ///< a condition keeps nearly all threads from a loop that is all the work
    mayBeWhy,            ///< no fault by itself, of a program that says that its results are wrong
    launchRace,          ///< two launches in streams of which neither waits for the other
};
constexpr std::array<std::string_view, 28> namesOf(FindingKind /*kind*/) {
    return {"out_of_bounds",       "use_after_free",       "host_pointer",
            "device_pointer",      "wild_pointer",         "misaligned",
            "barrier_mismatch",    "shared_race",          "block_race",
            "global_race",         "uninitialised_shared", "unwritten_memory",
            "not_reached",         "division_by_zero",     "endless_loop",
            "stack_overflow",      "failed_assertion",     "never_freed",
            "launch_refused",      "not_supported",        "crash",
            "unsynchronised_read", "warp_order",           "meeting_by_data",
            "repeated_work",       "one_thread_works",     "may_be_why",
            "launch_race"};
}
/// Whether what it comes to depends on which thread comes first.
constexpr bool isRace(FindingKind kind) {
    return kind == FindingKind::sharedRace || kind == FindingKind::blockRace ||
           kind == FindingKind::globalRace;
}
/// Whether the results are right all the same.
constexpr bool leavesResults(FindingKind kind) {
    return kind == FindingKind::neverFreed || kind == FindingKind::meetingByData ||
           kind == FindingKind::oneThreadWorks;
}

/// What no finding is about: the last sentence of a list of them, also of an empty one.
inline constexpr std::string_view notLookedFor =
    "Not looked for: whether the result would differ if blocks ran in another order, as they may.";

/// What tables of CUDA's own functions are called among arrays.
inline constexpr std::string_view toolkitTable = "a table of CUDA's";

/// What a thread accesses of an array, and how it is told: `store to shared t[7], which ...`.
struct AccessedBytes final {
    std::int64_t offset = 0;    ///< from its begin
    std::int64_t bytes = 1;     ///< at once
    std::uint64_t ofArray = 0;  ///< that it has
    std::uint64_t stretch = 0;  ///< the launch's pointers begin multiples of it away; 0: none does
    AccessKind kind = AccessKind::load;
    std::string array{};        ///< its name; `a, b` where several are meant
    std::int64_t element = 0;   ///< of it, as told
    std::int64_t elements = 0;  ///< that it has, where it is told
    std::uint64_t reached = 0;  ///< beyond it: by the furthest such access, from its begin
    bool isOfLaunch = false;    ///< dynamic shared memory, whose bytes the launch gives
    friend bool operator==(const AccessedBytes&, const AccessedBytes&) = default;
};

/// Why elements have no value or no thread, where it is known: by what mends it.
enum class LeftOut : std::uint8_t {
    unknown,
    byGrid,      ///< it ends before them
    ofGroup,     ///< of elements that a thread takes side by side, fewer are left
    byIndex,     ///< threads that have it together
    byCondition  ///< of a line: it asks of other names than the index is made of, or of too few
};
constexpr std::array<std::string_view, 5> namesOf(LeftOut /*why*/) {
    return {"unknown", "by_grid", "of_group", "by_index", "by_condition"};
}

/// `store to`
[[nodiscard]] constexpr std::string_view accessInWords(AccessKind kind) {
    return isAtomic(kind) ? "atomic on" : isStore(kind) ? "store to" : "load from";
}

/// One thing that is wrong, with an example of a thread that does it.
struct Finding final {
    FindingKind kind = FindingKind::outOfBounds;
    std::string words;  ///< one sentence: what, array, index, how many elements there are
    SourcePlace place;
    std::string kernel;                     ///< empty on the host
    std::optional<std::uint32_t> launch{};  ///< index
    std::optional<Index3> block{};
    std::optional<Index3> thread{};
    std::optional<std::uint32_t> otherLine{};  ///< of a race: where the other thread accesses
    std::uint64_t times = 1;                   ///< how often it was seen
    std::optional<AccessedBytes> accessed{};   ///< of a thread, where it is of an array
    bool isWrittenLater = false;  ///< of uninitialised shared memory: not by then, but later
    /// Of a barrier mismatch: of a warp intrinsic whose mask names lanes that do not come.
    bool isOfMask = false;
    bool isWithinWarp = false;  ///< of a race: __syncwarp ends it
    bool isUnawaited = false;   ///< of a race with an asynchronous copy: nothing waits for that
    LeftOut leftOut = LeftOut::unknown;
    std::string asked{};  ///< then: what the condition asks of that the index is not made of
    /// What is accessed; empty where it is no array.
    [[nodiscard]] std::string array() const { return accessed ? accessed->array : std::string(); }
    friend bool operator==(const Finding&, const Finding&) = default;
};

/// A finding's words up to the element that it is about.
[[nodiscard]] constexpr std::string_view elementless(std::string_view words) {
    return words.substr(0, words.find('['));
}

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

/// Makes one finding of all that one line allocates and nobody frees, each named once:
/// `a (64 bytes), b (64 bytes) are never freed`; none where the program ended with an error.
void joinLeaks(ProgramTrace& trace);

void describe(Archive& v, Finding& finding);
void describe(Archive& v, ProgramExit& exit);
void describe(Archive& v, ProgramTrace& trace);

/// One thing that the lanes of a warp did together: a request to one array, or the decision at a
/// branch.
struct BlockStep final {
    AccessKind kind = AccessKind::load;
    std::uint16_t subject = 0;  ///< which of the block's arrays, shared arrays or branches
    std::uint32_t place = 0;    ///< which of the block's places
    std::uint32_t bytes = 0;    ///< for each lane; 0 at a branch
    std::uint32_t active = 0;   ///< bit i: lane i
    std::uint32_t taken = 0;    ///< at a branch: the active lanes for which the condition holds
    std::uint32_t refused = 0;  ///< lanes that fault: what they access is not there
    bool isJoined = false;      ///< of an atomic: ProgramLine::isJoined
    bool isGuard = false;       ///< of a branch: ProgramLine::isGuard
    bool isOneWay = false;      ///< of a branch: a guard, or ProgramLine::hasNoElse
    friend bool operator==(const BlockStep&, const BlockStep&) = default;
};

/// What one warp did, in program order.
struct WarpSteps final {
    std::vector<BlockStep> steps;  ///< the first; the others are only counted
    /// Of the active and the refused lanes of each request, request by request: from the array's
    /// start, or within the block's shared memory.
    std::vector<std::uint64_t> offsets;
    std::uint64_t total = 0;
    friend bool operator==(const WarpSteps&, const WarpSteps&) = default;
};

/// An array in global or constant memory. Its first element is `lead` bytes from where offsets
/// begin, so that they lie in sectors as the addresses do.
struct StepArray final {
    std::string name;
    std::uint32_t elementBytes = 1;
    std::uint32_t lead = 0;
    friend bool operator==(const StepArray&, const StepArray&) = default;
};
struct StepShared final {
    std::string name;
    trace::SharedPlace place;
    friend bool operator==(const StepShared&, const StepShared&) = default;
};
struct StepBranch final {
    std::uint32_t place = 0;  ///< which of the block's places
    std::string statement{};  ///< the line as it stands in the source, `if (i < n)`
    friend bool operator==(const StepBranch&, const StepBranch&) = default;
};

/// All that the warps of one block of one launch of a program did.
struct BlockSteps final {
    std::uint32_t launch = 0;  ///< its index
    std::string kernel;        ///< as LaunchReport has it
    std::string file;          ///< the program's first, as its places name it
    Launch shape;
    Index3 block;
    std::vector<SourcePlace> places;
    std::vector<StepArray> arrays;
    std::vector<StepShared> shared;  ///< one behind the other, in the order of their declarations
    /// Of the shared arrays with a size of their own that the block uses; what the launch asks for
    /// on top is in `shape`.
    std::uint32_t staticSharedBytes = 0;
    std::vector<StepBranch> branches;
    std::vector<WarpSteps> warps;
    friend bool operator==(const BlockSteps&, const BlockSteps&) = default;
};

/// Steps that are kept of one block, in equal parts of its warps: 64 MiB of offsets at the most.
inline constexpr std::uint64_t mostStepsOfBlock = 1U << 18;

}  // namespace warplens
