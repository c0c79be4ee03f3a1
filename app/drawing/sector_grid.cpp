#include <cmath>

#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// Whether a number has room between the bytes' two ends.
bool hasRoom(const MemoryDrawing& drawing, const Run& run, const Box& bytes) {
    return drawing.widthOf(lanesShort(run.lanes), drawing.numberSize()) + drawing.u(1) <=
           bytes.width();
}

/// Room for a number behind the run's bytes, or before them, among bytes that no lane asks for; of
/// no width where there is none.
Box plateBeside(const MemoryDrawing& drawing, const Sector& sector, const Box& box, std::size_t run,
                float width) {
    const float least = width + drawing.u(2);
    const float most = width + drawing.u(6);
    Box plate = plateFor(drawing, box, 0, 0, drawing.numberSize());
    const Box behind = freeBox(drawing, box, sector.runs, run + 1);
    const Box before = freeBox(drawing, box, sector.runs, run - 1);  // of the first there is none
    const float leastBefore = run > 1 ? 2 * most : least;
    const bool roomyBefore = before.width() >= std::max(leastBefore, most);
    if (behind.width() >= (roomyBefore ? most : least)) {
        plate.left = behind.left;
        plate.right = std::min(behind.right, behind.left + most);
    } else if (before.width() >= leastBefore) {
        plate.left = std::max(before.left, before.right - most);
        plate.right = before.right;
    }
    return plate;
}

}  // namespace

void drawSectorBox(MemoryDrawing& drawing, const Sector& sector, const Box& box, bool beside) {
    const ColorRoles& colors = drawing.area.colors;
    drawing.add(Fill{box, colors.raised});
    for (const Run& run : sector.runs) {
        if (run.lanes == 0) drawing.add(Hatch{runBox(box, run), colors.muted, drawing.u(7)});
    }
    for (std::size_t i = 0; i < sector.runs.size(); ++i) {
        const std::uint32_t lanes = sector.runs[i].lanes;
        if (lanes == 0) continue;
        drawing.add(Fill{markOf(drawing, box, sector.runs, i), drawing.colorOfLanes(lanes)});
    }
    const float size = drawing.numberSize();
    for (std::size_t i = 0; i < sector.runs.size(); ++i) {
        const Run& run = sector.runs[i];
        if (run.lanes == 0) continue;
        const Box bytes = runBox(box, run);
        const std::string name = lanesShort(run.lanes);
        const float width = drawing.widthOf(name, size);
        const float tall = std::min(size, box.height() - drawing.u(2));
        const Rgb color = drawing.colorOfLanes(run.lanes);
        const Box plate = plateBeside(drawing, sector, box, i, width);
        const bool isBeside = plate.width() > 0;
        if (hasRoom(drawing, run, bytes) && tall >= size * 0.7F && !(beside && isBeside)) {
            drawing.label(bytes, name, size, inkOn(color));
            continue;
        }
        if (!isBeside) continue;
        drawing.add(Fill{plate, colors.raised});
        drawing.label(plate, name, size, colors.text);
    }
    drawing.add(Frame{box, colors.muted, drawing.u(1)});
}

namespace {

/// As many boxes side by side as let all lanes be named.
std::size_t boxColumns(const MemoryDrawing& drawing, const std::vector<Sector>& sectors,
                       float gap) {
    const float name = drawing.widthOf("00", drawing.numberSize()) + drawing.u(1.2F);
    std::size_t asked = 0;
    for (const Sector& sector : sectors) {
        asked = std::max(asked, static_cast<std::size_t>(std::ranges::count_if(
                                    sector.runs, [](const Run& run) { return run.lanes != 0; })));
    }
    for (const std::size_t columns : {8U, 4U, 3U, 2U, 1U}) {
        if (columns == 1 && sectors.size() > 4) continue;
        if (columns == 8 && sectors.size() <= 16) continue;
        if (columns == 3 && sectors.size() == 4) continue;  // two by two
        const auto count = static_cast<float>(columns);
        const float each = (drawing.area.box.width() - gap * (count - 1)) / count;
        const float value = each * static_cast<float>(drawing.step.bytes) / bytesPerSector;
        if (value >= name || (asked == 1 && each - value >= name)) return columns;
    }
    return std::min<std::size_t>(sectors.size(), sectors.size() <= 16 ? 4 : 8);
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

}  // namespace

Items prepareSectorGrid(const WarpTrace& trace, std::size_t step, const DrawArea& area) {
    MemoryDrawing drawing{.trace = trace, .step = trace.steps.at(step), .area = area};
    const Box& box = area.box;
    const std::vector<Sector> sectors = sectorsOf(drawing.step);
    drawing.strip = {box.left, box.top, box.right, box.top + std::round(drawing.u(21))};
    if (box.width() > drawing.u(260)) nameRow(drawing, "lane");
    drawLanes(drawing);
    const float gap = drawing.u(9);
    const std::size_t columns = boxColumns(drawing, sectors, gap);
    const std::size_t rows = (sectors.size() + columns - 1) / columns;
    const float address = drawing.numberSize() + drawing.u(4);
    const float top = drawing.strip.bottom + drawing.u(16);
    drawHatchLegend(drawing, sectors);
    const auto pitchIn = [&](float bottom) {
        return std::min((bottom - top + gap) / static_cast<float>(rows), drawing.u(72) + address);
    };
    const bool addressed = pitchIn(box.bottom) - gap - address >= drawing.u(14);
    // Where rows have no room for addresses there is one line of them below all.
    const float pitch = pitchIn(addressed ? box.bottom : box.bottom - address);
    const auto addressOf = [&](const Sector& sector) {
        return "byte " + groupedDigits(sector.index * bytesPerSector);
    };
    const float size = drawing.numberSize();
    const float height = std::max(drawing.u(5), pitch - gap - (addressed ? address : 0));
    const float each =
        (box.width() - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    // Where one has no room the first of each row stands for it.
    const bool all = std::ranges::all_of(sectors, [&](const Sector& sector) {
        return drawing.widthOf(addressOf(sector), size) <= each;
    });
    // All numbers of a picture stand alike.
    const bool beside = !std::ranges::all_of(sectors, [&](const Sector& sector) {
        return std::ranges::all_of(sector.runs, [&](const Run& run) {
            return run.lanes == 0 || hasRoom(drawing, run, runBox({0, 0, each, height}, run));
        });
    });
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        const float left = box.left + (each + gap) * static_cast<float>(i % columns);
        const float y = top + pitch * static_cast<float>(i / columns);
        drawSectorBox(drawing, sectors[i], {left, y, left + each, y + height}, beside);
        if (!addressed || (!all && i % columns != 0)) continue;
        drawing.add(Text({left, y + height + drawing.u(3)}, addressOf(sectors[i]), Face::numbers,
                         size, area.colors.muted));
    }
    if (!addressed) addBytes(drawing, sectors, {box.left, box.bottom - size}, size);
    return std::move(drawing.result.items);
}

}  // namespace warplens::drawing
