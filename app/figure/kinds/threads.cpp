#include <cmath>

#include "app/drawing/elements.h"
#include "app/drawing/warp_memory.h"
#include "app/figure/kinds/kind.h"
#include "core/text/format.h"

namespace warplens::figure {
namespace {

/// Capitals and digits are so much lower than their line.
constexpr float capitalShare = 0.6F;

std::string digits(std::uint64_t value) {
    return std::to_string(value);
}

/// A layout on the page. Low cells are drawn wider than high, where there is room, to hold a
/// number.
struct Placed final {
    BlockLayout layout;
    Point origin;
    float stretch = 1;

    [[nodiscard]] Point at(Point corner) const {
        return {origin.x + corner.x * stretch, origin.y + corner.y};
    }
};

/// Of the axes' numbers, which are read from the last row.
constexpr float axisText = size::launch;

/// How the numbers of threads stand in their cells.
struct Numbering final {
    float size = 0;
    std::uint32_t every = 1;  ///< in each so manieth cell of a row
    bool both = false;        ///< with the second of cellWords
    bool byWarp = false;      ///< once for each warp
};

/// Numbers of warps have their ranks below: the axes say the coordinates.
CellWords wordsOf(const Subject& subject, std::uint32_t rank) {
    const View& view = subject.view;
    CellWords words =
        cellWords(view, view.block, threadIndexInBlock({rank}, view.experiment.launch.block));
    if (view.numbers == CellNumbers::warp) words.second = digits(rank);
    return words;
}

Numbering numberingOf(const Canvas& canvas, const Subject& subject, const Placed& placed) {
    const float high = placed.layout.cell;
    const float wide = high * placed.stretch;
    if (subject.view.numbers == CellNumbers::warp && std::min(high, wide) < 30)
        return {.byWarp = true};
    float first = 0;
    float second = 0;
    for (std::uint32_t rank = 0; rank < subject.view.experiment.launch.block.count(); ++rank) {
        const CellWords words = wordsOf(subject, rank);
        first = std::max(first, canvas.width({words.first, Face::strong, 1}));
        second = std::max(second, canvas.width({words.second, Face::numbers, 1}));
    }
    Numbering numbering{
        .size = std::clamp(std::min(high * 0.46F, 0.92F * wide / first), size::smallest, 46.0F),
        .both = high >= 52 && second > 0 && second * size::smallestNumber <= wide};
    while (first * numbering.size + 2 > wide * static_cast<float>(numbering.every))
        numbering.every *= 2;
    numbering.both = numbering.both && numbering.every == 1;
    return numbering;
}

/// What they are.
std::string toText(const Numbering& numbering, CellNumbers numbers, float cell) {
    if (numbering.byWarp) return cell < size::smallest ? "in the rows: their warps" : "";
    constexpr std::array<std::array<const char*, 2>, 4> names{
        {{"its warp", "its rank"},
         {"the coordinates of its thread", ""},
         {"its rank", "its lane"},
         {"the element it writes", "its row and column"}}};
    const auto& [first, second] = names.at(static_cast<std::size_t>(numbers));
    const std::string where = numbering.every == 1 ? "in each cell: "
                              : numbering.every == 2
                                  ? "in every second cell: "
                                  : "in every " + digits(numbering.every) + "th cell: ";
    return where + first + (numbering.both ? std::string(", and ") + second + " below" : "");
}

/// The block's threads as cells.
class Cells final {
  public:
    Cells(Canvas& canvas, const Subject& subject, const Placed& placed)
        : canvas_(canvas),
          subject_(subject),
          block_(subject.view.experiment.launch.block),
          layout_(placed.layout),
          placed_(placed) {}

    /// With the legend's example of a thread.
    void mark(std::uint32_t rank) {
        const Box cell = cellOf(rank);
        if (layout_.cell < 20) return canvas_.frame(cell, canvas_.colors().text, 3);
        constexpr float inset = 2;
        const Box inner{cell.left + inset, cell.top + inset, cell.right - inset,
                        cell.bottom - inset};
        canvas_.frame(inner, canvas_.colors().background, 5);
        canvas_.frame(inner, canvas_.colors().text, 3);
    }

