#include "app/drawing/sector_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/drawing/warp_memory_parts.h"
#include "core/access/warp_access.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// Lanes in the bytes that they ask for; where these are too narrow, beside them.
void drawSectorBox(MemoryDrawing& drawing, const Sector& sector, const Box& box) {
    const ColorRoles& colors = drawing.area.colors;
    drawing.add(Fill{box, colors.raised});
    for (const Run& run : sector.runs) {
        Box bytes = runBox(box, run);
        if (run.lanes == 0) {
            drawing.add(Hatch{bytes, colors.muted, drawing.u(7)});
            continue;
        }
        if (run.end != bytesPerSector) bytes.right -= drawing.u(1);
        drawing.add(Fill{bytes, drawing.colorOfLanes(run.lanes)});
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
        if (width + drawing.u(1) <= bytes.width() && tall >= size * 0.7F) {
            drawing.label(bytes, name, size, inkOn(color));
            continue;
        }
        const bool free = i + 1 < sector.runs.size() && sector.runs[i + 1].lanes == 0;
        if (!free) continue;
        const Box plate{bytes.right, box.top + drawing.u(2),
                        std::min(box.right, bytes.right + width + drawing.u(6)),
                        box.bottom - drawing.u(2)};
        if (plate.width() < width + drawing.u(2)) continue;
        drawing.add(Fill{plate, colors.raised});
        drawing.label(plate, name, size, colors.text);
    }
    drawing.add(Frame{box, colors.muted, drawing.u(1)});
}

/// As many boxes side by side as let all lanes be named.
std::size_t boxColumns(const MemoryDrawing& drawing, const std::vector<Sector>& sectors,
                       float gap) {
    const float name = drawing.widthOf("00", drawing.numberSize()) + drawing.u(1.2F);
    std::size_t asked = 0;
    for (const Sector& sector : sectors) {
        asked = std::max(asked, static_cast<std::size_t>(std::ranges::count_if(
                                    sector.runs, [](const Run& run) { return run.lanes != 0; })));
    }
    for (const std::size_t columns : {8U, 4U, 3U, 2U}) {
        if (columns == 8 && sectors.size() <= 16) continue;
        if (columns == 3 && sectors.size() == 4) continue;  // two by two
        const auto count = static_cast<float>(columns);
        const float each = (drawing.area.box.width() - gap * (count - 1)) / count;
        const float value = each * static_cast<float>(drawing.step.bytes) / bytesPerSector;
        if (value >= name || (asked == 1 && each - value >= name)) return columns;
    }
    return sectors.size() <= 16 ? 4 : 8;
}

}  // namespace

Items prepareSectorGrid(const WarpTrace& trace, std::size_t step, const DrawArea& area) {
    MemoryDrawing drawing{.trace = trace, .step = trace.steps.at(step), .area = area};
    const Box& box = area.box;
    const std::vector<Sector> sectors = sectorsOf(drawing.step);
    drawing.strip = {box.left, box.top, box.right, box.top + std::round(drawing.u(21))};
    drawLanes(drawing);
    const float gap = drawing.u(9);
    const std::size_t columns = boxColumns(drawing, sectors, gap);
    const std::size_t rows = (sectors.size() + columns - 1) / columns;
    const float address = drawing.numberSize() + drawing.u(4);
    const float top = drawing.strip.bottom + drawing.u(16);
    const float pitch =
        std::min((box.bottom - top + gap) / static_cast<float>(rows), drawing.u(72) + address);
    const bool addressed = pitch - gap - address >= drawing.u(14);
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
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        const float left = box.left + (each + gap) * static_cast<float>(i % columns);
        const float y = top + pitch * static_cast<float>(i / columns);
        drawSectorBox(drawing, sectors[i], {left, y, left + each, y + height});
        if (!addressed || (!all && i % columns != 0)) continue;
        drawing.add(Text{{left, y + height + drawing.u(3)},
                         addressOf(sectors[i]),
                         Face::numbers,
                         size,
                         area.colors.muted});
    }
    return std::move(drawing.result.items);
}

}  // namespace warplens::drawing
