#include "app/drawing/warp_memory.h"
#include "app/figure/kinds/kind.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

/// Of lane numbers and words; lines are a twelfth of it wide.
constexpr float stepTextSize = size::smallestNumber / 0.78F;

/// Of the whole launch; empty where nobody compiled it.
std::string asCompiled(const Subject& subject, std::uint32_t line) {
    if (!subject.compiledBranches) return {};
    const auto found = subject.compiledBranches->find(line);
    if (found == subject.compiledBranches->end())
        return "As compiled there is no branch on this line: no warp diverges";
    return "As compiled, whole launch: " + groupedDigits(found->second.requests) +
           " times a warp is at a branch, " + groupedDigits(found->second.divergent) +
           " times it diverges";
}

}  // namespace

void drawCodeRound(Canvas& canvas, const Subject& subject, std::uint32_t line, bool wasteful,
                   const Box& room) {
    const std::vector<CodeLine> lines = linesOf(subject, true);
    const auto at = std::ranges::find(lines, line, &CodeLine::number);
    if (at == lines.end()) return;
    const std::ptrdiff_t before = at - lines.begin();
    const std::ptrdiff_t behind = lines.end() - at;
    for (std::ptrdiff_t reach = std::max(before, behind); reach > 0; --reach) {
        std::vector<SourceRow> rows;
        for (auto shown = at - std::min(before, reach); shown != at + std::min(behind, reach);
             ++shown) {
            rows.push_back({.number = shown->number,
                            .code = shown->line,
                            .wasteful = wasteful && shown == at,
                            .marked = shown == at});
        }
        const float size = sizeOfRows(canvas, rows, room, size::smallestNumber, size::code);
        if (size > 0) return drawSourceRows(canvas, rows, room, size * 1.35F, size);
    }
}

std::optional<Telling> branchStepOf(const Subject& subject) {
    if (!subject.view.step || (!subject.kernel.empty() && subject.program == nullptr)) return {};
    Telling telling{.trace = traceWarp({subject.view.experiment, subject.view.block,
                                        subject.view.warp.value_or(WarpRank{0}), subject.program}),
                    .step = static_cast<std::size_t>(*subject.view.step)};
    const std::vector<WarpStep>& steps = telling.trace.steps;
    if (telling.step >= steps.size() || steps[telling.step].kind != StepKind::branch) return {};
    return telling;
}

std::string branchStepStatement(const Subject&) {
    return {};  // the step says it of itself
}

void drawBranchStep(Canvas& canvas, const Subject& subject, const Box& whole) {
    const std::optional<Telling> telling = branchStepOf(subject);
    if (!telling || whole.width() < 300) return drawThreads(canvas, subject, whole);
    Box room = whole;
    // As it is drawn beside another launch.
    const WarpsAtBranch branch =
        subject.program != nullptr ? warpsAtBranch(subject, *telling) : WarpsAtBranch();
    if ((subject.about && !branch.rounds.empty()) || !branch.cases.empty()) {
        room.bottom -= 0.4F * room.height();
        (void)drawWarpsAtBranch(canvas, branch, true, tellingWarps(branch),
                                subject.view.experiment.launch.block, room);
    } else {
        room.bottom = std::min(room.bottom, room.top + 11 * stepTextSize);
        canvas.add(drawing::prepareWarpMemory(telling->trace, telling->step,
                                              canvas.area(room, stepTextSize))
                       .items,
                   room);
    }
    Box below{room.left + 6, room.bottom + 12, room.right, whole.bottom};
    below.top += canvas.writeLines(below,
                                   {asCompiled(subject, telling->trace.steps[telling->step].line),
                                    Face::words, size::name, canvas.colors().text},
                                   2);
    if (below.height() > 3 * size::code) {
        const WarpStep& step = telling->trace.steps[telling->step];
        const bool parts = step.taken != 0 && step.taken != step.active;
        drawCodeRound(canvas, subject, step.line, parts, below);
    }
}

}  // namespace warplens::figure