    void draw() {
        const WastedMask wasted =
            wastedMask(blockGuard(subject_.view.experiment), subject_.view.block);
        const auto threads = static_cast<std::uint32_t>(block_.count());
        for (std::uint32_t rank = 0; rank < threads; ++rank) {
            const WarpRank warp = warpRankInBlock({rank});
            const Box cell = cellOf(rank);
            const float gap = layout_.cell >= 12  ? layout_.cell * 0.03F
                              : layout_.cell >= 6 ? 0.25F
                                                  : 0.0F;
            const Box inner{cell.left + gap, cell.top + gap, cell.right - gap, cell.bottom - gap};
            canvas_.fill(inner, colorOf(warp), isDimmed(warp) ? 0.3F : 1.0F);
            if ((wasted.at(warp.value) >> laneIndex({rank}).value & 1) != 0) {
                canvas_.hatch(inner, inkOn(colorOf(warp)),
                              std::clamp(layout_.cell / 3, 4.0F, 8.0F));
            }
        }
        for (std::uint32_t rank = 0; rank < threads; ++rank) drawBorders(rank);
        const Numbering numbering = numberingOf(canvas_, subject_, placed_);
        if (numbering.byWarp) {
            for (std::uint32_t w = 0; w < warpCountPerBlock(block_); ++w) label(WarpRank{w});
        } else {
            for (std::uint32_t rank = 0; rank < threads; ++rank) label(rank, numbering);
        }
    }

  private:
    [[nodiscard]] Box cellOf(std::uint32_t rank) const {
        const Point corner = placed_.at(cornerOf(layout_, threadIndexInBlock({rank}, block_)));
        return {corner.x, corner.y, corner.x + layout_.cell * placed_.stretch,
                corner.y + layout_.cell};
    }

    /// Lines where the warp changes, and around the tile: without colour they still tell the warps
    /// apart.
    void drawBorders(std::uint32_t rank) {
        const Index3 thread = threadIndexInBlock({rank}, block_);
        const Box cell = cellOf(rank);
        const float width = std::clamp(layout_.cell / 12, 1.0F, 2.5F);
        const Rgb ink = canvas_.colors().text;
        const auto differs = [&](Index3 other) {
            return warpRankInBlock(threadRankInBlock(other, block_)) != warpRankInBlock({rank});
        };
        const bool endX = thread.x + 1 == block_.x || (thread.x + 1) % layout_.tileWidth == 0;
        const bool endY = thread.y + 1 == block_.y || (thread.y + 1) % layout_.tileHeight == 0;
        if (endX || differs({thread.x + 1, thread.y, thread.z})) {
            canvas_.line({cell.right, cell.top}, {cell.right, cell.bottom}, ink, width);
        }
        if (endY || differs({thread.x, thread.y + 1, thread.z})) {
            canvas_.line({cell.left, cell.bottom}, {cell.right, cell.bottom}, ink, width);
        }
        if (thread.x % layout_.tileWidth == 0) {
            canvas_.line({cell.left, cell.top}, {cell.left, cell.bottom}, ink, width);
        }
        if (thread.y % layout_.tileHeight == 0) {
            canvas_.line({cell.left, cell.top}, {cell.right, cell.top}, ink, width);
        }
    }

    [[nodiscard]] bool isDimmed(WarpRank warp) const {
        return subject_.view.warp && *subject_.view.warp != warp;
    }
    [[nodiscard]] Rgb inkOf(WarpRank warp) const {
        return isDimmed(warp) ? canvas_.colors().muted : inkOn(colorOf(warp));
    }

