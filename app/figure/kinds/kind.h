#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/drawing/occupancy_slots.h"
#include "app/drawing/warp_trace.h"
#include "app/figure/canvas.h"
#include "app/figure/subject.h"

/// What the picture in the middle of a figure shows, the numbers beside it, and what makes the
/// difference between two launches. Each kind draws into the room it is given and says what matters
/// in one sentence, which may be empty.
namespace warplens::figure {

/// One quantity as its sources give it.
struct Number final {
    struct Line final {
        std::string value;    ///< with its unit
        std::string sources;  ///< `predicted, compiled, counted`: all that say so
        friend bool operator==(const Line&, const Line&) = default;
    };
    std::string name;
    std::string remark{};  ///< `best 4.00`
    std::vector<Line> lines;
    bool stated = false;  ///< the picture's sentence says it
    friend bool operator==(const Number&, const Number&) = default;
};

/// The numbers that belong to each kind of picture, those that matter most first; a quantity of
/// which no source speaks is left out.
[[nodiscard]] std::vector<Number> threadNumbers(const Subject& subject);
/// The rule as one of the block's threads has it.
[[nodiscard]] Number threadExample(const Subject& subject);
[[nodiscard]] std::vector<Number> slotNumbers(const Subject& subject);
[[nodiscard]] std::vector<Number> coverageNumbers(const Subject& subject);
[[nodiscard]] std::vector<Number> memoryNumbers(const Subject& subject);
/// Whether its scenario is about the banks of shared memory, conflicts or not.
[[nodiscard]] bool isOfBanks(const Subject& subject);
[[nodiscard]] std::vector<Number> branchNumbers(const Subject& subject);
[[nodiscard]] std::vector<Number> reductionNumbers(const Subject& subject);
/// The time, how the runs differ, and what a launch costs beside it.
[[nodiscard]] std::vector<Number> timeNumbers(const Subject& subject);

enum class CauseKind : std::uint8_t {
    code,        ///< nothing that is counted here: what differs is the code
    sectors,     ///< of global memory, by request
    requests,    ///< to global memory
    wavefronts,  ///< of shared memory, by request
    sharedRequests,
    divergence,    ///< branches at which a warp diverges
    trips,         ///< rounds of a loop in which lanes wait for others of their warp
    constants,     ///< addresses of constant memory, which a warp's lanes ask for in turns
    atomics,       ///< lanes that meet at one address of global memory
    fragments,     ///< lanes without a thread, and threads without an element
    residency,     ///< blocks for each SM
    waits,         ///< of a warp for memory, one after the other
    instructions,  ///< of a warp
    faults,        ///< one of two programs is wrong, in a way in which the other is not
};

/// Found from the numbers of the whole launches, of the same source on both sides.
struct Cause final {
    CauseKind kind = CauseKind::code;
    double a = 0;
    double b = 0;
    std::string unit{};    ///< `sectors`, of both; of atomics requests where none waits
    std::string array{};   ///< of sectors: the one whose sectors differ most; may be empty
    bool explains = true;  ///< it is larger where it took longer, or the times are alike
    /// Of sectors: loads or stores, whichever differ most; none where that cannot be told.
    std::optional<AccessKind> access{};
    bool predictedAlone = false;  ///< no device or compiler was asked that says the same
    /// Of two programs: what compiled code has of it, where it says otherwise.
    std::optional<std::pair<double, double>> compiled{};
    /// Of atomics: those of shared memory, which `a` and `b` are not of.
    double sharedA = 0;
    double sharedB = 0;
    bool meetA = false;  ///< of atomics: whether lanes meet in global memory
    bool meetB = false;
    std::uint32_t loopA =
        0;  ///< of trips: the line of the loop; 0 where there is none in its place
    std::uint32_t loopB = 0;
};

/// Of a program's faults the kinds that the other has not, in the order in which they were found,
/// of each the first.
[[nodiscard]] std::vector<const Finding*> ownFaults(const Subject& subject, const Subject& other);

/// The quantity of a launch that it is of.
[[nodiscard]] constexpr Metric aboutOf(CauseKind cause) {
    switch (cause) {
        case CauseKind::atomics:
            return Metric::atomicTurns;
        case CauseKind::divergence:
        case CauseKind::trips:
            return Metric::divergentBranches;
        case CauseKind::wavefronts:
        case CauseKind::sharedRequests:
            return Metric::sharedWavefrontsPerRequest;
        default:
            return Metric::sectorsPerRequest;
    }
}

/// Of the quantities that differ by a twentieth and more, and where both launches were timed are
/// larger where it took longer: the one that the scenario is about if it is among them, else the
/// one that differs most. Where none explains the times, what the compiled code does: local
/// memory, how often a warp waits for memory, its instructions. Cost: that of the subjects'
/// evidence, and for the latter a block of each traced.
[[nodiscard]] Cause causeOf(const Subject& a, const Subject& b);

/// The same of two that do not do as much work: of what one request takes, which is alike however
/// many there are.
[[nodiscard]] Cause causeByRequest(const Subject& a, const Subject& b);

/// The time of the timed runs; null where there is none.
[[nodiscard]] const Value* timeOf(const Subject& subject);

/// A line of a subject's source.
struct CodeLine final {
    std::uint32_t number = 0;  ///< in its file, from 1
    std::string text{};        ///< without comments and the blanks in front of it
    std::string line{};        ///< without comments
};

/// The lines of the two that the other has not, in their order, without braces alone and comments.
struct ChangedLines final {
    std::vector<CodeLine> a;
    std::vector<CodeLine> b;
};

/// By the longest common subsequence of the lines. Cost: lines times lines, of at most 1,000 each.
[[nodiscard]] ChangedLines changedLines(const Subject& a, const Subject& b);
/// Of programs whose kernels are alike those of their files.
[[nodiscard]] ChangedLines changedAnywhere(const Subject& a, const Subject& b);

/// The line of b's kernel in place of a's: the one with the same text, or of lines that were
/// changed the one that is as far down among them. None where it was left out.
[[nodiscard]] std::optional<std::uint32_t> lineInPlaceOf(const Subject& a, const Subject& b,
                                                         std::uint32_t line);

/// Times that warps diverge at guards, those of `changed` lines left aside: of two launches that
/// are compared those lines are what differs.
[[nodiscard]] std::uint64_t divergentGuards(const Subject& subject,
                                            const std::vector<CodeLine>& changed);
/// Times that warps diverge at lines that the other launch has not.
[[nodiscard]] double divergentAt(const Subject& subject, const std::vector<CodeLine>& changed);
/// `768 at line 15`, `768 in sinf of line 15`: where they do that on other lines than the one
/// drawn, guards left aside; empty where they do not.
[[nodiscard]] std::string divergentBeside(const Subject& subject, std::uint32_t drawn);
/// Times that warps diverge at loops whose lanes go round unequally often.
[[nodiscard]] std::uint64_t divergentLoops(const Subject& subject);
/// `64 at the guard of line 11`; empty where there are none.
[[nodiscard]] std::string guardsInWords(const Subject& subject,
                                        const std::vector<CodeLine>& changed);

/// All of its kernel, or of its file.
[[nodiscard]] std::vector<CodeLine> linesOf(const Subject& subject, bool withBraces = false);

/// Of its kernel, without the heads of kernels, which differ by their names.
[[nodiscard]] std::vector<CodeLine> bodyOf(const Subject& subject);

/// A warp at one mark, once or, at a loop's condition and in a loop, again and again.
struct LaneMark final {
    std::uint32_t active = 0;  ///< bit i: lane i comes to it
    std::uint32_t taken = 0;   ///< and goes in
    std::string round{};       ///< `stride 4`: in which rounds of its loops the warp is
    /// Where more than two ways lead from it: the lanes of each.
    std::vector<std::uint32_t> ways{};
    /// How many of those are gone.
    [[nodiscard]] std::size_t paths() const {
        return ways.size() - static_cast<std::size_t>(std::ranges::count(ways, 0U));
    }
    [[nodiscard]] bool parts() const {
        return ways.empty() ? taken != 0 && taken != active : paths() > 1;
    }
    friend bool operator==(const LaneMark&, const LaneMark&) = default;
};

struct BlockMarks final {
    /// By branch of the kernel, by warp of the block: in the order in which it comes there.
    std::vector<std::vector<std::vector<LaneMark>>> marks;
    std::string failure;  ///< why the block could not be traced; then there are no marks
};

/// Traces the subject's block, warp by warp.
[[nodiscard]] BlockMarks marksOf(const Subject& subject);

/// The threads of a block by warp, and the lanes of each warp.
[[nodiscard]] std::string threadsStatement(const Subject& subject);
void drawThreads(Canvas& canvas, const Subject& subject, const Box& room);

/// The numbers of lanes of width `cell` from `left` on, and at `from` the word for them.
void drawLaneNumbers(Canvas& canvas, float from, float left, float top, float cell);

/// The threads of the subject's block alone, without axes.
void drawBlock(Canvas& canvas, const Subject& subject, const Box& room);

/// The problem under the threads of the grid: the kinds of block, and what sticks out.
[[nodiscard]] std::string coverageStatement(const Subject& subject);
void drawCoverage(Canvas& canvas, const Subject& subject, const Box& room);

/// The blocks of the grid alone, of a launch that has no problem to cover.
[[nodiscard]] std::string gridStatement(const Subject& subject);
void drawGrid(Canvas& canvas, const Subject& subject, const Box& room);

/// What one warp asks of each array: lanes, sectors, lines, and the bytes fetched for nothing.
[[nodiscard]] std::string memoryStatement(const Subject& subject);
void drawMemory(Canvas& canvas, const Subject& subject, const Box& room);
/// The lines of a program's accesses that it draws, or may draw.
[[nodiscard]] std::vector<std::uint32_t> linesOfRequests(const Subject& subject);
/// The same of what is drawn of the subject; none where that is of no step.
[[nodiscard]] std::vector<std::uint32_t> linesShown(const Subject& subject);

/// A warp, and one of its steps.
struct Telling final {
    WarpTrace trace;
    std::size_t step = 0;
};
/// The step that shows a cause: the subject's own if it names one, else of the array whose requests
/// cost most one that costs as much as most of them, so that the edge of the data is not taken for
/// the rule; the request with the most wavefronts, or lanes at one address; a branch that diverges.
/// None where the warp has no such step. Of sectors and wavefronts, those by `access`, and of
/// sectors those of `array`, where they are named; of several, one on the `lines`, or the next one
/// behind.
[[nodiscard]] std::optional<Telling> tellingStep(const Subject& subject, CauseKind cause,
                                                 const std::string& array = {},
                                                 std::optional<AccessKind> access = {},
                                                 const std::vector<std::uint32_t>& lines = {});
enum class RequestsTo : std::uint8_t { global, shared, any };
/// All requests of the warp to a memory as squares one after the other, which are as large as if
/// there were so many.
void drawRequestSquares(Canvas& canvas, const Subject& subject, RequestsTo memory, std::size_t most,
                        const Box& room);
[[nodiscard]] std::size_t countOfRequests(const Subject& subject, RequestsTo memory);

/// What the subject's view, or its scenario, is drawn as.
void drawKind(Canvas& canvas, const Subject& subject, const Box& room);

/// One SM and the blocks that it holds: the subject's, of compute capability 9.0 where it names
/// none.
struct DrawnSm final {
    const SmLimits& limits;
    BlockDemand demand;
    drawing::GridShare grid;
};
[[nodiscard]] DrawnSm drawnSmOf(const Subject& subject);
[[nodiscard]] std::uint32_t residentWarps(const Subject& subject);
/// `48 of 64 warps`.
[[nodiscard]] std::string residentInWords(const Subject& subject);
[[nodiscard]] std::string slotsStatement(const Subject& subject);
void drawSlots(Canvas& canvas, const Subject& subject, const Box& room);
/// The grid's blocks on several numbers of SMs; of more than 64 nothing.
void drawWaves(Canvas& canvas, const Subject& subject, const Box& room);

/// The block as cubes, with its three axes.
void drawBlock3d(Canvas& canvas, const Subject& subject, const Box& room);

/// A line of source, and what it costs.
struct SourceRow final {
    std::uint32_t number = 0;
    std::string_view code;
    std::string words{};  ///< that stand beside it; empty where it costs nothing
    bool wasteful = false;
    bool worst = false;
    bool marked = false;      ///< stands out without words
    std::size_t leftOut = 0;  ///< in place of a line: so many that are not shown here
};
/// What a warp's steps on one line ask for, the costliest of them.
struct SourceCost final {
    std::string words{};
    bool wasteful = false;
};
/// Of the subject's warp, by line.
[[nodiscard]] std::map<std::uint32_t, SourceCost> sourceCostsOf(const Subject& subject);

/// Rows from the top of the room, each at most so high, in text of a size; lines that do not fit
/// are left out from the end.
void drawSourceRows(Canvas& canvas, const std::vector<SourceRow>& rows, const Box& room,
                    float highest, float size = size::smallestNumber);
/// How many rows of text they take.
[[nodiscard]] int countOfRows(const Canvas& canvas, const std::vector<SourceRow>& rows,
                              const Box& room, float size);
/// The largest size of text in which the rows fit, from `least` on; 0 where they do not.
[[nodiscard]] float sizeOfRows(const Canvas& canvas, const std::vector<SourceRow>& rows,
                               const Box& room, float least, float most);

/// The kernel's source, with the requests of the warp beside their lines.
void drawSourceText(Canvas& canvas, const Subject& subject, const Box& room);

/// Between rows that do not follow each other in `all` one that says how many lines are left out.
[[nodiscard]] std::vector<SourceRow> withGaps(std::vector<SourceRow> rows,
                                              const std::vector<CodeLine>& all);

/// The kernel's code alone, as large as it fits, if need be without lines before the one that
/// matters; nothing where it does not.
void drawKernelCode(Canvas& canvas, const Subject& subject, std::uint32_t line, const Box& room);

/// The kernel's lines, or where not all have room those round one, which is marked.
void drawCodeRound(Canvas& canvas, const Subject& subject, std::uint32_t line, bool wasteful,
                   const Box& room);

/// The arm that each lane takes, warp by warp, and what the compiler made of the branch.
[[nodiscard]] std::string branchStatement(const Subject& subject);
void drawBranches(Canvas& canvas, const Subject& subject, const Box& room);

/// A branch of a program as each warp of its block comes to it, all at the same time of a loop.
struct WarpsAtBranch final {
    std::string name{};                ///< `if (threadIdx.x % 2 == 0)`
    std::string place{};               ///< `line 6`, `line 6, iteration 2 of 7`
    bool isGuard = false;              ///< it only keeps threads out
    bool isOneWay = false;             ///< nothing is on its other side
    std::vector<std::string> cases{};  ///< of a switch: its ways, `case 0`
    std::vector<LaneMark> warps{};     ///< without active lanes where the warp does not come to it
    /// Of a loop's condition each time that the warp comes to it; else empty.
    std::vector<std::vector<LaneMark>> rounds{};
    bool isCut = false;            ///< of a loop: the end of some warp is not known
    std::uint32_t mostRounds = 0;  ///< of a loop: what fills a lane
};
[[nodiscard]] WarpsAtBranch warpsAtBranch(const Subject& subject, const Telling& telling);
/// How many of a switch's ways the warp takes that takes most of them.
[[nodiscard]] std::size_t mostPaths(const WarpsAtBranch& branch);
/// The first warp of each way to go: all lanes, none, some, or not at all there; of a switch of
/// each of its ways; of a loop the warp whose lanes wait most.
[[nodiscard]] std::vector<std::uint32_t> tellingWarps(const WarpsAtBranch& branch);
/// Its statement too, where it is `named`; all warps of the block where they fit, else those of the
/// ranks. False where these do not fit either.
bool drawWarpsAtBranch(Canvas& canvas, const WarpsAtBranch& branch, bool named,
                       const std::vector<std::uint32_t>& ranks, Extents block, Box room);

/// The step that the subject names, where it is a branch.
[[nodiscard]] std::optional<Telling> branchStepOf(const Subject& subject);
/// That step alone: which lanes go which way, and below it the code with its line marked.
[[nodiscard]] std::string branchStepStatement(const Subject& subject);
void drawBranchStep(Canvas& canvas, const Subject& subject, const Box& room);

/// When and where the blocks ran, and when the warps of one SM waited; where no schedule is
/// recorded, what one warp asks of memory.
[[nodiscard]] std::string scheduleStatement(const Subject& subject);
void drawSchedule(Canvas& canvas, const Subject& subject, const Box& room);

/// How long the timed runs took, as a histogram; says so where none were timed.
[[nodiscard]] std::string timesStatement(const Subject& subject);
void drawTimes(Canvas& canvas, const Subject& subject, const Box& room);

/// Which threads work at each step of a sum.
[[nodiscard]] std::string reductionStatement(const Subject& subject);
void drawReduction(Canvas& canvas, const Subject& subject, const Box& room);
/// Whether there is room for each iteration of a sum: a kernel that marks which threads work.
[[nodiscard]] bool fitsReduction(const Experiment& sum, const Box& room);
/// Whether the subject's picture is another one in this room than in a large one.
[[nodiscard]] bool isTooLowFor(const Subject& subject, const Box& room);

}  // namespace warplens::figure
