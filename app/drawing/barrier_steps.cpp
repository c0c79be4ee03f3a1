#include <algorithm>

#include "app/drawing/lesson_pictures.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"

namespace warplens::drawing {
namespace {

constexpr std::string_view barrierCall = "__syncthreads()";
constexpr std::size_t mostAfter = 3;  ///< requests behind the barrier that are drawn

/// The kernel's first barrier; 0: it has none.
std::uint32_t barrierLine(const Kernel& kernel) {
    for (const KernelLine& line : codeLines(kernel)) {
        if (line.text.find(barrierCall) != std::string_view::npos) return line.line;
    }
    return 0;
}

/// A warp's requests before the barrier and behind it, as places in its steps.
struct BarrierRow final {
    std::vector<std::size_t> before{};
    std::vector<std::size_t> after{};
};

BarrierRow barrierRowOf(const WarpTrace& trace, std::uint32_t line) {
    BarrierRow row;
    for (std::size_t at = 0; at < trace.steps.size() && row.after.size() <= mostAfter; ++at) {
        if (trace.steps[at].kind == StepKind::branch) continue;
        const bool isBehind = !row.after.empty() || trace.steps[at].line > line;
        (isBehind ? row.after : row.before).push_back(at);
    }
    return row;
}

}  // namespace

Items prepareBarrier(std::span<const WarpTrace> warps, const DrawArea& area) {
    Items items;
    const ColorRoles& colors = area.colors;
    const Box& box = area.box;
    const float size = area.textSize;
    const auto write = [&](Point at, std::string words, Rgb color, float align = 0) {
        items.push_back(Text{at, std::move(words), Face::words, size, color, align});
    };
    const std::uint32_t line =
        warps.empty() ? 0 : barrierLine(kernelOf(warps.front().place.experiment));
    if (line == 0) {
        write({box.left, box.top}, "the kernel has no barrier", colors.muted);
        return items;
    }
    std::vector<BarrierRow> rows;
    std::size_t most = 1;
    for (const WarpTrace& trace : warps) {
        rows.push_back(barrierRowOf(trace, line));
        most = std::max(most, rows.back().before.size());
    }
    const float left = box.left + area.textWidth("warp 31", Face::words, size) + size;
    const float gap = size * 0.25F;
    const float wall = size * 0.5F;
    const float width = (box.right - left - wall - 2 * size) / static_cast<float>(most + mostAfter);
    const float barrier = left + width * static_cast<float>(most) + size;
    const float top = box.top + size * 2;
    const float bottom = box.bottom - size * 2;
    const float pitch = std::min((bottom - top) / static_cast<float>(rows.size()), size * 3);
    if (width < size || pitch < size * 0.6F) return items;
    write({box.left, box.top},
          std::string(barrierCall) + " in line " + std::to_string(line) + " waits for " +
              counted(warps.size(), "warp") + " of the block",
          colors.text);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const WarpTrace& trace = warps[i];
        const float y = top + pitch * static_cast<float>(i);
        const float below = y + pitch - std::min(gap, pitch * 0.2F);
        const float middle = (y + below - size) / 2;
        if (pitch >= size) write({box.left, middle}, "warp " + std::to_string(i), colors.muted);
        const auto cell = [&](float x, std::size_t step) {
            const Box at{x, y, x + width - gap, below};
            const Rgb color = colorOf(trace.place.warp);
            items.push_back(Fill{at, color});
            // Without `Warp 0`, which stands before the row.
            std::string words = titleOf(trace, trace.steps[step]);
            words.erase(0, words.find(' ', words.find(' ') + 1) + 1);
            if (pitch >= size && area.textWidth(words, Face::words, size) < at.width())
                write({(at.left + at.right) / 2, middle}, words, inkOn(color), 0.5F);
        };
        for (std::size_t at = 0; at < rows[i].before.size(); ++at)
            cell(left + width * static_cast<float>(at), rows[i].before[at]);
        const Box waits{left + width * static_cast<float>(rows[i].before.size()), y, barrier - gap,
                        below};
        if (waits.width() > width) {
            items.push_back(Fill{waits, colors.raised});
            items.push_back(Hatch{waits, colors.faint, size * 0.6F});
            if (pitch >= size)
                write({(waits.left + waits.right) / 2, middle}, "waits", colors.text, 0.5F);
        }
        for (std::size_t at = 0; at < std::min(mostAfter, rows[i].after.size()); ++at)
            cell(barrier + wall + gap + width * static_cast<float>(at), rows[i].after[at]);
    }
    const float end = top + pitch * static_cast<float>(rows.size());
    items.push_back(Fill{{barrier, top - gap, barrier + wall, end}, colors.accent});
    write({box.left, end + size * 0.5F},
          "A column for each request. How long each takes, and who is first, only a GPU tells.",
          colors.muted);
    return items;
}

}  // namespace warplens::drawing
