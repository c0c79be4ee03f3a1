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
    double done = 1;  ///< how much of it has run
};

/// `yes: lanes 0, 2 … (16); 16 wait`.
std::string wordsOf(const MemoryScene& scene, const Arm& arm, bool parts) {
    std::string words = std::string(arm.name) + ": " + lanesLong(arm.lanes);
    if (!parts || arm.lanes == 0) return words;
    const int waiting = std::popcount(scene.step.active & ~arm.lanes);
    if (arm.done <= 0) return words + ", not yet";
    return words + (arm.done < 1 ? " run, " : " ran, ") + std::to_string(waiting) +
           (arm.done < 1 ? " wait" : " waited");
}

/// The lanes that take part, by the arm's colour; those that wait for it are hatched.
void drawMask(MemoryScene& scene, const Arm& arm, float top, float height) {
    const Inks& inks = scene.sheet.inks;
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        Box cell = scene.laneBox(lane);
        cell.top = top;
        cell.bottom = top + height;
        const std::uint32_t bit = 1U << lane;
        if ((arm.lanes & bit) == 0) {
            scene.add(Fill{cell, inks.raised});
            if (arm.lanes != 0 && (scene.step.active & bit) != 0) {
                scene.add(Hatch{cell, inks.faint, scene.u(5)});
            }
        } else if (arm.done >= 1) {
            scene.cell(cell, bit);
        } else {
            scene.add(Fill{cell, inks.raised});
            Box part = cell;
            part.top = cell.bottom - height * static_cast<float>(arm.done);
            if (arm.done > 0) scene.add(Fill{part, scene.colorOfLanes(bit)});
            scene.add(Frame{cell, scene.colorOfLanes(bit), scene.u(1)});
        }
    }
}

}  // namespace

/// Each lane falls into the row of its answer; the rows run one after the other.
void drawArms(MemoryScene& scene) {
    const Inks& inks = scene.sheet.inks;
    const float gap = scene.u(8);
    const float words = scene.sheet.textSize + scene.u(4);
    const float height = std::round(
        std::clamp((scene.body.height() - 2 * gap) / 2 - words, scene.u(8), scene.u(24)));
    const std::uint32_t past = scene.step.active & ~scene.step.taken;
    const bool parts = scene.step.taken != 0 && past != 0;
    const double first = parts ? std::clamp(2 * scene.arms, 0.0, 1.0) : scene.arms;
    const double second = parts ? std::clamp(2 * scene.arms - 1, 0.0, 1.0) : scene.arms;
    float top = scene.body.top + gap;
    for (const Arm& arm : {Arm{"yes", scene.step.taken, first}, Arm{"no", past, second}}) {
        scene.add(Text{{scene.body.left, top},
                       wordsOf(scene, arm, parts),
                       Face::words,
                       scene.sheet.textSize,
                       arm.lanes == 0 ? inks.faint : inks.text});
        top = std::round(top + words);
        drawMask(scene, arm, top, height);
        top += height + gap;
    }
}

}  // namespace warplens::drawing
