#include "app/window/panels/minimap.h"

#include <algorithm>
#include <cmath>

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

}  // namespace warplens::window
