#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "app/drawing/warp_memory_parts.h"

namespace warplens::drawing {
namespace {

struct Arm final {
    std::string_view name;
    std::uint32_t lanes = 0;
};

/// `yes: lanes 0, 2 … (16); 16 wait`.
std::string wordsOf(const MemoryDrawing& drawing, const Arm& arm, bool parts) {
    std::string words = std::string(arm.name) + ": " + lanesLong(arm.lanes);
    if (!parts || arm.lanes == 0) return words;
    const int waiting = std::popcount(drawing.step.active & ~arm.lanes);
    return words + " ran, " + std::to_string(waiting) + " waited";
}

/// The lanes that take part, by the arm's colour; those that wait for it are hatched.
void drawMask(MemoryDrawing& drawing, const Arm& arm, float top, float height) {
    const ColorRoles& colors = drawing.area.colors;
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        Box cell = drawing.laneBox(lane);
        cell.top = top;
        cell.bottom = top + height;
        const std::uint32_t bit = 1U << lane;
        if ((arm.lanes & bit) == 0) {
            drawing.add(Fill{cell, colors.raised});
            if (arm.lanes != 0 && (drawing.step.active & bit) != 0) {
                drawing.add(Hatch{cell, colors.faint, drawing.u(5)});
            }
        } else {
            drawing.cell(cell, bit);
        }
    }
}

}  // namespace

/// Each lane falls into the row of its answer; the rows run one after the other.
void drawArms(MemoryDrawing& drawing) {
    const ColorRoles& colors = drawing.area.colors;
    const float gap = drawing.u(8);
    const float words = drawing.area.textSize + drawing.u(4);
    const float height = std::round(
        std::clamp((drawing.body.height() - 2 * gap) / 2 - words, drawing.u(8), drawing.u(24)));
    const std::uint32_t past = drawing.step.active & ~drawing.step.taken;
    const bool parts = drawing.step.taken != 0 && past != 0;
    float top = drawing.body.top + gap;
    for (const Arm& arm : {Arm{"yes", drawing.step.taken}, Arm{"no", past}}) {
        drawing.add(Text{{drawing.body.left, top},
                         wordsOf(drawing, arm, parts),
                         Face::words,
                         drawing.area.textSize,
                         arm.lanes == 0 ? colors.faint : colors.text});
        top = std::round(top + words);
        drawMask(drawing, arm, top, height);
        top += height + gap;
    }
}

}  // namespace warplens::drawing
