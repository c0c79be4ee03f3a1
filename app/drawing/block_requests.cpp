#include <algorithm>

#include "app/drawing/lesson_pictures.h"
#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// One warp's requests to the array, as places in its steps, and the sectors of each.
struct WarpRow final {
    const WarpTrace* trace = nullptr;
    std::vector<std::uint32_t> steps{};
    std::vector<std::vector<Sector>> sectors{};
    std::size_t count = 0;  ///< of all sectors
};

WarpRow rowOf(const WarpTrace& trace, std::size_t array) {
    WarpRow row{.trace = &trace};
    if (array < trace.byArray.size()) row.steps = trace.byArray[array];
    for (const std::uint32_t step : row.steps) {
        row.sectors.push_back(sectorsOf(trace.steps[step]));
        row.count += row.sectors.back().size();
    }
    return row;
}

}  // namespace

Items prepareBlockRequests(std::span<const WarpTrace> warps, std::size_t array,
                           const DrawArea& area) {
    Items items;
    std::vector<WarpRow> rows;
    std::size_t requests = 0;
    std::size_t sectors = 0;
    std::size_t mostSectors = 1;
    std::size_t mostRequests = 1;
    for (const WarpTrace& trace : warps) {
        const WarpRow& row = rows.emplace_back(rowOf(trace, array));
        requests += row.steps.size();
        sectors += row.count;
        mostSectors = std::max(mostSectors, row.count);
        mostRequests = std::max(mostRequests, row.steps.size());
    }
    const float size = area.textSize;
    const Box& box = area.box;
    const auto write = [&](Point at, std::string words, Rgb color, float align = 0) {
        items.push_back(Text{at, std::move(words), Face::words, size, color, align});
    };
    if (requests == 0) {
        write({box.left, box.top}, "the block makes no request to it", area.colors.muted);
        return items;
    }
    const StepSubjects& subjects = warps.front().subjects;
    const std::string total = counted(requests, "request") + ", " + counted(sectors, "sector");
    write({box.left, box.top},
          "All requests of the block to " + subjects.arrayNames().at(array) + ": " + total,
          area.colors.text);

    const float gap = size * 0.4F;
    const float apart = size * 1.2F;  // between requests
    const float left = box.left + area.textWidth("warp 31", Face::words, size) + size;
    const float words = area.textWidth("0 requests, 00 sectors", Face::words, size) + size;
    const float room = box.right - words - left - apart * static_cast<float>(mostRequests - 1) -
                       gap * static_cast<float>(mostSectors - 1);
    const float width = std::min(room / static_cast<float>(mostSectors), size * 18);
    const float top = box.top + size * 2;
    const float pitch = std::min((box.bottom - top) / static_cast<float>(rows.size()), size * 4.5F);
    if (width < 2 || pitch < size) return items;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const WarpRow& row = rows[i];
        const float y = top + pitch * static_cast<float>(i);
        const float bottom = y + pitch - std::min(gap, pitch * 0.2F);
        const float middle = (y + bottom - size) / 2;
        write({box.left, middle}, "warp " + std::to_string(i), area.colors.muted);
        float x = left;
        for (std::size_t r = 0; r < row.steps.size(); ++r) {
            MemoryDrawing drawing{
                .trace = *row.trace, .step = row.trace->steps[row.steps[r]], .area = area};
            for (const Sector& sector : row.sectors[r]) {
                drawSectorBox(drawing, sector, {x, y, x + width, bottom}, drawing.u(7));
                x += width + gap;
            }
            std::ranges::move(drawing.result.items, std::back_inserter(items));
            x += apart;
        }
        write({box.right, middle},
              counted(row.steps.size(), "request") + ", " + counted(row.count, "sector"),
              area.colors.muted, 1);
    }
    return items;
}

}  // namespace warplens::drawing