    void label(std::uint32_t rank, const Numbering& numbering) {
        const Index3 thread = threadIndexInBlock({rank}, block_);
        if (thread.x % layout_.tileWidth % numbering.every != 0) return;
        const auto [first, second] = wordsOf(subject_, rank);
        const Rgb ink = inkOf(warpRankInBlock({rank}));
        Box cell = cellOf(rank);
        if (numbering.every > 1) {
            // Over the cells up to the next number; digits may fill a row lower than their line.
            const float extra = std::max(0.0F, numbering.size - layout_.cell) / 2 + 0.1F;
            cell.right += (cell.right - cell.left) * static_cast<float>(numbering.every - 1);
            const Words number{first, Face::strong, numbering.size, ink};
            const Box place{cell.left + 2, cell.top - extra, cell.right, cell.bottom + extra};
            // No line of a cell goes through it.
            if (!isDimmed(warpRankInBlock({rank})))
                canvas_.fill({place.left, cell.top + 1, place.left + canvas_.width(number) + 1,
                              cell.bottom - 1},
                             colorOf(warpRankInBlock({rank})));
            canvas_.write(place, number);
            return;
        }
        const float inset = std::max(2.0F, 0.08F * layout_.cell);
        const float middle =
            numbering.both ? cell.bottom - size::smallestNumber - inset : cell.bottom;
        canvas_.write({cell.left, cell.top, cell.right, middle},
                      {first, Face::strong, numbering.size, ink}, 0.5F);
        if (numbering.both)
            canvas_.write({cell.left, middle, cell.right, cell.bottom - inset},
                          {second, Face::numbers, size::smallestNumber, ink}, 0.5F);
    }

    /// A warp's number once, over those of its threads that lie together.
    void label(WarpRank warp) {
        const Box room = largestRun(warp);
        const float lowest = size::smallest * capitalShare;
        Words number{"warp " + digits(warp.value), Face::strong,
                     std::clamp(room.height(), size::smallest, 30.0F), inkOf(warp)};
        // In a low row a descender would be cut off.
        const bool isLow = room.height() < number.size;
        if (isLow || room.width() < canvas_.width(number) + 12) number.words = digits(warp.value);
        if (room.height() < lowest || room.width() < canvas_.width(number) + 2) return;
        // No line of a cell goes through it.
        const float half = canvas_.width(number) / 2 + 3;
        const float middle = (room.left + room.right) / 2;
        if (!isLow && !isDimmed(warp) && room.width() > 2 * half + 2) {
            canvas_.fill({middle - half, room.top + 1, middle + half, room.bottom - 1},
                         colorOf(warp));
        }
        // Digits have no descenders: they may fill a row lower than their line. Neighbours' numbers
        // keep out of one another's way by standing side by side.
        const float extra = std::max(0.0F, number.size - room.height()) / 2 + 0.1F;
        for (const float at : {0.5F, 0.25F, 0.75F, 0.1F, 0.9F}) {
            const Box place{room.left, room.top - extra, room.right, room.bottom + extra};
            if (canvas_.write(place, number, at)) return;
        }
    }

    /// The largest rectangle of the warp's cells that begins at the left end of a run of them.
    [[nodiscard]] Box largestRun(WarpRank warp) const {
        const std::uint32_t first = firstThreadOfWarp(warp).value;
        const std::uint32_t end = first + threadCountInWarp(warp, block_);
        Box best;
        std::vector<Box> runs;
        for (std::uint32_t rank = first; rank < end; ++rank) {
            const Box cell = cellOf(rank);
            if (!runs.empty() && runs.back().top == cell.top &&
                std::abs(runs.back().right - cell.left) < 0.5F) {
                runs.back().right = cell.right;
            } else {
                runs.push_back(cell);
            }
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            Box grown = runs[i];
            for (std::size_t j = i; j < runs.size(); ++j) {
                if (j > i && (std::abs(runs[j].left - grown.left) > 0.5F ||
                              std::abs(runs[j].right - grown.right) > 0.5F ||
                              std::abs(runs[j].top - grown.bottom) > 0.5F)) {
                    break;
                }
                grown.bottom = runs[j].bottom;
                const float merit =
                    std::min(grown.height(), 30.0F) * std::min(grown.width(), 60.0F);
                if (merit > std::min(best.height(), 30.0F) * std::min(best.width(), 60.0F)) {
                    best = grown;
                }
            }
        }
        return best;
    }

