#include <algorithm>
#include <cmath>

#include "app/window/panels/mapping_panel.h"
#include "app/window/panels/mapping_parts.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

std::string sectorCount(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " sector" : " sectors");
}

/// Lanes above, the sectors of memory they write below, a line from each lane to its value.
void lanesOverSectors(const Pen& pen, const WarpSectors& warp, WarpRank rank, ImVec2 at,
                      ImVec2 size) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const font = look.fonts.smallNumber;
    const Rgb color = colorOf(rank);
    const float laneWidth = size.x / 32;
    const float laneHeight = look.snap(20);
    const float slotHeight = look.snap(18);
    const float lanesTop = std::floor(at.y);
    const float labels = font->FontSize + look.px(4);
    const float sectorsTop = std::floor(at.y + size.y - slotHeight - labels);
    const float line = look.snap(1);

    const std::size_t count = warp.sectors.size();
    const float gap = count > 16 ? look.px(2) : look.px(6);
    const float slotWidth =
        count == 0 ? 0
                   : std::min(laneWidth, (size.x - gap * static_cast<float>(count - 1)) /
                                             static_cast<float>(8 * count));
    const float span = static_cast<float>(count) * (8 * slotWidth + gap) - gap;
    const float sectorsLeft = at.x + std::max(0.0F, (32 * laneWidth - span) / 2);
    const auto slotLeft = [&](std::size_t sector, std::uint32_t slot) {
        return sectorsLeft + static_cast<float>(sector) * (8 * slotWidth + gap) +
               static_cast<float>(slot) * slotWidth;
    };

    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const ImVec2 from{std::floor(at.x + static_cast<float>(lane) * laneWidth), lanesTop};
        const ImVec2 to{std::floor(at.x + static_cast<float>(lane + 1) * laneWidth) - line,
                        lanesTop + laneHeight};
        if (lane >= warp.lanes.size()) {
            list.AddRect(from, to, packed(c.faint), 0, 0, line);
            continue;
        }
        const WarpSectors::Lane& entry = warp.lanes[lane];
        if (entry.active) {
            const float x = slotLeft(entry.sector, entry.slot) + slotWidth / 2;
            list.AddLine({(from.x + to.x) / 2, to.y}, {x, sectorsTop}, packed(color, 0.75F),
                         look.px(1.3F));
        }
        list.AddRectFilled(from, to, packed(entry.active ? color : mixed(c.panel, color, 0.25F)));
        if (laneWidth >= measured(font, "00").x * 0.9F) {
            const Rgb ink = !entry.active ? c.muted : takesDarkText(color) ? 0x000000 : 0xffffff;
            const std::string label = std::to_string(lane);
            const float shrunk = font->FontSize * 0.88F;
            const ImVec2 extent = font->CalcTextSizeA(shrunk, FLT_MAX, 0, label.c_str());
            list.AddText(font, shrunk,
                         {std::floor((from.x + to.x - extent.x) / 2),
                          std::floor(from.y + (laneHeight - extent.y) / 2)},
                         packed(ink), label.c_str());
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const WarpSectors::Sector& sector = warp.sectors[i];
        for (std::uint32_t slot = 0; slot < 8; ++slot) {
            const ImVec2 from{slotLeft(i, slot), sectorsTop};
            const ImVec2 to{from.x + slotWidth - (slotWidth >= 4 ? line : 0),
                            sectorsTop + slotHeight};
            const bool used = (sector.used >> slot & 1) != 0;
            list.AddRectFilled(from, to, packed(used ? color : c.raised));
        }
        list.AddRect({slotLeft(i, 0) - line, sectorsTop - line},
                     {slotLeft(i, 8) + line, sectorsTop + slotHeight + line}, packed(c.muted), 0, 0,
                     line);
        const std::string bytes = "byte " + groupedDigits(sector.index * 32);
        const float room = 8 * slotWidth + gap;
        if (measured(font, bytes).x < room) {
            textAt(list, font, c.faint, {slotLeft(i, 4), sectorsTop + slotHeight + look.px(4)},
                   bytes, 0.5F);
        } else if (i == 0 || i + 1 == count) {
            // Too narrow for a label each: all sectors are drawn, the first and last are named.
            const float end = i == 0 ? 0.0F : 1.0F;
            textAt(list, font, c.faint,
                   {i == 0 ? slotLeft(0, 0) : slotLeft(i, 8), sectorsTop + slotHeight + look.px(4)},
                   bytes, end);
        }
    }
}

}  // namespace

