#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/drawing/warp_memory_parts.h"

namespace warplens::drawing {

/// Each lane falls into the row of its answer.
void drawArms(MemoryScene& scene) {
    const Inks& inks = scene.sheet.inks;
    const float gap = scene.u(8);
    const float words = scene.sheet.textSize + scene.u(4);
    const float height = std::round(
        std::clamp((scene.body.height() - 2 * gap) / 2 - words, scene.u(8), scene.u(24)));
    float top = scene.body.top + gap;
    for (const bool yes : {true, false}) {
        const std::uint32_t lanes = yes ? scene.step.taken : scene.step.active & ~scene.step.taken;
        const std::string_view name = yes ? "yes" : "no";
        scene.add(Text{{scene.body.left, top},
                       std::string(name) + ": " + lanesLong(lanes),
                       Face::words,
                       scene.sheet.textSize,
                       lanes == 0 ? inks.faint : inks.text});
        top = std::round(top + words);
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            Box cell = scene.laneBox(lane);
            cell.top = top;
            cell.bottom = top + height;
            if ((lanes >> lane & 1) != 0) {
                scene.cell(cell, 1u << lane);
            } else {
                scene.add(Fill{cell, inks.raised});
            }
        }
        top += height + gap;
    }
}

}  // namespace warplens::drawing
