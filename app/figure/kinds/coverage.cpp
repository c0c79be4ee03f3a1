#include <cmath>

#include "app/figure/kinds/kind.h"
#include "core/kernel/problem_share.h"
#include "core/launch/mapping.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

/// A kind of block: how it lies on the problem.
struct BlockKind final {
    const char* letter = "";
    std::string name;
    Rgb color = 0;
    std::uint64_t blocks = 0;
    std::uint64_t wasted = 0;  ///< threads without an element, of all these blocks
};

struct Plan final {
    Extents grid;
    Extents block;
    Extents work;
    std::uint32_t wholeX = 0;  ///< columns of blocks with an element for every thread
    std::uint32_t wholeY = 0;
    std::array<BlockKind, 4> kinds;

    [[nodiscard]] std::size_t kindAt(std::uint32_t x, std::uint32_t y) const {
        return (x >= wholeX ? 1u : 0u) + (y >= wholeY ? 2u : 0u);
    }
};

Plan planOf(const Subject& subject, const Style& style) {
    const Launch& launch = subject.view.experiment.launch;
    const Kernel& kernel = kernelOf(subject.view.experiment);
    Plan plan{.grid = launch.grid,
              .block = launch.block,
              .work = kernel.work(subject.view.experiment.arguments),
              .kinds = {}};
    const BlockGuard guard = guardOf(plan.work, plan.block);
    plan.wholeX = std::min(plan.grid.x, guard.wholeBlocks.x);
    plan.wholeY = std::min(plan.grid.y, guard.wholeBlocks.y);
    const std::array<Rgb, 4> colors{style.first, style.second, style.third, style.fourth};
    constexpr std::array<const char*, 4> letters{"A", "B", "C", "D"};
    for (std::size_t k = 0; k < plan.kinds.size(); ++k) {
        plan.kinds.at(k).letter = letters.at(k);
        plan.kinds.at(k).name = nameOf(BlockCase{.x = (k & 1) != 0, .y = (k & 2) != 0});
        plan.kinds.at(k).color = colors.at(k);
    }
    for (const BlockCaseCount& count : countBlockCases(guard, plan.grid)) {
        BlockKind& kind = plan.kinds.at(count.which.index() & 3);  // drawn from above: no layers
        kind.blocks += count.blocks;
        kind.wasted += count.wasted;
    }
    return plan;
}

std::string times(std::uint64_t a, std::uint64_t b) {
    return groupedDigits(a) + " × " + groupedDigits(b);
}

/// The kinds that occur, each with its letter, in two columns; returns the height it takes.
float drawKinds(Canvas& canvas, const Plan& plan, const Box& room) {
    const drawing::ColorRoles& colors = canvas.colors();
    const int columns = room.width() > 640 ? 2 : 1;
    constexpr float pitch = 30;
    const auto present =
        std::ranges::count_if(plan.kinds, [](const BlockKind& kind) { return kind.blocks > 0; });
    const auto rows = static_cast<float>((present + columns - 1) / columns);
    if (rows * pitch > room.height() * 0.4F) return 0;
    const float width = room.width() / static_cast<float>(columns);
    int at = 0;
    for (const BlockKind& kind : plan.kinds) {
        if (kind.blocks == 0) continue;
        const float left = room.left + static_cast<float>(at % columns) * width;
        const float top = room.bottom - rows * pitch + static_cast<float>(at / columns) * pitch + 4;
        ++at;
        const Box swatch{left, top, left + 34, top + 24};
        canvas.fill(swatch, kind.color);
        canvas.frame(swatch, colors.text, 1);
        canvas.write(swatch, {kind.letter, Face::strong, 20, inkOn(kind.color)}, 0.5F);
        const std::string blocks =
            groupedDigits(kind.blocks) + (kind.blocks == 1 ? " block" : " blocks");
        const std::string wasted =
            kind.wasted == 0 ? "no thread wasted"
                             : groupedDigits(kind.wasted) + " of " +
                                   groupedDigits(kind.blocks * plan.block.count()) + " wasted";
        canvas.writeFirst(
            {left + 46, top, left + width - 8, top + 24},
            {{kind.name + ": " + blocks + ", " + wasted, Face::words, size::name, colors.text},
             {kind.name + ": " + blocks + ", " + wasted, Face::words, size::smallest, colors.text},
             {kind.name + ": " + blocks, Face::words, size::smallest, colors.text}});
    }
    return rows * pitch + 12;
}

