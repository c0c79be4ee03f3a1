#include <algorithm>
#include <map>

#include "app/drawing/source_code.h"
#include "app/drawing/warp_memory.h"
#include "app/figure/kinds/kind.h"
#include "core/text/format.h"
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

/// Numbers end, and lines begin, so far from the left.
constexpr float numberEnd = 34;
constexpr float codeLeft = 46;

}  // namespace

void drawSourceRows(Canvas& canvas, const std::vector<SourceRow>& rows, const Box& room,
                    float highest) {
    const drawing::ColorRoles& colors = canvas.colors();
    constexpr float size = size::smallestNumber;
    drawing::DrawArea area{room, colors, canvas.textWidth(), size};
    area.colors.faint = colors.muted;  // faint text would come on a ground of its own
    const auto wordsOf = [&](const SourceRow& row) {
        return Words{row.words, Face::words, size::smallest,
                     row.wasteful ? colors.warning : colors.muted};
    };
    // What costs stands behind its line, unless that would take the line's own place.
    const auto endOf = [&](const SourceRow& row) {
        const float width = row.words.empty() ? 0 : canvas.width(wordsOf(row)) + 18;
        return room.width() - 6 - (width < 0.75F * room.width() ? width : 0);
    };
    const auto draw = [&](drawing::Items* items, const SourceRow& row, float top, float pitch) {
        return drawing::drawCode(items, area, row.number, row.code,
                                 {.at = {room.left, top + (pitch - size) / 2},
                                  .gutter = numberEnd,
                                  .left = codeLeft,
                                  .right = endOf(row),
                                  .height = pitch,
                                  .size = size});
    };
    int count = 0;
    for (const SourceRow& row : rows) count += draw(nullptr, row, 0, 0);
    const float pitch =
        std::clamp(room.height() / static_cast<float>(std::max(1, count)), size + 5, highest);
    float top = room.top;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SourceRow& row = rows[i];
        drawing::Items items;
        const float bottom = top + pitch * static_cast<float>(draw(&items, row, top, pitch));
        const bool last = i + 1 == rows.size();
        if (bottom + (last ? 0 : pitch) > room.bottom + 1) {
            canvas.write({room.left + codeLeft, top, room.right, top + pitch},
                         {"… and " + counted(rows.size() - i, "more line"), Face::words,
                          size::smallest, colors.muted});
            return;
        }
        const Rgb color = row.wasteful ? colors.warning : colors.accent;
        if (!row.words.empty()) {
            canvas.fill({room.left - 6, top, room.right, bottom}, color, row.worst ? 0.26F : 0.11F);
        }
        if (row.worst) canvas.fill({room.left - 6, top, room.left - 2, bottom}, color);
        canvas.write({room.left + endOf(row), top, room.right - 6, top + pitch}, wordsOf(row), 1);
        canvas.add(std::move(items), {room.left, top, room.right, bottom});
        top = bottom;
    }
}

void drawSourceText(Canvas& canvas, const Subject& subject, const Box& room) {
    const std::map<std::uint32_t, SourceCost> costs = sourceCostsOf(subject);
    std::vector<SourceRow> rows;
    for (const KernelLine& line : codeLines(kernelOf(subject.view.experiment))) {
        SourceRow row{.number = line.line, .code = line.text};
        if (const auto cost = costs.find(line.line); cost != costs.end()) {
            row.words = cost->second.words;
            row.wasteful = cost->second.wasteful;
        }
        rows.push_back(std::move(row));
    }
    drawSourceRows(canvas, rows, room, size::smallestNumber + 5);
}

}  // namespace warplens::figure