    Canvas& canvas_;
    const Subject& subject_;
    Extents block_;
    const BlockLayout& layout_;
    const Placed& placed_;
};

/// Cells as large as there is room, wider or higher than square where that fills it.
Placed placedIn(Extents block, const Box& room, float gapX, float gapY) {
    constexpr float largest = 104;
    Placed placed{layOutBlock(block, room.width(), room.height(), gapX, gapY, largest),
                  {room.left, room.top}};
    BlockLayout& layout = placed.layout;
    // Whole units keep the lines between cells equally wide.
    if (layout.cell < largest / 2) {
        const float stretch = std::clamp(room.width() / layout.width(), 1.0F, 2.6F);
        placed.stretch = std::floor(layout.cell * stretch) / layout.cell;
    }
    const auto down = static_cast<float>(layout.rows());
    const float spare = room.height() - gapY * (down - 1);
    const float high = std::floor(std::min(
        {1.6F * layout.cell, largest, spare / (down * static_cast<float>(layout.tileHeight))}));
    if (block.y > 1 && layout.cell >= 20 && placed.stretch == 1 && high > layout.cell) {
        placed.stretch = layout.cell / high;
        layout.cell = high;
    }
    return placed;
}

/// The numbers of the axes beside the tiles, and the slice above each.
void drawAxes(Canvas& canvas, const Subject& subject, const Placed& placed, float header,
              float gutter) {
    const BlockLayout& layout = placed.layout;
    const float cellWidth = layout.cell * placed.stretch;
    const Extents block = subject.view.experiment.launch.block;
    const drawing::ColorRoles& colors = canvas.colors();
    const auto tick = [&](std::uint32_t value) {
        return Words{digits(value), Face::numbers, axisText, colors.text};
    };
    const bool folded = block.y == 1 && block.z == 1 && layout.tilesX > 1;
    for (std::uint32_t tile = 0; tile < layout.tileCount(); ++tile) {
        const Index3 first = firstThreadOfTile(layout, tile);
        const auto [left, top] = placed.at(cornerOfTile(layout, tile));
        const std::uint32_t width = std::min(layout.tileWidth, block.x - first.x);
        const std::uint32_t height = std::min(layout.tileHeight, block.y - first.y);
        const float right = left + static_cast<float>(width) * cellWidth;
        if (block.z > 1) {
            const float line = size::smallest;
            const Box above{left, top - header, right, top - header + line};
            canvas.writeFirst(above,
                              {{"threadIdx.z = " + digits(first.z), Face::words, line, colors.text},
                               {"z = " + digits(first.z), Face::words, line, colors.text},
                               {digits(first.z), Face::words, line, colors.text}});
        }
        // The first and the last of each axis, and what fits between.
        if (!folded || tile == 0) {
            const float half = std::max(cellWidth, 40.0F) / 2;
            // Numbers of warps may stand out of the first row.
            const float lift = layout.cell < size::smallest ? 7.0F : 3.0F;
            const auto across = [&](std::uint32_t x) {
                const float middle = left + (static_cast<float>(x) + 0.5F) * cellWidth;
                canvas.write({middle - half, top - axisText - lift, middle + half, top - lift},
                             tick(folded ? x : first.x + x), 0.5F);
            };
            across(0);
            across(width - 1);
            const std::uint32_t step = cellWidth >= 30 ? 1 : 8;
            for (std::uint32_t x = step; x + 1 < width; x += step) across(x);
        }
        if (tile % layout.columns == 0) {
            const auto down = [&](std::uint32_t y) {
                const float middle = top + (static_cast<float>(y) + 0.5F) * layout.cell;
                const float half = axisText / 2 + 0.1F;
                canvas.write({left - gutter, middle - half, left - 8, middle + half},
                             tick(folded ? first.x : first.y + y), 1);
            };
            if (folded || block.y > 1) {
                down(0);
                down(height - 1);
                const std::uint32_t step = layout.cell >= axisText + 2 ? 1 : 8;
                for (std::uint32_t y = step; y + 1 < height; y += step) down(y);
            }
        }
    }
}

/// Each warp's 32 lanes, those without a thread hollow. Returns the height it takes.
float drawLanes(Canvas& canvas, const Subject& subject, const Box& room) {
    const Extents block = subject.view.experiment.launch.block;
    const std::uint32_t warps = warpCountPerBlock(block);
    const drawing::ColorRoles& colors = canvas.colors();
    constexpr float pitch = 24;
    const float most = room.height() * 0.4F;
    std::uint32_t from = 0;
    if (static_cast<float>(warps) * pitch > most) {
        // All of them would take the room of the threads: the one that differs will do.
        if (idleLaneCount(block) == 0 || pitch > most) return 0;
        from = warps - 1;
    }
    const float name = 84;
    const float words = 150;
    const float cell = std::floor(
        std::min(22.0F, (room.width() - name - words) / static_cast<float>(lanesPerWarp)));
    if (cell < 7) return 0;
    const float height = static_cast<float>(warps - from) * pitch + size::smallestNumber + 3;
    float top = room.bottom - height;
    const float left = room.left + name;
    drawLaneNumbers(canvas, room.left, left, top, cell);
    top += size::smallestNumber + 3;
    for (std::uint32_t w = from; w < warps; ++w, top += pitch) {
        const std::uint32_t threads = threadCountInWarp({w}, block);
        canvas.write({room.left, top, left, top + pitch - 4},
                     {"warp " + digits(w), Face::words, size::smallest, colors.text});
        drawing::Items lanes;
        drawing::drawLanes({w}, block, {left + 0.5F, top, left + cell - 0.5F, top + pitch - 4},
                           cell, {colors.background, colors.faint, 1.2F}, lanes);
        canvas.add(std::move(lanes), room);
        const std::uint32_t first = firstThreadOfWarp({w}).value;
        const std::string range = digits(first) + "–" + digits(first + threads - 1);
        const Box beside{left + cell * lanesPerWarp + 12, top, room.right, top + pitch - 4};
        canvas.writeFirst(beside, {{"threads " + range, Face::words, size::smallest, colors.muted},
                                   {range, Face::words, size::smallest, colors.muted}});
    }
    return height;
}

std::uint32_t exampleRank(const View& view) {
    const Extents block = view.experiment.launch.block;
    if (view.warp && view.warp->value < warpCountPerBlock(block))
        return firstThreadOfWarp(*view.warp).value;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(block.count() - 1, 53));
}

std::string formulaOf(Extents block) {
    std::string rank = "rank = x";
    if (block.y > 1 || block.z > 1) rank += " + y·" + digits(block.x);
    if (block.z > 1) rank += " + z·" + digits(std::uint64_t{block.x} * block.y);
    return rank + "    warp = rank / 32    lane = rank % 32";
}

}  // namespace

