#pragma once

#include "app/drawing/warp_trace.h"
#include "app/figure/canvas.h"
#include "app/figure/cause.h"
#include "app/figure/numbers.h"
#include "app/figure/subject.h"

/// What the picture in the middle of a figure shows. Each kind draws into the room it is given and
/// says what matters in one sentence, which may be empty.
namespace warplens::figure {

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

/// What one warp asks of each array: lanes, sectors, lines, and the bytes fetched for nothing.
[[nodiscard]] std::string memoryStatement(const Subject& subject);
void drawMemory(Canvas& canvas, const Subject& subject, const Box& room);

/// A warp, and one of its steps.
struct Telling final {
    WarpTrace trace;
    std::size_t step = 0;
};
/// The step that shows a cause: the subject's own if it names one, else of the array whose requests
/// cost most one that costs as much as most of them, so that the edge of the data is not taken for
/// the rule; the request with the most wavefronts, or turns; a branch that diverges. None where the
/// warp has no such step. Of sectors, those of `array` where it is named.
[[nodiscard]] std::optional<Telling> tellingStep(const Subject& subject, CauseKind cause,
                                                 const std::string& array = {});
/// All requests of the warp to global memory, or to shared memory, as squares one after the other.
void drawRequestSquares(Canvas& canvas, const Subject& subject, bool shared, const Box& room);

/// What the subject's view, or its scenario, is drawn as.
void drawKind(Canvas& canvas, const Subject& subject, const Box& room);

/// One SM and the blocks that it holds: the subject's, of compute capability 9.0 where it names
/// none.
struct DrawnSm final {
    const SmLimits& limits;
    BlockDemand demand;
};
[[nodiscard]] DrawnSm drawnSmOf(const Subject& subject);
[[nodiscard]] std::string slotsStatement(const Subject& subject);
void drawSlots(Canvas& canvas, const Subject& subject, const Box& room);

/// The block as cubes, with its three axes.
void drawBlock3d(Canvas& canvas, const Subject& subject, const Box& room);

/// A line of source, and what it costs.
struct SourceRow final {
    std::uint32_t number = 0;
    std::string_view code;
    std::string words{};  ///< that stand beside it; empty where it costs nothing
    bool wasteful = false;
    bool worst = false;
};
/// Rows from the top of the room, each at most so high; lines that do not fit are left out from the
/// end.
void drawSourceRows(Canvas& canvas, const std::vector<SourceRow>& rows, const Box& room,
                    float highest);

/// The kernel's source, with the requests of the warp beside their lines.
void drawSourceText(Canvas& canvas, const Subject& subject, const Box& room);

/// The arm that each lane takes, warp by warp, and what the compiler made of the branch.
[[nodiscard]] std::string branchStatement(const Subject& subject);
void drawBranches(Canvas& canvas, const Subject& subject, const Box& room);

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

}  // namespace warplens::figure
