#include <cmath>

#include "app/drawing/occupancy_slots.h"
#include "core/text/format.h"

namespace warplens::drawing {

OccupancySlots prepareBlockSizes(const SmLimits& limits, const BlockDemand& block,
                                 const DrawArea& area, std::optional<Point> pointer) {
    OccupancySlots result;
    const auto add = [&](Item item) { result.items.push_back(std::move(item)); };
    const ColorRoles& colors = area.colors;
    const float size = area.textSize * 0.92F;
    const float unit = area.textSize / 12;
    const std::uint32_t sizes = limits.threadsPerBlock / lanesPerWarp;
    const Box columns{area.box.left, area.box.top + 1.5F * size, area.box.right,
                      area.box.bottom - 1.3F * size};
    add(Text{{columns.left, area.box.top},
             "Room by threads of a block, to 100 % occupancy, all else as above",
             Face::words,
             size,
             colors.faint});
    const float pitch = std::floor(columns.width() / static_cast<float>(sizes));
    for (std::uint32_t warps = 1; warps <= sizes; ++warps) {
        const bool here = warps == block.warps();
        BlockDemand other = block;
        if (!here) other.threads = std::uint64_t{warps} * lanesPerWarp;
        const float left = columns.left + pitch * static_cast<float>(warps - 1);
        const Box column{left, columns.top, left + pitch - 2 * unit, columns.bottom};
        const double percent = occupancyOf(limits, other).percent();
        Box filled = column;
        filled.top = column.bottom - column.height() * static_cast<float>(percent / 100);
        add(Fill{column, colors.raised});
        if (percent == 0) {
            add(Hatch{column, colors.warning, 6 * unit});
        } else {
            add(Fill{filled, here ? colors.accent : colors.muted});
        }
        // The others keep clear of the number of this block.
        const auto apart =
            static_cast<std::int64_t>(warps) - static_cast<std::int64_t>(block.warps());
        if (here || (warps % 8 == 0 && (apart < -2 || apart > 2))) {
            const bool last = warps == sizes;
            add(Text{{last ? column.right : (column.left + column.right) / 2,
                      columns.bottom + 0.2F * size},
                     groupedDigits(other.threads),
                     Face::numbers,
                     size,
                     here ? colors.text : colors.faint,
                     last ? 1 : 0.5F});
        }
        if (pointer && column.contains(*pointer)) {
            result.pointed = counted(other.threads, "thread") + " a block\n" +
                             occupancyInWords(limits, other) + "\n" + limitInWords(limits, other);
        }
    }
    return result;
}

}  // namespace warplens::drawing
