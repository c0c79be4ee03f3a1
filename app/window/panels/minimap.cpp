#include <algorithm>
#include <cmath>

#include "app/drawing/elements.h"
#include "app/drawing/warp_lanes.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/map_panel.h"

namespace warplens::window {

namespace {

/// The whole map on an area of its own, no larger than it needs.
MapFrame overview(const MapContext& context, const MapFrame& frame, ImVec2 at, ImVec2 size) {
    const MapLayout& layout = frame.layout;
    MapArea area;
    area.width = std::max(1.0F, std::floor(size.x));
    area.height = std::max(1.0F, std::floor(size.y));
    // A block is no larger than it must be to be seen.
    area.largestCell = context.ui.look.px(40) / std::max(layout.pitchX, layout.pitchY);
    MapFrame small{area, layout, fittedToGrid(layout, area), at};
    const double cell = small.camera.cell;
    const double needed = static_cast<double>(layout.placesY()) * layout.pitchY * cell;
    const double across = static_cast<double>(layout.placesX()) * layout.pitchX * cell;
    small.area.height = std::clamp(static_cast<float>(std::ceil(needed)), 1.0F, area.height);
    small.area.width = std::clamp(static_cast<float>(std::ceil(across)), 1.0F, area.width);
    return small;
}

/// What the map shows, at least as large as can be seen.
void window(const MapContext& context, const MapFrame& map, const MapFrame& small) {
    const Look& look = context.ui.look;
    const ImVec2 from = small.on(pointAt(map.camera, map.layout, map.area, {0, 0}));
    const ImVec2 to =
        small.on(pointAt(map.camera, map.layout, map.area, {map.area.width, map.area.height}));
    const ImVec2 end{small.at.x + small.area.width, small.at.y + small.area.height};
    ImVec2 low{std::clamp(from.x, small.at.x, end.x), std::clamp(from.y, small.at.y, end.y)};
    ImVec2 high{std::clamp(to.x, small.at.x, end.x), std::clamp(to.y, small.at.y, end.y)};
    const float least = look.px(5);
    if (high.x - low.x < least) {
        low.x = (low.x + high.x - least) / 2;
        high.x = low.x + least;
    }
    if (high.y - low.y < least) {
        low.y = (low.y + high.y - least) / 2;
        high.y = low.y + least;
    }
    outline(*ImGui::GetWindowDrawList(), look, low, high);
}

}  // namespace

float drawMinimap(const MapContext& context, const MapFrame& frame, ImVec2 at, ImVec2 size,
                  Commands& commands) {
    const MapFrame small = overview(context, frame, {std::floor(at.x), std::floor(at.y)}, size);
    const ImVec2 extent{small.area.width, small.area.height};
    MapPicture picture = context.map(small.at, small.layout, small.area);
    picture.heldWarp = -1;
    picture.camera = small.camera;
    picture.blocksOnly = true;
    context.canvas.add(*ImGui::GetWindowDrawList(), picture);
    ImGui::SetCursorScreenPos(small.at);
    ImGui::InvisibleButton("grid", extent);
    context.ui.mark("grid");
    window(context, frame, small);
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return extent.y;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto hit =
        pick(small.camera, small.layout, small.area, {mouse.x - small.at.x, mouse.y - small.at.y});
    if (!hit) return extent.y;
    if (ImGui::IsItemActive()) {
        commands.emplace_back(ChooseBlock{hit->block});
        commands.emplace_back(CentreMap{hit->block});
    }
    tooltip(context.ui, blockName(context.state, hit->block));
    return extent.y;
}

namespace {

/// Threads without an element of their own; or those that take no part in the step shown.
WastedMask hatchedLanes(const MapContext& context) {
    if (!context.lanes) return wastedMask(context.guard, context.state.view.block);
    WastedMask mask{};
    const Extents block = context.state.view.experiment.launch.block;
    for (std::uint32_t warp = 0; warp < warpCountPerBlock(block); ++warp) {
        const std::uint32_t threads = threadCountInWarp({warp}, block);
        mask.at(warp) = ~context.lanes->at(warp) & (threads == 32 ? ~0U : (1U << threads) - 1);
    }
    return mask;
}

}  // namespace

void drawWarpStrip(const MapContext& context, ImVec2 at, ImVec2 size, Commands& commands) {
    const Look& look = context.ui.look;
    const Extents block = context.state.view.experiment.launch.block;
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
    drawing::Items lanes;
    const WastedMask hatched = hatchedLanes(context);
    const float gap = cellWidth >= 4 * look.snap(1) ? look.snap(1) : 0;
    const float gapBelow = cellHeight >= 4 * look.snap(1) ? look.snap(1) : 0;
    const std::optional<WarpRank> held = context.state.view.warp;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
        const float top = origin.y + cellHeight * static_cast<float>(warp);
        drawing::drawLanes(
            {warp}, block, {origin.x, top, origin.x + cellWidth - gap, top + cellHeight - gapBelow},
            cellWidth,
            {.background = look.colors.panel,
             .outline = look.colors.faint,
             .outlineWidth = look.snap(1),
             .hatched = hatched.at(warp),
             .strength = (context.stale ? 0.35F : 1) * (held && held->value != warp ? 0.28F : 1)},
            lanes);
    }
    paint(list, look.fonts, lanes);
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
    context.ui.mark("warps");
    if (!ImGui::IsItemHovered()) return;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto lane = static_cast<std::uint32_t>((mouse.x - origin.x) / cellWidth);
    const auto warp = static_cast<std::uint32_t>((mouse.y - origin.y) / cellHeight);
    const std::uint32_t rank = firstThreadOfWarp({warp}).value + lane;
    if (lane < 32 && rank < block.count()) {
        if (ImGui::IsItemClicked()) commands.emplace_back(ToggleWarp{{warp}});
        pointedThread(context, threadIndexInBlock({rank}, block), commands);
    } else if (lane < 32 && warp < warps) {
        idleLane(context.ui, {warp}, {lane});
    }
}

}  // namespace warplens::window
