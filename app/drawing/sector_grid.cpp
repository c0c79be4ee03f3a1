#include "app/drawing/sector_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/drawing/warp_memory_parts.h"
#include "core/access/warp_access.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

Box bytesIn(const Box& sector, std::uint32_t begin, std::uint32_t end) {
    const float byte = sector.width() / bytesPerSector;
    return {sector.left + byte * static_cast<float>(begin), sector.top,
            sector.left + byte * static_cast<float>(end), sector.bottom};
}

/// Lanes in the bytes that they ask for; where these are too narrow, beside them.
void drawSectorBox(MemoryScene& scene, const Sector& sector, const Box& box) {
    const Inks& inks = scene.sheet.inks;
    scene.add(Fill{box, inks.raised});
    for (const Run& run : sector.runs) {
        Box bytes = bytesIn(box, run.begin, run.end);
        if (run.lanes == 0) {
            scene.add(Hatch{bytes, inks.muted, scene.u(7)});
            continue;
        }
        if (run.end != bytesPerSector) bytes.right -= scene.u(1);
        scene.add(Fill{bytes, scene.colorOfLanes(run.lanes)});
    }
    const float size = scene.numberSize();
    for (std::size_t i = 0; i < sector.runs.size(); ++i) {
        const Run& run = sector.runs[i];
        if (run.lanes == 0) continue;
        const Box bytes = bytesIn(box, run.begin, run.end);
        const std::string name = lanesShort(run.lanes);
        const float width = scene.widthOf(name, size);
        const float tall = std::min(size, box.height() - scene.u(2));
        const Rgb color = scene.colorOfLanes(run.lanes);
        if (width + scene.u(1) <= bytes.width() && tall >= size * 0.7F) {
            scene.label(bytes, name, size, takesDarkText(color) ? Rgb{0x000000} : Rgb{0xffffff});
            continue;
        }
        const bool free = i + 1 < sector.runs.size() && sector.runs[i + 1].lanes == 0;
        if (!free) continue;
        const Box plate{bytes.right, box.top + scene.u(2),
                        std::min(box.right, bytes.right + width + scene.u(6)),
                        box.bottom - scene.u(2)};
        if (plate.width() < width + scene.u(2)) continue;
        scene.add(Fill{plate, inks.raised});
        scene.label(plate, name, size, inks.text);
    }
    scene.add(Frame{box, inks.muted, scene.u(1)});
}

}  // namespace

namespace {

/// As many boxes side by side as let all lanes be named.
std::size_t boxColumns(const MemoryScene& scene, const std::vector<Sector>& sectors, float gap) {
    const float name = scene.widthOf("00", scene.numberSize()) + scene.u(1.2F);
    std::size_t asked = 0;
    for (const Sector& sector : sectors) {
        asked = std::max(asked, static_cast<std::size_t>(std::ranges::count_if(
                                    sector.runs, [](const Run& run) { return run.lanes != 0; })));
    }
    for (const std::size_t columns : {8U, 4U, 3U, 2U}) {
        if (columns == 8 && sectors.size() <= 16) continue;
        if (columns == 3 && sectors.size() == 4) continue;  // two by two
        const auto count = static_cast<float>(columns);
        const float each = (scene.sheet.box.width() - gap * (count - 1)) / count;
        const float value = each * static_cast<float>(scene.step.bytes) / bytesPerSector;
        if (value >= name || (asked == 1 && each - value >= name)) return columns;
    }
    return sectors.size() <= 16 ? 4 : 8;
}

}  // namespace

Items prepareSectorGrid(const WarpTrace& trace, std::size_t step, const Sheet& sheet) {
    MemoryScene scene{.trace = trace, .step = trace.steps.at(step), .sheet = sheet};
    const Box& box = sheet.box;
    const std::vector<Sector> sectors = sectorsOf(scene.step);
    scene.strip = {box.left, box.top, box.right, box.top + std::round(scene.u(21))};
    drawLanes(scene);
    const float gap = scene.u(9);
    const std::size_t columns = boxColumns(scene, sectors, gap);
    const std::size_t rows = (sectors.size() + columns - 1) / columns;
    const float address = scene.numberSize() + scene.u(4);
    const float top = scene.strip.bottom + scene.u(16);
    const float pitch =
        std::min((box.bottom - top + gap) / static_cast<float>(rows), scene.u(72) + address);
    const bool addressed = pitch - gap - address >= scene.u(14);
    const float height = std::max(scene.u(5), pitch - gap - (addressed ? address : 0));
    const float each = (box.width() - gap * static_cast<float>(columns - 1)) /
                       static_cast<float>(columns);
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        const float left = box.left + (each + gap) * static_cast<float>(i % columns);
        const float y = top + pitch * static_cast<float>(i / columns);
        drawSectorBox(scene, sectors[i], {left, y, left + each, y + height});
        if (!addressed) continue;
        const std::string digits = groupedDigits(sectors[i].index * bytesPerSector);
        const std::string full = "byte " + digits;
        const float size = scene.numberSize();
        const bool fits = scene.widthOf(full, size) <= each;
        if (!fits && scene.widthOf(digits, size) > each + gap) continue;
        scene.add(Text{{left, y + height + scene.u(3)}, fits ? full : digits, Face::numbers, size,
                       sheet.inks.muted});
    }
    return std::move(scene.result.items);
}

}  // namespace warplens::drawing
