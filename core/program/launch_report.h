#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/line_cost.h"
#include "core/measurement/measurement.h"
#include "core/scenario/scenario.h"

namespace warplens {

class Archive;

/// How the addresses of one place's accesses to one array come about, in bytes from the array's
/// first one: `start + thread.x * threadIdx.x + ... + block.x * blockIdx.x + ...`, and what the
/// loops around it add. It was found in the accesses themselves, of up to six of the blocks that
/// come there, and holds for each that was looked at.
struct AddressFormula final {
    /// A loop, as its passes move the address.
    struct Loop final {
        std::int64_t bytes = 0;    ///< from one pass to the next
        std::uint32_t passes = 0;  ///< 0: of the outermost, which is not known to end
        friend bool operator==(const Loop&, const Loop&) = default;
    };
    std::array<std::int64_t, 3> thread{};  ///< for a step of threadIdx.x, y, z
    /// True: `thread` is of the lane in its warp and of the warp in its block, and 0.
    bool ofLanes = false;
    std::array<std::int64_t, 3> block{};  ///< for a step of blockIdx.x, y, z
    std::int64_t start = 0;
    std::vector<Loop> loops{};  ///< the innermost first
    /// Where loops change more than the start: what a step of threadIdx.x is in each pass, in turn.
    std::vector<std::int64_t> eachPass{};
    bool endsEarly = false;          ///< passes after these follow none
    std::uint32_t elementBytes = 4;  ///< of an access
    bool isClamped = false;  ///< some at the array's edge are at one address instead: `min(i, n)`
    /// Only the lanes of a request follow it: where that begins depends on data, or on how often
    /// each was here before. `start`, `block` and `loops` say nothing then.
    bool isOfRequest = false;
    /// Most sectors beyond the fewest would stay where the first of its lanes began one: they are
    /// of what lies between the lanes.
    bool isSparse = false;
    /// How far the lanes that take part are apart, where they are evenly so: 1 where neighbours
    /// do, else in turn, as `t % (2 * d) == 0` lets 2, 4, 8.
    std::vector<std::uint32_t> lanesApart{};
    /// Whether all threads of a block access one element together.
    [[nodiscard]] bool isOfAll() const {
        return !isOfRequest && thread == std::array<std::int64_t, 3>{};
    }
    friend bool operator==(const AddressFormula&, const AddressFormula&) = default;
};

/// Which lanes of a warp go one way where others go another one.
struct DivergingLanes final {
    std::optional<std::uint32_t> bit{};    ///< those whose lane index has it set, or not set
    std::optional<std::uint32_t> first{};  ///< as many as that, from lane 0; 0: not always the same
    /// Those whose index is a multiple of it; 0: of another power of two each time.
    std::optional<std::uint32_t> every{};
    bool single = false;  ///< one lane and all others, each time
    /// Bit by bit, those that go one way and those that go the other wherever a warp has both; 0
    /// where a lane went both ways, or a warp that has both was seen only once and by no rule.
    std::uint32_t oneWay = 0;
    std::uint32_t otherWay = 0;
    /// Of several branches at one place, each of which parts a side of one before, as of an `if`
    /// with its `else if` in one line: the lanes of each way, three of them or more.
    std::vector<std::uint32_t> ways{};
    friend bool operator==(const DivergingLanes&, const DivergingLanes&) = default;
};

void describe(Archive& v, AddressFormula& formula);
void describe(Archive& v, DivergingLanes& lanes);

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
/// What decides what a line costs.
enum class CostDecider : std::uint8_t {
    code,        ///< how it is written
    data,        ///< they are its index: others would cost another amount
    maskOfData,  ///< they leave lanes out, and all of them would lie side by side
    printf,      ///< which takes its values by way of memory: no array that could lie elsewhere
};
constexpr std::array<std::string_view, 4> namesOf(CostDecider /*decider*/) {
    return {"code", "data", "mask_of_data", "printf"};
}

struct ProgramLine final : LineCost {
    SourcePlace place{};
    AccessKind kind = AccessKind::load;
    /// Several where several are meant: `a, b`. Of a branch its name, if it has one.
    std::string array{};
    Source source = Source::predicted;
    /// Where the numbers depend on the order in which threads run: what another order comes to.
    std::optional<CountsInOtherOrder> inOtherOrder{};
    /// Of what was written: how the addresses come about, where they follow a rule.
    std::optional<AddressFormula> address{};
    /// Where several accesses to the array there each have addresses of their own: how many, and
    /// `address` is of the costliest.
    std::uint32_t addresses = 0;
    bool hasNoFormula = false;  ///< they follow none
    /// Then: bytes from a lane to the next that three of four are apart and more; 0: of no number.
    std::int64_t mostlyApart = 0;
    bool isOneRun = false;                  ///< and then each request's bytes lie side by side
    std::optional<DivergingLanes> lanes{};  ///< of a branch that diverges
    /// Of several branches at one place, as of `if (a) while (b) ...`, where some diverge and some
    /// do not: the first of these that it is the sum of, from 1 in the order of the code.
    std::uint32_t nth = 0;
    /// Of an atomic: in machine code one lane does it for all of its warp (`Site::isJoinable`); in
    /// shared memory, where no two lanes come one after the other, its lanes are counted together
    /// (`Site::countsLanes`).
    bool isJoined = false;
    /// Of loads from shared memory, or stores to it: how many, side by side, may be one request of
    /// 8 or 16 bytes a lane, as the compiled code shows; 0: none.
    std::uint32_t atOnce = 0;
    /// Of an atomic in shared memory for which machine code has no instruction, as a sum of floats:
    /// it compares and swaps until no other came between.
    bool triesAgain = false;
    bool isGuard = false;    ///< a branch that only keeps threads out (`isGuard`)
    bool hasNoElse = false;  ///< of a branch that diverges (`hasNoElse`)
    std::string reason{};    ///< why it costs what it costs (reasons.h)
    CostDecider decidedBy = CostDecider::code;
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

/// Of a report on the warps of one block alone: as many of them as were traced in the time given.
struct TracedBlock final {
    Index3 block;
    std::uint32_t warpsTraced = 0;  ///< at least 1, spread evenly over the block
    std::uint32_t warps = 0;        ///< in the block
    friend bool operator==(const TracedBlock&, const TracedBlock&) = default;
};

/// All that is known of one launch, of a scenario or of a program, without a GPU: what it was and
/// what its lines cost. Of a program there is no scenario, and `arguments` are those that are whole
/// numbers, in order.
struct LaunchReport final : Experiment {
    std::uint32_t index = 0;         ///< of a program's, from 0, in order of launching
    std::string kernel;              ///< as in the source: `scan<true>`
    std::string instance;            ///< name expression with every template argument
    SourcePlace place;               ///< of the launch
    bool overridden = false;         ///< grid or block are not the program's
    Launch own{};                    ///< the program's, where overridden
    bool traced = true;              ///< false: only run, because another launch was asked for
    bool exact = true;               ///< no sample: totals are those of tracing every block
    std::uint64_t blocksTraced = 0;  ///< wholly or in part
    std::uint64_t blocks = 0;        ///< in the grid
    /// Kinds of block found, one of each being traced and counted as often as it occurs; 0 where
    /// every block was traced, or a sample.
    std::uint64_t kinds = 0;
    /// How far off a sample's totals may be, by what its blocks differ among themselves: at most
    /// this 95 times out of 100. 0 where exact.
    double errorPercent = 0;
    std::vector<SampleBound> bounds{};  ///< the same of some metrics each; empty when exact
    std::optional<CompiledCount> compiled{};
    std::optional<TracedBlock> block{};
    std::uint32_t barriers = 0;  ///< as written, that all threads of the block with most meet at
    std::uint64_t laneAccesses = 0;  ///< traced
    double seconds = 0;
    std::vector<Value> values{};
    std::vector<ProgramLine> lines{};  ///< by file, line, column, kind
    friend bool operator==(const LaunchReport&, const LaunchReport&) = default;

