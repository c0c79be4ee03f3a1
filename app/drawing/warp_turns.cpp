#include <algorithm>
#include <cmath>
#include <map>

#include "app/drawing/warp_memory_parts.h"

namespace warplens::drawing {

void drawTurns(MemoryDrawing& drawing) {
    const WarpStep& step = drawing.step;
    std::map<std::uint64_t, std::uint32_t> byAddress;  // and its lanes
    for (std::uint32_t left = step.active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        byAddress[step.offsets.at(lane)] |= 1U << lane;
    }
    // As many columns as have room for an element's name; where that takes too many rows, one row
    // in which some are named, by their index alone where the array's name has no room, and
    // without their turn where a second line has none.
    const float size = drawing.numberSize();
    const Box& body = drawing.body;
    const auto count = static_cast<float>(byAddress.size());
    const auto nameOf = [&](std::uint64_t address, bool isWhole) {
        std::string name = elementAt(drawing, address);
        return isWhole ? name : name.substr(std::min(name.find('['), name.size()));
    };
    const auto pitchOf = [&](bool isWhole) {
        float widest = drawing.widthOf("turn 32", size, Face::words);
        for (const auto& [address, lanes] : byAddress)
            widest = std::max(widest, drawing.widthOf(nameOf(address, isWhole), size));
        return widest + drawing.u(10);
    };
    float least = drawing.u(14);  // for links
    float pitch = pitchOf(true);
    float words = 2 * size + drawing.u(9);  // and the gap below them
    float columns = std::clamp(std::floor(body.width() / pitch), 1.0F, count);
    const float rows = std::ceil(count / columns);
    float room = (body.height() - least) / rows - words;
    const bool isRow = rows == 1 || room < drawing.u(6);
    const bool isWhole = !isRow || pitch * std::min(count, 4.0F) <= body.width();
    if (!isWhole) pitch = pitchOf(false);
    if (isRow) columns = count, room = body.height() - least - words;
    const bool hasTurns = room >= drawing.u(6);
    if (!hasTurns) {
        words = size + drawing.u(3);
        if (body.height() - least - words < drawing.u(4)) least = drawing.u(8);
        room = body.height() - least - words;
    }
    const bool isNamed = room >= drawing.u(4) && pitch <= body.width();
    const float height = std::clamp(room, drawing.u(4), drawing.u(22));
    const float links = std::clamp(least + room - height, least, drawing.u(isRow ? 40 : 14));
    const float width = std::min(body.width() / columns, 2 * pitch);
    const auto every = static_cast<std::size_t>(std::ceil(pitch / width - 0.01F));
    const float top = std::min(body.top + links, body.bottom - height);

    std::vector<Box> cells;
    for (const auto& [address, lanes] : byAddress) {
        const auto at = static_cast<float>(cells.size());
        const float left = body.left + width * std::fmod(at, columns);
        const float above = top + (height + words) * std::floor(at / columns);
        cells.push_back({left, above, left + width - drawing.u(2), above + height});
        if (!drawing.pointsAt(cells.back())) continue;
        drawing.lit = lanes;
        drawing.result.pointed = elementAt(drawing, address) + " in constant memory, for " +
                                 lanesLong(lanes) + "\nturn " + std::to_string(cells.size()) +
                                 " of " + std::to_string(byAddress.size());
    }
    std::size_t turn = 0;
    for (const auto& [address, lanes] : byAddress) {
        const Box& cell = cells[turn++];
        for (std::uint32_t left = lanes; left != 0 && isRow; left &= left - 1) {
            drawing.link(static_cast<std::uint32_t>(std::countr_zero(left)),
                         {(cell.left + cell.right) / 2, cell.top});
        }
        drawing.cell(cell, lanes);
        if ((drawing.lit & lanes) != 0)
            drawing.add(Frame{cell, drawing.area.colors.text, drawing.u(1)});
        if (!isNamed || (turn - 1) % every != 0 || cell.left + pitch > body.right + 1) continue;
        const float below = cell.bottom + drawing.u(2);
        drawing.add(Text({cell.left, below}, nameOf(address, isWhole), Face::numbers, size,
                         drawing.area.colors.text));
        if (!hasTurns) continue;
        drawing.add(Text({cell.left, below + size + drawing.u(1)}, "turn " + std::to_string(turn),
                         Face::words, size, drawing.area.colors.muted));
    }
}

}  // namespace warplens::drawing
