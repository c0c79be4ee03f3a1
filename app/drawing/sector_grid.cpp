#include <bit>
#include <cmath>

#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// Whether in boxes so wide all lanes can be named over bytes behind theirs, or over all of them.
bool canNameBeside(const MemoryDrawing& drawing, const std::vector<Sector>& sectors, float each) {
    const auto fits = [&](const std::string& names, std::uint32_t bytes) {
        return drawing.widthOf(names, drawing.numberSize()) + drawing.u(3) <=
               each * static_cast<float>(bytes) / bytesPerSector;
    };
    return std::ranges::all_of(sectors, [&](const Sector& sector) {
        std::string names;
        for (const Run& run : sector.runs) {
            if (run.lanes == 0 && !names.empty() &&
                !fits(std::exchange(names, {}), run.end - run.begin))
                return false;
            if (run.lanes != 0) addWords(names, " ", lanesShort(run.lanes));
        }
        const bool isFull = std::ranges::count(sector.runs, 0U, &Run::lanes) == 0;
        return names.empty() || (isFull && fits(lanesShort(sector.lanes), bytesPerSector));
    });
}

/// As many boxes side by side as let all lanes be named.
std::size_t boxColumns(const MemoryDrawing& drawing, const std::vector<Sector>& sectors,
                       float gap) {
    float name = drawing.widthOf("00", drawing.numberSize()) + drawing.u(1.2F);
    std::size_t asked = 0;
    for (const Sector& sector : sectors) {
        for (const Run& run : sector.runs) {
            const std::string lanes = "×" + std::to_string(std::popcount(run.lanes));
            if (std::popcount(run.lanes) > 1 && run.lanes != sector.lanes)
                name =
                    std::max(name, drawing.widthOf(lanes, drawing.numberSize()) + drawing.u(1.2F));
        }
        asked = std::max(asked, static_cast<std::size_t>(std::ranges::count_if(
                                    sector.runs, [](const Run& run) { return run.lanes != 0; })));
    }
    for (const std::size_t columns : {8U, 4U, 3U, 2U, 1U}) {
        if (columns == 1 && sectors.size() > 4) continue;
        if (columns == 8 && sectors.size() <= 16) continue;
        // Two by two, four by four.
        if (columns == 3 && sectors.size() == 4) continue;
        const auto eachOf = [&](float count) {
            return (drawing.area.box.width() - gap * (count - 1)) / count;
        };
        if (columns == 3 && sectors.size() == 16 && canNameBeside(drawing, sectors, eachOf(4)))
            break;
        const float each = eachOf(static_cast<float>(columns));
        const float value = each * static_cast<float>(drawing.step.bytes) / bytesPerSector;
        if (value >= name || (asked == 1 && each - value >= name)) return columns;
    }
    return std::min<std::size_t>(sectors.size(), sectors.size() <= 16 ? 4 : 8);
}

/// As few, and with them as wide boxes, as so many rows allow.
std::size_t columnsOf(std::size_t sectors, std::size_t rows) {
    for (const std::size_t columns : {1U, 2U, 3U, 4U})
        if (sectors <= columns * rows) return columns;
    return 8;
}

/// What hatched bytes are, at the right between the lanes and the boxes.
void drawHatchLegend(MemoryDrawing& drawing, const std::vector<Sector>& sectors) {
    const bool hatches = std::ranges::any_of(sectors, [](const Sector& sector) {
        return std::ranges::any_of(sector.runs, [](const Run& run) { return run.lanes == 0; });
    });
    if (!hatches) return;
    const bool writes = drawing.step.isStore() || drawing.step.isAtomic();
    const std::string words = writes ? "not written" : "fetched, not used";
    const ColorRoles& colors = drawing.area.colors;
    const float size = drawing.numberSize();
    const Point at{drawing.strip.right, drawing.strip.bottom + drawing.u(3)};
    const float left = at.x - drawing.widthOf(words, size, Face::words) - drawing.u(5);
    const Box sample{left - 2 * size, at.y, left, at.y + size};
    drawing.add(Fill{sample, colors.raised});
    drawing.add(Hatch{sample, colors.muted, drawing.u(7)});
    drawing.add(Frame{sample, colors.muted, drawing.u(1)});
    drawing.add(Text(at, words, Face::words, size, colors.muted, 1));
}

