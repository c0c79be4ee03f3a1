#include "app/drawing/lane_bytes.h"

#include <algorithm>

#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// Columns in which the lanes' lines fit, few enough to be read.
std::uint32_t laneColumns(const Sheet& sheet, float line) {
    for (const std::uint32_t columns : {2U, 4U}) {
        if (line * static_cast<float>(lanesPerWarp / columns) <= sheet.box.height() * 0.9F) {
            return columns;
        }
    }
    return 4;
}

}  // namespace

Items prepareLaneBytes(const WarpTrace& trace, std::size_t step, const Sheet& sheet) {
    MemoryScene scene{.trace = trace, .step = trace.steps.at(step), .sheet = sheet};
    const Inks& inks = sheet.inks;
    const Box& box = sheet.box;
    const float title = sheet.textSize * 1.2F;
    scene.add(Text{{box.left, box.top}, titleOf(trace, scene.step) + ": what each lane asks for",
                   Face::strong, title, inks.text});
    const float top = box.top + title + scene.u(12);
    const std::uint32_t columns = laneColumns(sheet, scene.u(21));
    const std::uint32_t rows = lanesPerWarp / columns;
    const float width = box.width() / static_cast<float>(columns);
    const float pitch = std::min(scene.u(34), (box.bottom - top) / static_cast<float>(rows));
    const float size = std::clamp(pitch * 0.62F, sheet.textSize * 0.6F, sheet.textSize * 1.1F);
    const std::uint32_t threads =
        threadCountInWarp(trace.place.warp, trace.place.experiment.launch.block);
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const float left = box.left + width * static_cast<float>(lane / rows);
        const float y = top + pitch * static_cast<float>(lane % rows);
        const Box chip{left, y, left + scene.u(26), y + pitch - scene.u(2)};
        const bool active = (scene.step.active >> lane & 1) != 0;
        scene.add(active ? Item(Fill{chip, scene.colorOfLanes(1U << lane)})
                         : Item(Frame{chip, inks.faint, scene.u(1)}));
        scene.label(chip, std::to_string(lane), size,
                    active && !takesDarkText(scene.colorOfLanes(1U << lane)) ? Rgb{0xffffff}
                    : active                                                  ? Rgb{0x000000}
                                                                              : inks.faint);
        std::string words = lane >= threads ? "no thread" : "asks for nothing";
        if (active) {
            const std::uint64_t first = scene.step.offsets.at(lane);
            const std::string bytes = "bytes " + groupedDigits(first) + " – " +
                                      groupedDigits(first + scene.step.bytes - 1);
            words = elementAt(scene, first) + "   " + bytes;
            const float spare = width - scene.u(40);
            if (scene.widthOf(words, size) > spare) words = bytes;
            if (scene.widthOf(words, size) > spare) words = "byte " + groupedDigits(first);
            if (scene.widthOf(words, size) > spare) words = groupedDigits(first);
        }
        scene.add(Text{{chip.right + scene.u(8), y + (pitch - scene.u(2) - size) / 2}, words,
                       Face::numbers, size, active ? inks.text : inks.faint});
    }
    return std::move(scene.result.items);
}

}  // namespace warplens::drawing
