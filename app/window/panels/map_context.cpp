#include "app/window/panels/map_context.h"

#include <algorithm>

#include "app/drawing/elements.h"
#include "app/window/panels/warp_panel.h"
#include "app/window/state/program_steps.h"
#include "core/text/format.h"

namespace warplens::window {

MapContext mapContextOf(const UiContext& ui, MappingCanvas& canvas, const AppState& state) {
    const BlockGuard guard = blockGuard(state.view.experiment);
    return {ui,
            canvas,
            state,
            guard,
            countBlockCases(guard, state.view.experiment.launch.grid),
            !isDrawable(state.edit),
            lanesAtStep(state)};
}

MapPicture MapContext::map(ImVec2 at, const MapLayout& layout, const MapArea& area) const {
    const Colors& c = ui.look.colors;
    MapPicture result{};
    result.rect = {at.x, at.y, area.width, area.height};
    result.layout = layout;
    result.area = area;
    result.guard = guard;
    result.caseColors = c.cases;
    result.cases = guarded();
    result.chosen = state.view.block;
    result.heldWarp = state.view.warp ? static_cast<int>(state.view.warp->value) : -1;
    result.lineWidth = ui.look.snap(1);
    result.fade = stale ? 0.35F : 1;
    result.background = c.panel;
    result.outline = c.faint;
    return result;
}

void outline(ImDrawList& list, const Look& look, ImVec2 from, ImVec2 to) {
    const float width = look.snap(2);
    list.AddRect({from.x - width, from.y - width}, {to.x + width - 1, to.y + width - 1},
                 packed(look.colors.panel), 0, 0, width * 2);
    list.AddRect({from.x - width, from.y - width}, {to.x + width - 1, to.y + width - 1},
                 packed(look.colors.text), 0, 0, width);
}

void pointedThread(const MapContext& context, Index3 thread, Commands& commands) {
    commands.emplace_back(PointAtThread{thread});
    ImGui::BeginTooltip();
    drawThreadFacts(context.ui, context.state, context.state.view.block, thread);
    ImGui::EndTooltip();
}

void pointAway(const AppState& state, Commands& commands) {
    const bool pointing = std::ranges::any_of(
        commands, [](const Command& command) { return command.is<PointAtThread>(); });
    if (!pointing && state.pointed && ImGui::IsMousePosValid()) {
        commands.emplace_back(PointAtThread{});
    }
}

std::string blockName(const AppState& state, Index3 block) {
    return "block " + toText(block) + ", number " +
           groupedDigits(blockRankInGrid(block, state.view.experiment.launch.grid));
}

void idleLane(const UiContext& ui, WarpRank warp, LaneIndex lane) {
    tooltip(ui, "lane " + std::to_string(lane.value) + " of warp " + std::to_string(warp.value) +
                    ": idle, there is no thread for it");
}

}  // namespace warplens::window
