#include "app/window/panels/mapping_panel.h"

#include <algorithm>
#include <cmath>

#include "app/window/panels/mapping_parts.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// Everything the parts of the panel share.
struct Scene final {
    const Pen& pen;
    MappingCanvas& canvas;
    const AppState& state;
    OutsideMask outside;
    bool stale;  ///< the fields hold a launch that cannot be drawn

    [[nodiscard]] MappingPicture picture(ImVec2 at, ImVec2 size) const {
        const Colors& c = pen.look.colors;
        MappingPicture result{};
        result.rect = {at.x, at.y, size.x, size.y};
        result.outside = outside;
        result.heldWarp = state.selection.warp ? static_cast<int>(state.selection.warp->value) : -1;
        result.lineWidth = pen.look.snap(1);
        result.fade = stale ? 0.35F : 1;
        result.ground = c.panel;
        result.outline = c.faint;
        result.blockColor = c.block;
        result.edgeColor = c.edgeBlock;
        return result;
    }
};

void outline(ImDrawList& list, const Look& look, ImVec2 from, ImVec2 to) {
    const float width = look.snap(2);
    list.AddRect({from.x - width, from.y - width}, {to.x + width - 1, to.y + width - 1},
                 packed(look.colors.panel), 0, 0, width * 2);
    list.AddRect({from.x - width, from.y - width}, {to.x + width - 1, to.y + width - 1},
                 packed(look.colors.text), 0, 0, width);
}

void pointedThread(const Scene& scene, Index3 thread, Commands& commands) {
    const AppState& state = scene.state;
    commands.emplace_back(PointAtThread{thread});
    const ThreadRank rank = threadRankInBlock(thread, state.shown.launch.block);
    if (ImGui::IsItemClicked()) commands.emplace_back(ToggleWarp{warpRankInBlock(rank)});
    ImGui::BeginTooltip();
    drawThreadFacts(scene.pen, state.shown, state.selection.block, thread);
    ImGui::EndTooltip();
}

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

void blockPicture(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands) {
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

/// Returns the height it took of the room it was given.
float gridPicture(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands) {
    const Look& look = scene.pen.look;
    const Launch& launch = scene.state.shown.launch;
    const Index3 chosen = scene.state.selection.block;
    const GridLayout layout = layOutGrid(launch.grid, chosen.z, size.x, size.y, look.snap(40));
    const ImVec2 origin{std::floor(at.x), std::floor(at.y)};
    const ImVec2 extent{std::max(1.0F, layout.width()), std::max(1.0F, layout.height())};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    MappingPicture picture = scene.picture(origin, extent);
    picture.what = GridPicture{layout, launch.block, problemEdge(scene.state.shown)};
    scene.canvas.add(list, picture);
    ImGui::SetCursorScreenPos(origin);
    ImGui::InvisibleButton("grid", extent);
    scene.pen.mark("grid");
    const Point corner = cornerOf(layout, chosen);
    const ImVec2 from{origin.x + corner.x, origin.y + corner.y};
    // Never smaller than can be seen.
    const float width = std::max(static_cast<float>(layout.cellWidth), look.px(5));
    const float height = std::max(static_cast<float>(layout.cellHeight), look.px(5));
    outline(list, look, from, {from.x + width, from.y + height});
    if (!ImGui::IsItemHovered()) return extent.y;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto block = blockAt(layout, {mouse.x - origin.x, mouse.y - origin.y});
    if (!block) return extent.y;
    if (ImGui::IsItemClicked()) commands.emplace_back(ChooseBlock{*block});
    tooltip(scene.pen, "block " + toText(*block) + ", number " +
                           groupedDigits(blockRankInGrid(*block, launch.grid)));
    return extent.y;
}

void warpStrip(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands) {
    const Look& look = scene.pen.look;
    const Extents block = scene.state.shown.launch.block;
    const std::uint32_t warps = warpCountPerBlock(block);
    ImFont* const font = look.fonts.smallNumber;
    const float gutter = measured(font, "00").x + look.px(8);
    const float cellWidth = std::max(2.0F, std::floor((size.x - gutter) / 32));
    const float cellHeight =
        std::clamp(std::floor((size.y - font->FontSize - look.px(4)) / static_cast<float>(warps)),
                   2.0F, look.snap(24));
    const ImVec2 origin{std::floor(at.x + gutter), std::floor(at.y + font->FontSize + look.px(4))};
    const ImVec2 extent{cellWidth * 32, cellHeight * static_cast<float>(warps)};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    MappingPicture picture = scene.picture(origin, extent);
    picture.what = WarpsPicture{block, cellWidth, cellHeight};
    scene.canvas.add(list, picture);
    for (const std::uint32_t lane : {0u, 8u, 16u, 24u, 31u}) {
        textAt(list, font, look.colors.faint,
               {origin.x + (static_cast<float>(lane) + 0.5F) * cellWidth, at.y},
               std::to_string(lane), lane == 31 ? 0.6F : 0.5F);
    }
    std::uint32_t every = 1;
    while (static_cast<float>(every) * cellHeight < font->FontSize) every *= 2;
    for (std::uint32_t warp = 0; warp < warps; warp += every) {
        const float middle = origin.y + (static_cast<float>(warp) + 0.5F) * cellHeight;
        textAt(list, font, look.colors.faint, {origin.x - look.px(6), middle - font->FontSize / 2},
               std::to_string(warp), 1);
    }
    ImGui::SetCursorScreenPos(origin);
    ImGui::InvisibleButton("warps", extent);
    scene.pen.mark("warps");
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto lane = static_cast<std::uint32_t>((mouse.x - origin.x) / cellWidth);
    const auto warp = static_cast<std::uint32_t>((mouse.y - origin.y) / cellHeight);
    const std::uint32_t rank = firstThreadOfWarp({warp}).value + lane;
    if (lane < 32 && rank < block.count()) {
        pointedThread(scene, threadIndexInBlock({rank}, block), commands);
    } else if (lane < 32 && warp < warps) {
        tooltip(scene.pen, "lane " + std::to_string(lane) + " of warp " + std::to_string(warp) +
                               ": idle, there is no thread for it");
    }
}

/// A small title over a picture, with what it shows at the right.
ImVec2 caption(const Pen& pen, ImVec2 at, float width, std::string_view words,
               std::string_view aside) {
    const Look& look = pen.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    textAt(list, look.fonts.small, look.colors.muted, at, words);
    const float left = measured(look.fonts.small, words).x + look.px(12);
    if (measured(look.fonts.smallNumber, aside).x <= width - left) {
        textAt(list, look.fonts.smallNumber, look.colors.faint, {at.x + width, at.y}, aside, 1);
    }
    return {at.x, at.y + look.fonts.small->FontSize + look.px(8)};
}

}  // namespace

