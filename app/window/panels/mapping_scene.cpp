#include "app/window/panels/mapping_scene.h"

#include "app/window/panels/mapping_parts.h"

namespace warplens::window {

MappingPicture Scene::picture(ImVec2 at, ImVec2 size) const {
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

}  // namespace warplens::window
