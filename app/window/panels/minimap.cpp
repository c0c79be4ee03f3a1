#include "app/window/panels/minimap.h"

#include <algorithm>
#include <cmath>

#include "core/text/format.h"

namespace warplens::window {
namespace {

/// The whole map on a sheet of its own, no larger than it needs.
MapFrame overview(const Scene& scene, const MapFrame& frame, ImVec2 at, ImVec2 size) {
    const MapLayout& layout = frame.layout;
    MapSheet sheet;
    sheet.width = std::max(1.0F, std::floor(size.x));
    sheet.height = std::max(1.0F, std::floor(size.y));
    // A block is no larger than it must be to be seen.
    sheet.largestCell = scene.pen.look.px(40) / std::max(layout.pitchX, layout.pitchY);
    MapFrame small{sheet, layout, fittedToGrid(layout, sheet), at};
    const double cell = small.camera.cell;
    const double needed = static_cast<double>(layout.placesY()) * layout.pitchY * cell;
    const double across = static_cast<double>(layout.placesX()) * layout.pitchX * cell;
    small.sheet.height = std::clamp(static_cast<float>(std::ceil(needed)), 1.0F, sheet.height);
    small.sheet.width = std::clamp(static_cast<float>(std::ceil(across)), 1.0F, sheet.width);
    return small;
}

/// What the map shows, at least as large as can be seen.
void window(const Scene& scene, const MapFrame& map, const MapFrame& small) {
    const Look& look = scene.pen.look;
    const ImVec2 from = small.on(pointAt(map.camera, map.layout, map.sheet, {0, 0}));
    const ImVec2 to =
        small.on(pointAt(map.camera, map.layout, map.sheet, {map.sheet.width, map.sheet.height}));
    const ImVec2 end{small.at.x + small.sheet.width, small.at.y + small.sheet.height};
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

float drawMinimap(const Scene& scene, const MapFrame& frame, ImVec2 at, ImVec2 size,
                  Commands& commands) {
    const MapFrame small = overview(scene, frame, {std::floor(at.x), std::floor(at.y)}, size);
    const ImVec2 extent{small.sheet.width, small.sheet.height};
    MappingPicture picture = scene.picture(small.at, extent);
    picture.heldWarp = -1;
    MapPicture map = scene.map(small.layout, small.sheet);
    map.camera = small.camera;
    map.blocksOnly = true;
    picture.what = map;
    scene.canvas.add(*ImGui::GetWindowDrawList(), picture);
    ImGui::SetCursorScreenPos(small.at);
    ImGui::InvisibleButton("grid", extent);
    scene.pen.mark("grid");
    window(scene, frame, small);
    if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return extent.y;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto hit =
        pick(small.camera, small.layout, small.sheet, {mouse.x - small.at.x, mouse.y - small.at.y});
    if (!hit) return extent.y;
    if (ImGui::IsItemActive()) {
        commands.emplace_back(ChooseBlock{hit->block});
        commands.emplace_back(CentreMap{hit->block});
    }
    tooltip(scene.pen,
            "block " + toText(hit->block) + ", number " +
                groupedDigits(blockRankInGrid(hit->block, scene.state.shown.launch.grid)));
    return extent.y;
}

}  // namespace warplens::window