/// One block by warp, its wasted threads hatched: the one asked for, or the last, which sticks out
/// on both sides.
void drawOneBlock(Canvas& canvas, const Subject& subject, const Box& room) {
    const Extents grid = subject.view.experiment.launch.grid;
    Subject one = subject;
    if (one.view.block == Index3{}) one.view.block = {grid.x - 1, grid.y - 1, 0};
    const std::string name = "block (" + std::to_string(one.view.block.x) + ", " +
                             std::to_string(one.view.block.y) + ")";
    const drawing::ColorRoles& colors = canvas.colors();
    const Box title{room.left, room.top, room.right, room.top + size::smallest};
    if (!canvas.writeFirst(
            title,
            {{name + " by warp, wasted threads hatched", Face::words, size::smallest, colors.text},
             {name + " by warp", Face::words, size::smallest, colors.text}})) {
        return;
    }
    drawBlock(canvas, one, {room.left, title.bottom + 8, room.right, room.bottom});
}

}  // namespace

std::string coverageStatement(const Subject& subject) {
    const Plan plan = planOf(subject, styleOf(Theme::light));
    const std::uint64_t across = std::uint64_t{plan.grid.x} * plan.block.x;
    const std::uint64_t down = std::uint64_t{plan.grid.y} * plan.block.y;
    const Experiment& experiment = subject.view.experiment;
    const Kernel& kernel = kernelOf(experiment);
    const ProblemShare share = shareOf(kernel, experiment.arguments, experiment.launch);
    const std::string& noun = kernel.elementNoun;
    return times(across, down) + " threads over " + times(plan.work.x, plan.work.y) +
           (noun.empty() ? " elements: " : ' ' + noun + "s: ") +
           (share.outside == 0 ? std::string("every thread has one")
                               : groupedDigits(share.outside) + " without " +
                                     (noun.empty() ? "one" : "a " + noun)) +
           (share.times > 1 ? ", each done " + groupedDigits(share.times) + " times" : "");
}

