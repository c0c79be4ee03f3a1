#include <algorithm>
#include <map>

#include "app/drawing/source_tokens.h"
#include "app/drawing/warp_memory.h"
#include "app/figure/kinds/kind.h"
#include "kernels/library/kernel_text.h"

namespace warplens::figure {
namespace {

/// What a warp's steps on one line ask for, the costliest of them.
struct SourceCost final {
    std::string words;
    bool wasteful = false;
};

std::map<std::uint32_t, SourceCost> sourceCostsOf(const Subject& subject) {
    std::map<std::uint32_t, SourceCost> costs;
    const WarpTrace trace = traceWarp(
        {subject.view.experiment, subject.view.block, subject.view.warp.value_or(WarpRank{0})});
    for (const WarpStep& step : trace.steps) {
        const drawing::CostWords words = drawing::costWords(trace, step);
        const auto [at, isNew] =
            costs.try_emplace(step.line, SourceCost{words.brief, words.wasteful});
        if (!isNew && words.wasteful && !at->second.wasteful) {
            at->second = {words.brief, words.wasteful};
        }
    }
    return costs;
}

}  // namespace

void drawSourceText(Canvas& canvas, const Subject& subject, const Box& room) {
    const Kernel& kernel = kernelOf(subject.view.experiment);
    const std::map<std::uint32_t, SourceCost> costs = sourceCostsOf(subject);
    const drawing::ColorRoles& colors = canvas.colors();
    const float pitch = size::smallestNumber + 5;
    float top = room.top;
    for (const KernelLine& line : codeLines(kernel)) {
        if (top + pitch > room.bottom) return;
        const Box box{room.left, top, room.right, top + pitch};
        const auto cost = costs.find(line.line);
        if (cost != costs.end()) {
            canvas.fill({box.left - 6, box.top, box.right, box.bottom},
                        cost->second.wasteful ? colors.warning : colors.accent, 0.13F);
            canvas.write({box.left + box.width() * 0.3F, box.top, box.right - 6, box.bottom},
                         {cost->second.words, Face::words, size::smallest,
                          cost->second.wasteful ? colors.warning : colors.muted},
                         1);
        }
        canvas.write({box.left, box.top, box.left + 34, box.bottom},
                     {std::to_string(line.line), Face::numbers, size::smallestNumber, colors.faint},
                     1);
        canvas.writeShortened(
            {box.left + 46, box.top, box.right, box.bottom},
            {std::string(line.text), Face::numbers, size::smallestNumber, colors.text});
        top += pitch;
    }
}

}  // namespace warplens::figure