/// What the numbers of several lanes are, at the left of it.
void drawLanesLegend(MemoryDrawing& drawing, const std::vector<Sector>& sectors) {
    int most = 1;
    for (const Sector& sector : sectors)
        for (const Run& run : sector.runs)
            if (run.lanes != 0 && lanesShort(run.lanes).starts_with("×"))
                most = std::max(most, std::popcount(run.lanes));
    if (!drawing.step.isAtomic() || drawing.area.leastText == 0 || most == 1) return;
    const std::string number = std::to_string(most);
    drawing.add(Text({drawing.strip.left, drawing.strip.bottom + drawing.u(3)},
                     "×" + number + ": " + number + " lanes at one address", Face::words,
                     drawing.numberSize(), drawing.area.colors.muted, 0));
}

}  // namespace

Items prepareSectorGrid(const WarpTrace& trace, std::size_t step, const DrawArea& area,
                        std::size_t most) {
    MemoryDrawing drawing{.trace = trace, .step = trace.steps.at(step), .area = area};
    const Box& box = area.box;
    const std::vector<Sector> sectors = sectorsOf(drawing.step);
    drawing.strip = {box.left, box.top, box.right, box.top + std::round(drawing.u(21))};
    if (box.width() > drawing.u(260)) nameRow(drawing, "lane");
    drawLanes(drawing);
    if (sectors.empty()) return std::move(drawing.result.items);
    const float gap = drawing.u(9);
    const float address = drawing.numberSize() + drawing.u(4);
    const float top = drawing.strip.bottom + drawing.u(16);
    const std::size_t columns =
        most == 0 ? boxColumns(drawing, sectors, gap)
                  : columnsOf(most, static_cast<std::size_t>((box.bottom - top) / drawing.u(24)));
    const std::size_t rows = (std::max(most, sectors.size()) + columns - 1) / columns;
    drawHatchLegend(drawing, sectors);
    // Rows move together before the lanes' numbers lose their room.
    float between = gap;
    const auto pitchIn = [&](float bottom) {
        return std::min((bottom - top + between) / static_cast<float>(rows),
                        drawing.u(72) + address);
    };
    const bool addressed = pitchIn(box.bottom) - gap - address >= drawing.u(14);
    if (!addressed && pitchIn(box.bottom - address) - gap < drawing.numberSize() + drawing.u(3))
        between = drawing.u(3);
    // Where rows have no room for addresses there is one line of them below all.
    const float pitch = pitchIn(addressed ? box.bottom : box.bottom - address);
    const auto addressOf = [&](const Sector& sector) {
        return "byte " + groupedDigits(sector.index * bytesPerSector);
    };
    const float size = drawing.numberSize();
    const float height = std::max(drawing.u(5), pitch - between - (addressed ? address : 0));
    if (height >= drawing.numberSize()) drawLanesLegend(drawing, sectors);
    const float each =
        (box.width() - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    // Where one has no room the first of each row stands for it.
    const bool all = std::ranges::all_of(sectors, [&](const Sector& sector) {
        return drawing.widthOf(addressOf(sector), size) <= each;
    });
    const auto isNamed = [&](const Run& run) {
        const float width = each * static_cast<float>(run.end - run.begin) / bytesPerSector;
        return std::popcount(run.lanes) != 1 ||
               drawing.widthOf(lanesShort(run.lanes), size) <= width - drawing.u(1);
    };
    drawing.namesInside = area.leastText == 0 || !canNameBeside(drawing, sectors, each) ||
                          std::ranges::all_of(sectors, [&](const Sector& sector) {
                              return std::ranges::all_of(sector.runs, isNamed);
                          });
    drawing.namesBeside = area.leastText == 0 || !drawing.namesInside;
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        const float left = box.left + (each + gap) * static_cast<float>(i % columns);
        const float y = top + pitch * static_cast<float>(i / columns);
        drawSectorBox(drawing, sectors[i], {left, y, left + each, y + height}, drawing.u(7));
        if (!addressed || (!all && i % columns != 0)) continue;
        drawing.add(Text({left, y + height + drawing.u(3)}, addressOf(sectors[i]), Face::numbers,
                         size, area.colors.muted));
    }
    if (!addressed) {
        const float below = top + pitch * static_cast<float>((sectors.size() - 1) / columns) +
                            height + drawing.u(5);
        addBytes(drawing, sectors, {box.left, std::min(below, box.bottom - size)}, size);
    }
    return std::move(drawing.result.items);
}

}  // namespace warplens::drawing