void drawThreadFacts(const Pen& pen, const Experiment& experiment, Index3 block, Index3 thread) {
    const Look& look = pen.look;
    const Extents extents = experiment.launch.block;
    const WarpRank warp = warpRankInBlock(threadRankInBlock(thread, extents));
    ImGui::BeginGroup();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = look.fonts.strong->FontSize;
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + side, at.y + side}, packed(colorOf(warp)),
                                              look.px(3));
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    text(look.fonts.strong, look.colors.text,
         "Thread " + toText(thread) + " of block " + toText(block));
    ImFont* const font = look.fonts.smallNumber;
    text(font, look.colors.text, rankFormula(extents, thread));
    text(font, look.colors.text, warpFormula(extents, thread));
    text(font, look.colors.text, laneFormula(extents, thread));
    const std::string element = elementName(experiment, block, thread);
    if (element.empty()) {
        text(look.fonts.body, look.colors.warning, "Outside the problem: it has nothing to do.");
    } else {
        text(font, look.colors.accent, "writes " + element);
    }
    ImGui::EndGroup();
}

Index3 threadInFocus(const AppState& state) {
    if (state.selection.thread) return *state.selection.thread;
    const WarpRank warp = state.selection.warp.value_or(WarpRank{});
    return threadIndexInBlock(firstThreadOfWarp(warp), state.shown.launch.block);
}

Commands drawWarpPanel(const Pen& pen, const AppState& state) {
    const Commands commands;
    const Look& look = pen.look;
    const Colors& c = look.colors;
    const Index3 thread = threadInFocus(state);
    const Extents block = state.shown.launch.block;
    const WarpRank rank = warpRankInBlock(threadRankInBlock(thread, block));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // Where there is no room for both, the thread's numbers show while it is pointed at.
    const bool narrow = room.x < look.px(640);
    float left = at.x;
    if (!narrow || state.selection.thread) {
        drawThreadFacts(pen, state.shown, state.selection.block, thread);
        if (narrow) return commands;
        left += std::max(look.px(330), std::min(ImGui::GetItemRectSize().x, room.x * 0.5F)) +
                look.px(24);
    }
    const float width = at.x + room.x - left;

    const WarpSectors warp = warpSectors(state.shown, state.selection.block, rank);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string name = outputName(state.shown);
    const std::string title = "Where warp " + std::to_string(rank.value) + " writes in " + name;
    textAt(list, look.fonts.strong, c.text, {left, at.y}, title);
    const std::size_t count = warp.sectors.size();
    std::string verdict = "no lane has an element";
    std::string brief = verdict;
    if (count != 0) {
        std::size_t used = 0;
        for (const auto& sector : warp.sectors) used += std::popcount(sector.used);
        verdict = sectorCount(count) + ", fewest possible " + std::to_string(warp.fewest) + ": " +
                  formatNumber(100.0 * static_cast<double>(used) / static_cast<double>(8 * count),
                               Unit::percent) +
                  " of their bytes used";
        brief = sectorCount(count) + ", fewest " + std::to_string(warp.fewest);
    }
    const float titleWidth = measured(look.fonts.strong, title).x + look.px(16);
    if (measured(look.fonts.body, verdict).x > width - titleWidth) verdict = brief;
    textAt(list, look.fonts.body, count > warp.fewest ? c.warning : c.muted, {left + width, at.y},
           fitted(look.fonts.body, verdict, width - titleWidth), 1);
    const float top = at.y + look.fonts.strong->FontSize + look.px(10);
    lanesOverSectors(pen, warp, rank, {left, top}, {width, at.y + room.y - top});
    return commands;
}

}  // namespace warplens::window