void drawLaneNumbers(Canvas& canvas, float from, float left, float top, float cell) {
    const Rgb color = canvas.colors().muted;
    for (const std::uint32_t lane : {0u, 31u, 8u, 16u, 24u}) {
        const float middle = left + (static_cast<float>(lane) + 0.5F) * cell;
        canvas.write({middle - 14, top, middle + 14, top + size::smallestNumber},
                     {digits(lane), Face::numbers, size::smallestNumber, color}, 0.5F);
    }
    canvas.write({from, top, left - 10, top + size::smallestNumber},
                 {"lane", Face::words, size::smallest, color});
}

std::string threadsStatement(const Subject& subject) {
    const Extents block = subject.view.experiment.launch.block;
    const std::uint32_t warps = warpCountPerBlock(block);
    const std::uint64_t threads = block.count();
    std::string words = groupedDigits(threads) + (threads == 1 ? " thread is " : " threads are ") +
                        digits(warps) + (warps == 1 ? " warp" : " warps");
    if (idleLaneCount(block) == 0) return words + ", every lane with a thread";
    return words + (warps == 1 ? ", " : ", the last ") + "with " +
           digits(lanesPerWarp - idleLaneCount(block)) + " of 32 lanes";
}

Number threadExample(const Subject& subject) {
    const Extents block = subject.view.experiment.launch.block;
    const std::uint32_t rank = exampleRank(subject.view);
    const Index3 thread = threadIndexInBlock({rank}, block);
    const bool isDeep = block.z > 1;
    std::string name = "Thread x = " + digits(thread.x);
    std::string sum = digits(thread.x);
    if (isDeep || block.y > 1) {
        name += ", y = " + digits(thread.y);
        sum += " + " + digits(thread.y) + "·" + digits(block.x);
    }
    if (isDeep) {
        name += ", z = " + digits(thread.z);
        sum += " + " + digits(thread.z) + "·" + digits(std::uint64_t{block.x} * block.y);
    }
    const std::string found = digits(rank);
    return {.name = std::move(name),
            .lines = {{"rank " + found, sum == found ? "" : "= " + sum},
                      {"warp " + digits(rank / lanesPerWarp), "= " + found + " / 32"},
                      {"lane " + digits(rank % lanesPerWarp), "= " + found + " % 32"}}};
}

