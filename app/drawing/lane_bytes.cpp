#include <algorithm>

#include "app/drawing/warp_memory.h"
#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// Columns in which the lanes' lines fit, few enough to be read.
std::uint32_t laneColumns(const DrawArea& area, float line) {
    for (const std::uint32_t columns : {2U, 4U}) {
        if (line * static_cast<float>(lanesPerWarp / columns) <= area.box.height() * 0.9F) {
            return columns;
        }
    }
    return 4;
}

/// From long to short.
enum class LaneForm : std::uint8_t { elementAndBytes, bytes, byte, number };

std::string laneWords(const MemoryDrawing& drawing, std::uint32_t lane, LaneForm form) {
    const std::uint64_t first = drawing.step.offsets.at(lane);
    const std::string bytes =
        "bytes " + groupedDigits(first) + " – " + groupedDigits(first + drawing.step.bytes - 1);
    switch (form) {
        case LaneForm::elementAndBytes:
            return elementAt(drawing, first) + "   " + bytes;
        case LaneForm::bytes:
            return bytes;
        case LaneForm::byte:
            return "byte " + groupedDigits(first);
        case LaneForm::number:
            break;
    }
    return groupedDigits(first);
}

}  // namespace

Items prepareLaneBytes(const WarpTrace& trace, std::size_t step, const DrawArea& area) {
    MemoryDrawing drawing{.trace = trace, .step = trace.steps.at(step), .area = area};
    const ColorRoles& colors = area.colors;
    const Box& box = area.box;
    const float title = area.textSize * 1.2F;
    drawing.add(Text{{box.left, box.top},
                     titleOf(trace, drawing.step) + ": what each lane asks for",
                     Face::strong,
                     title,
                     colors.text});
    const float top = box.top + title + drawing.u(12);
    const std::uint32_t columns = laneColumns(area, drawing.u(21));
    const std::uint32_t rows = lanesPerWarp / columns;
    const float width = box.width() / static_cast<float>(columns);
    const float pitch = std::min(drawing.u(34), (box.bottom - top) / static_cast<float>(rows));
    const float size = std::clamp(pitch * 0.62F, area.textSize * 0.6F, area.textSize * 1.1F);
    const std::uint32_t threads =
        threadCountInWarp(trace.place.warp, trace.place.experiment.launch.block);
    // All alike: the longest form that fits for every lane.
    const auto fits = [&](LaneForm tried) {
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            if ((drawing.step.active >> lane & 1) == 0) continue;
            const std::string words = laneWords(drawing, lane, tried);
            if (drawing.widthOf(words, size) > width - drawing.u(40)) return false;
        }
        return true;
    };
    LaneForm form = LaneForm::elementAndBytes;
    while (form != LaneForm::number && !fits(form)) {
        form = static_cast<LaneForm>(static_cast<int>(form) + 1);
    }
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const float left = box.left + width * static_cast<float>(lane / rows);
        const float y = top + pitch * static_cast<float>(lane % rows);
        const Box chip{left, y, left + drawing.u(26), y + pitch - drawing.u(2)};
        const bool active = (drawing.step.active >> lane & 1) != 0;
        drawing.add(active ? Item(Fill{chip, drawing.colorOfLanes(1U << lane)})
                           : Item(Frame{chip, colors.faint, drawing.u(1)}));
        drawing.label(chip, std::to_string(lane), size,
                      active ? inkOn(drawing.colorOfLanes(1U << lane)) : colors.faint);
        std::string words = lane >= threads ? "no thread" : "asks for nothing";
        if (active) {
            words = laneWords(drawing, lane, form);
        }
        drawing.add(Text{{chip.right + drawing.u(8), y + (pitch - drawing.u(2) - size) / 2},
                         words,
                         Face::numbers,
                         size,
                         active ? colors.text : colors.faint});
    }
    return std::move(drawing.result.items);
}

}  // namespace warplens::drawing
