#include "app/window/panels/threads_picture.h"

#include <algorithm>
#include <cmath>

namespace warplens::window {
namespace {

/// Warp numbers, and thread coordinates where there is room, over the cells.
void cellText(const Scene& scene, const BlockLayout& layout, ImVec2 origin) {
    const Look& look = scene.pen.look;
    // However large the text: cells of 14 pixels hold two digits that can be read.
    if (layout.cell < 14 * look.display || scene.stale) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const font = look.fonts.strong;
    const float size = std::min(font->FontSize * 1.1F, layout.cell * 0.62F);
    const bool coordinates = layout.cell >= look.px(58);
    const auto threads = static_cast<std::uint32_t>(layout.block.count());
    for (std::uint32_t rank = 0; rank < threads; ++rank) {
        const WarpRank warp = warpRankInBlock({rank});
        if (scene.state.selection.warp && *scene.state.selection.warp != warp) continue;
        const bool outside = (scene.outside.at(warp.value) >> laneIndex({rank}).value & 1) != 0;
        const Index3 thread = threadIndexInBlock({rank}, layout.block);
        const Point corner = cornerOf(layout, thread);
        const std::string label = std::to_string(warp.value);
        const Rgb ink = outside                        ? look.colors.text
                        : takesDarkText(colorOf(warp)) ? 0x000000
                                                       : 0xffffff;
        const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, label.c_str());
        const float middle = layout.cell * (coordinates ? 0.38F : 0.5F);
        list.AddText(font, size,
                     {std::floor(origin.x + corner.x + (layout.cell - extent.x) / 2),
                      std::floor(origin.y + corner.y + middle - extent.y / 2)},
                     packed(ink), label.c_str());
        if (!coordinates) continue;
        const std::string place = std::to_string(thread.x) + "," + std::to_string(thread.y) + "," +
                                  std::to_string(thread.z);
        const float small = font->FontSize * 0.85F;
        const ImVec2 wide = font->CalcTextSizeA(small, FLT_MAX, 0, place.c_str());
        list.AddText(font, small,
                     {std::floor(origin.x + corner.x + (layout.cell - wide.x) / 2),
                      std::floor(origin.y + corner.y + layout.cell * 0.70F - wide.y / 2)},
                     packed(ink, 0.75F), place.c_str());
    }
}

/// Numbers along the picture's edges: threadIdx.x above, threadIdx.y at the left, slices named.
void axes(const Scene& scene, const BlockLayout& layout, ImVec2 origin, float slack) {
    const Look& look = scene.pen.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const font = look.fonts.smallNumber;
    const float lineHeight = font->FontSize;
    const bool line = layout.block.y == 1 && layout.block.z == 1;
    const auto number = [](std::uint32_t value) { return std::to_string(value); };
    // Numbers every 1, 2, 4, 8 … cells, as far apart as their width asks for.
    const auto stride = [&](float room) {
        std::uint32_t every = 1;
        while (static_cast<float>(every) * layout.cell < room) every *= 2;
        return every;
    };
    const std::uint32_t everyX = stride(measured(font, "000").x * 1.25F);
    const std::uint32_t everyY = stride(lineHeight * 1.1F);
    textAt(list, look.fonts.small, look.colors.muted, {origin.x, origin.y - slack},
           line                 ? "threadIdx.x →   32 to a row: a row is a warp"
           : layout.block.y > 1 ? "threadIdx.x →   threadIdx.y ↓"
                                : "threadIdx.x →");
    for (std::uint32_t tile = 0; tile < layout.tileCount(); ++tile) {
        const Point corner = cornerOfTile(layout, tile);
        const Index3 first = firstThreadOfTile(layout, tile);
        const bool topRow = tile < layout.columns;
        const bool leftColumn = tile % layout.columns == 0;
        const float top = origin.y + corner.y - lineHeight - look.px(3);
        if (layout.block.z > 1 && first.x == 0 && first.y == 0) {
            textAt(list, look.fonts.small, look.colors.text,
                   {origin.x + corner.x, topRow ? top - lineHeight - look.px(2) : top},
                   "z = " + number(first.z));
        }
        if (topRow || layout.tilesX > 1) {
            for (std::uint32_t x = 0; x < layout.tileWidth; x += everyX) {
                if (line && tile > 0) break;
                const float at = origin.x + corner.x + (static_cast<float>(x) + 0.5F) * layout.cell;
                if (first.x + x < layout.block.x) {
                    textAt(list, font, look.colors.faint, {at, top}, number(first.x + x), 0.5F);
                }
            }
        }
        if (!leftColumn || (line && tile % everyY != 0)) continue;
        for (std::uint32_t y = 0; y < layout.tileHeight; y += everyY) {
            if (first.y + y >= layout.block.y) break;
            const float at = origin.y + corner.y + (static_cast<float>(y) + 0.5F) * layout.cell;
            textAt(list, font, look.colors.faint,
                   {origin.x + corner.x - look.px(6), at - lineHeight / 2},
                   number(line ? first.x : first.y + y), 1);
        }
    }
}

}  // namespace

void drawThreadsPicture(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands) {
    const Look& look = scene.pen.look;
    const Extents block = scene.state.shown.launch.block;
    ImFont* const font = look.fonts.smallNumber;
    const float gutter = measured(font, "0000").x + look.px(8);
    const bool slices = block.z > 1;
    const float above =
        look.fonts.small->FontSize + font->FontSize * (slices ? 2.0F : 1.0F) + look.px(12);
    const float gapY = font->FontSize + look.px(14);
    const BlockLayout layout =
        layOutBlock(block, size.x - gutter, size.y - above, look.px(26), gapY, look.snap(72));
    // In the middle of its area, on whole pixels.
    const float spareX = std::max(0.0F, size.x - gutter - layout.width());
    const float spareY = std::max(0.0F, size.y - above - layout.height());
    const ImVec2 origin{std::floor(at.x + gutter + spareX / 2),
                        std::floor(at.y + above + std::min(spareY / 2, look.px(40)))};
    const ImVec2 extent{std::max(layout.width(), 1.0F), std::max(layout.height(), 1.0F)};
    axes(scene, layout, origin, above);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    MappingPicture picture = scene.picture(origin, extent);
    picture.what = ThreadsPicture{layout};
    scene.canvas.add(list, picture);
    cellText(scene, layout, origin);

    ImGui::SetCursorScreenPos(origin);
    ImGui::InvisibleButton("threads", extent);
    scene.pen.mark("threads");
    const auto cellOf = [&](Index3 thread) {
        const Point corner = cornerOf(layout, thread);
        return ImVec2(origin.x + corner.x, origin.y + corner.y);
    };
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetMousePos();
        if (const auto thread = threadAt(layout, {mouse.x - origin.x, mouse.y - origin.y})) {
            pointedThread(scene, *thread, commands);
        }
    }
    if (const auto& thread = scene.state.selection.thread) {
        const ImVec2 corner = cellOf(*thread);
        const float side = layout.cell - (layout.cell >= 4 ? look.snap(1) : 0);
        outline(list, look, corner, {corner.x + side, corner.y + side});
    }
}

}  // namespace warplens::window