void drawCoverage(Canvas& canvas, const Subject& subject, const Box& whole) {
    const Plan plan = planOf(subject, canvas.style());
    const drawing::ColorRoles& colors = canvas.colors();
    Box room = whole;
    room.bottom -= drawKinds(canvas, plan, room);
    const bool axes = room.width() > 300 && room.height() > 160;
    if (axes) {
        room.top += size::smallest + 4;
        room.left += 44;
        room.right -= 60;
        room.bottom -= size::smallest + 4;
    }
    const auto across = static_cast<double>(std::uint64_t{plan.grid.x} * plan.block.x);
    const auto down = static_cast<double>(std::uint64_t{plan.grid.y} * plan.block.y);
    const double pitch = std::min(room.width() / std::max<double>(across, plan.work.x),
                                  room.height() / std::max<double>(down, plan.work.y));
    const auto x = [&](double thread) { return room.left + static_cast<float>(thread * pitch); };
    const auto y = [&](double thread) { return room.top + static_cast<float>(thread * pitch); };

    const std::array<double, 3> columns{0, double(plan.wholeX) * plan.block.x, across};
    const std::array<double, 3> rows{0, double(plan.wholeY) * plan.block.y, down};
    for (std::size_t k = 0; k < 4; ++k) {
        const Box region{x(columns.at(k & 1)), y(rows.at(k >> 1)), x(columns.at((k & 1) + 1)),
                         y(rows.at((k >> 1) + 1))};
        if (plan.kinds.at(k).blocks > 0) canvas.fill(region, plan.kinds.at(k).color);
    }
    // Wasted threads: right of the problem, and below it.
    const auto workX = static_cast<double>(plan.work.x);
    const auto workY = static_cast<double>(plan.work.y);
    const Rgb stripes = colors.background;
    if (across > workX) {
        const Box right{x(workX), y(0), x(across), y(down)};
        canvas.fill(right, colors.text);
        canvas.hatch(right, stripes, 6);
    }
    if (down > workY) {
        const Box below{x(0), y(workY), x(std::min(across, workX)), y(down)};
        canvas.fill(below, colors.text);
        canvas.hatch(below, stripes, 6);
    }
    const auto grid = [&](double stepX, double stepY, Rgb color, float width, float opacity) {
        for (double at = 0; at <= across; at += stepX) {
            canvas.line({x(at), y(0)}, {x(at), y(down)}, color, width, opacity);
        }
        for (double at = 0; at <= down; at += stepY) {
            canvas.line({x(0), y(at)}, {x(across), y(at)}, color, width, opacity);
        }
    };
    if (pitch >= 4) grid(1, 1, colors.background, 0.6F, 0.55F);
    const float blockWidth = static_cast<float>(pitch * plan.block.x);
    const float blockHeight = static_cast<float>(pitch * plan.block.y);
    // Of small blocks no line covers the last column and row.
    const bool small = std::min(blockWidth, blockHeight) < 12;
    if (std::min(blockWidth, blockHeight) >= 5) {
        grid(plan.block.x, plan.block.y, colors.background, small ? 0.8F : 2, 1);
    }
    if (std::min(blockWidth, blockHeight) >= 26) {
        for (std::uint32_t by = 0; by < plan.grid.y; ++by) {
            for (std::uint32_t bx = 0; bx < plan.grid.x; ++bx) {
                const BlockKind& kind = plan.kinds.at(plan.kindAt(bx, by));
                const Box box{x(double(bx) * plan.block.x), y(double(by) * plan.block.y),
                              x(std::min(double(bx + 1) * plan.block.x,
                                         std::max(workX, double(bx) * plan.block.x))),
                              y(std::min(double(by + 1) * plan.block.y,
                                         std::max(workY, double(by) * plan.block.y)))};
                canvas.write(
                    box,
                    {kind.letter, Face::strong,
                     std::clamp(blockHeight * 0.4F, size::smallest, 40.0F), inkOn(kind.color)},
                    0.5F);
            }
        }
    }
    const float edge = small ? 1.2F : 4;
    canvas.frame({x(0) - 0.75F * edge, y(0) - 0.75F * edge, x(workX) + 0.375F * edge,
                  y(workY) + 0.375F * edge},
                 canvas.style().print ? colors.text : colors.accent, edge);
    if (!axes) return;
    const Box right{x(std::max(across, workX)) + 36, room.top - size::smallest - 6, whole.right,
                    room.bottom};
    if (right.width() >= 200) drawOneBlock(canvas, subject, right);
    const auto tick = [&](Box box, std::string words, float align, Rgb color) {
        canvas.write(box, {std::move(words), Face::words, size::smallest, color}, align);
    };
    const float above = room.top - size::smallest - 6;
    const Rgb outline = canvas.style().print ? colors.text : colors.accent;
    tick({room.left, above, x(workX), above + size::smallest},
         "problem " + times(plan.work.x, plan.work.y), 0, outline);
    tick({room.left, y(std::max(down, workY)) + 5, x(std::max(across, workX)),
          y(std::max(down, workY)) + 5 + size::smallest},
         "grid " + times(plan.grid.x, plan.grid.y) + " blocks, " +
             times(static_cast<std::uint64_t>(across), static_cast<std::uint64_t>(down)) +
             " threads",
         0, colors.text);
}

std::string gridStatement(const Subject& subject) {
    return counted(subject.view.experiment.launch.grid.count(), "block") +
           ", in the order of their rank";
}

void drawGrid(Canvas& canvas, const Subject& subject, const Box& whole) {
    const std::uint64_t blocks = subject.view.experiment.launch.grid.count();
    constexpr float gutter = 76;
    constexpr std::uint64_t most = 1 << 14;  // more could not be told apart
    const Box room{whole.left + gutter, whole.top + 8, whole.right, whole.bottom};
    if (blocks > most || room.width() < 100 || room.height() < 60) return;
    const auto columns = static_cast<std::uint64_t>(
        8 * std::ceil(std::sqrt(static_cast<float>(blocks) * room.width() / room.height()) / 8));
    const std::uint64_t rows = (blocks + columns - 1) / columns;
    const float cell = std::min({room.width() / static_cast<float>(columns),
                                 room.height() / static_cast<float>(rows), 48.0F});
    for (std::uint64_t rank = 0; rank < blocks; ++rank) {
        const float left = room.left + cell * static_cast<float>(rank % columns);
        const float top = room.top + cell * static_cast<float>(rank / columns);
        canvas.fill({left, top, left + 0.86F * cell, top + 0.86F * cell}, canvas.style().first);
        if (rank % columns != 0) continue;
        const float middle = top + cell / 2;
        const float half = size::smallestNumber / 2;
        canvas.write(
            {whole.left, middle - half, room.left - 10, middle + half},
            {groupedDigits(rank), Face::numbers, size::smallestNumber, canvas.colors().muted}, 1);
    }
}

}  // namespace warplens::figure
