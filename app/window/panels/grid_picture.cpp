#include "app/window/panels/grid_picture.h"

#include <algorithm>
#include <cmath>

#include "core/text/format.h"

namespace warplens::window {

float drawGridPicture(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands) {
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

}  // namespace warplens::window