Commands drawMappingPanel(const Pen& pen, MappingCanvas& canvas, const AppState& state) {
    Commands commands;
    const Look& look = pen.look;
    const Scene scene{pen, canvas, state, outsideMask(state.shown, state.selection.block),
                      !isDrawable(state.edit)};
    const Scenario& scenario = scenarioOf(state);
    text(look.fonts.title, look.colors.text, scenario.title);
    if (!scenario.lookFor.empty()) prose(pen, look.colors.muted, scenario.lookFor);
    space(pen, 14);

    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gap = look.px(34);
    const float side = std::floor(std::clamp(room.x * 0.31F, look.px(210), look.px(330)));
    const float main = room.x - side - gap;
    const Launch& launch = state.shown.launch;
    const ImVec2 threads =
        caption(pen, at, main, "Threads of block " + toText(state.selection.block),
                scene.stale ? "last launch that CUDA accepts" : "coloured by warp");
    blockPicture(scene, threads, {main, room.y - (threads.y - at.y)}, commands);

    const float right = at.x + main + gap;
    const ImVec2 grid =
        caption(pen, {right, at.y}, side, "Grid",
                launch.grid.z > 1 ? "plane z = " + std::to_string(state.selection.block.z) +
                                        " of " + std::to_string(launch.grid.z)
                                  : groupedDigits(launch.grid.count()) +
                                        (launch.grid.count() == 1 ? " block" : " blocks"));
    const float most = std::floor((room.y - look.px(28)) * 0.45F) - (grid.y - at.y);
    const float taken = gridPicture(scene, grid, {side, most}, commands);
    const std::uint32_t warps = warpCountPerBlock(launch.block);
    const float below = std::floor(grid.y + taken + look.px(28));
    const ImVec2 strip = caption(pen, {right, below}, side, "Warps by lanes",
                                 std::to_string(warps) + (warps == 1 ? " warp" : " warps"));
    warpStrip(scene, strip, {side, at.y + room.y - strip.y}, commands);

    const bool pointing = std::ranges::any_of(commands, [](const Command& command) {
        return std::holds_alternative<PointAtThread>(command);
    });
    if (!pointing && state.selection.thread && ImGui::IsMousePosValid()) {
        commands.emplace_back(PointAtThread{});
    }
    return commands;
}

}  // namespace warplens::window
