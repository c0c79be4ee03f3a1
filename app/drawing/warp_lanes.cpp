#include "app/drawing/warp_lanes.h"

namespace warplens::drawing {

void drawLanes(WarpRank warp, Extents block, const Box& first, float pitch, const LanesLook& look,
               Items& items) {
    const std::uint32_t threads = threadCountInWarp(warp, block);
    const Rgb color = mixed(look.background, colorOf(warp), look.strength);
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const float along = pitch * static_cast<float>(lane);
        const Box box{first.left + along, first.top, first.right + along, first.bottom};
        const bool hatched = (look.hatched >> lane & 1) != 0;
        if (lane >= threads) {
            items.emplace_back(
                Frame{box, mixed(look.background, look.outline, look.strength), look.outlineWidth});
        } else {
            items.emplace_back(Fill{box, hatched ? mixed(look.background, color, 0.2F) : color, 1});
        }
        if (lane < threads && hatched) items.emplace_back(Hatch{box, color, 6});
    }
}

}  // namespace warplens::drawing