    [[nodiscard]] const Experiment& experiment() const { return *this; }
};

/// Whether compiled code was run beside what is written.
[[nodiscard]] bool hasCompiled(const LaunchReport& launch);

/// Its lines of one source.
[[nodiscard]] std::vector<ProgramLine> linesBy(const LaunchReport& launch, Source source);

/// `exact: all 64 blocks traced`; `exact: 4 kinds of block, 31 of 62,500 blocks traced`; `a sample,
/// 512 of 62,500 blocks traced: within 1.3 % 95 times out of 100, where no other block does much
/// more`; or, of such a sample, `these do all the same`.
[[nodiscard]] std::string howPredicted(const LaunchReport& launch);

/// The lines' sums as values of the launch and of each array and named branch, by source. With a
/// kernel's names its arrays and branches come in its order, also those that no line is of.
[[nodiscard]] std::vector<Value> valuesOf(const std::vector<ProgramLine>& lines,
                                          const Kernel* kernel = nullptr,
                                          Source source = Source::predicted);

void describePlace(Archive& v, SourcePlace& place);
/// A line's sectors, wavefronts or divergent warps are written as its kind has them.
void describe(Archive& v, ProgramLine& line);
/// The kind of a program's line: whether an atomic is on shared memory is told by what it costs.
void describeKind(Archive& v, AccessKind& kind);
/// The same in text.
[[nodiscard]] std::string_view nameOf(AccessKind kind);
void describe(Archive& v, SampleBound& bound);
void describe(Archive& v, CompiledCount& count);
/// Of a program's.
void describe(Archive& v, LaunchReport& launch);

/// What is predicted of a scenario's launch, as a document; written only.
struct Prediction final {
    LaunchReport report;
};
void describe(Archive& v, Prediction& prediction);

}  // namespace warplens