void drawThreads(Canvas& canvas, const Subject& subject, const Box& whole) {
    Box room = whole;
    const Extents block = subject.view.experiment.launch.block;
    const drawing::ColorRoles& colors = canvas.colors();
    const bool spacious = room.height() > 240 && room.width() > 300;
    if (spacious) {
        // The rule is what the picture is of.
        for (const float size : {size::statement, size::launch, 24.0F, size::smallestNumber}) {
            if (!canvas.write({room.left, room.bottom - size, room.right, room.bottom},
                              {formulaOf(block), Face::numbers, size, colors.text}))
                continue;
            room.bottom -= size + 12;
            break;
        }
        const float lanes = drawLanes(canvas, subject, room);
        if (lanes > 0) room.bottom -= lanes + 16;
    }
    const float header = (block.z > 1 ? size::smallest + 4 : 0) + axisText + 7;
    const float gutter = block.y > 1 || block.x > lanesPerWarp ? 52.0F : 8.0F;
    const bool axes = room.height() > 120 && room.width() > 160;
    const float gapX = block.z > 1 ? 26.0F : 14.0F;
    const float gapY = axes ? header + 8 : 8;
    if (axes) {
        std::string names = "threadIdx.x →";
        if (block.y > 1) names += "    threadIdx.y ↓";
        if (block.z > 1) names += "    threadIdx.z: one slice each";
        const Box line{room.left, room.top, room.right, room.top + size::sentence};
        const Box below{room.left + gutter, line.bottom + 3 + header, room.right, room.bottom};
        std::string all = names;
        const Placed cells = placedIn(block, below, gapX, gapY);
        addWords(
            all, "    ",
            toText(numberingOf(canvas, subject, cells), subject.view.numbers, cells.layout.cell));
        if (canvas.writeFirst(line, {{all, Face::words, size::sentence, colors.text},
                                     {all, Face::words, size::smallest, colors.text},
                                     {names, Face::words, size::sentence, colors.text},
                                     {names, Face::words, size::smallest, colors.text},
                                     {"x →   y ↓", Face::words, size::smallest, colors.text}})) {
            room.top += size::sentence + 3;
        }
        room.top += header;
        room.left += gutter;
    }
    const Placed placed = placedIn(block, room, gapX, gapY);
    const BlockLayout& layout = placed.layout;
    if (layout.width() * placed.stretch > room.width() + 1 || layout.height() > room.height() + 1)
        return;
    Cells cells(canvas, subject, placed);
    if (axes) drawAxes(canvas, subject, placed, header, gutter);
    cells.draw();
    if (subject.tellsExample) cells.mark(exampleRank(subject.view));
}

void drawBlock(Canvas& canvas, const Subject& subject, const Box& room) {
    const BlockLayout layout =
        layOutBlock(subject.view.experiment.launch.block, room.width(), room.height(), 12, 12, 40);
    if (layout.width() > room.width() + 1 || layout.height() > room.height() + 1) return;
    const Placed placed{layout, {room.left, room.top}};
    Cells(canvas, subject, placed).draw();
}

}  // namespace warplens::figure
