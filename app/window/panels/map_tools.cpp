#include "app/window/panels/map_tools.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/drawing/elements.h"
#include "app/window/state/actions.h"

namespace warplens::window {
namespace {

/// One button of the row, from right to left.
struct Tool final {
    std::string label;
    const char* mark;
    const char* tip;
    bool chosen;
    Command command;
};

std::string seen(const MapContext& context, const MapFrame& frame, float room) {
    if (context.stale) return "last launch that CUDA accepts";
    if (context.state.view.map == MapFollows::block) {
        const bool alone = context.state.view.experiment.launch.grid.count() == 1;
        const std::string words = "Threads of block " + toText(context.state.view.block);
        const std::string more = words + ", neighbours dimmed";
        const bool fits = measured(context.ui.look.fonts.small, more).x <= room;
        return !alone && fits ? more : words;
    }
    const std::string where =
        context.state.view.map == MapFollows::grid ? "The whole grid: " : "Map: ";
    return where + describeScale(frame);
}

}  // namespace

float mapToolsHeight(const Look& look) {
    return look.fonts.small->FontSize + look.px(18);
}

float drawMapTools(const MapContext& context, const MapFrame& frame, ImVec2 at, float width,
                   Commands& commands) {
    const Look& look = context.ui.look;
    const View& view = context.state.view;
    const auto does = [&](Act act) { return actionOf(act).command(context.state); };
    std::vector<Tool> tools{
        {"Grid", "map.grid", "The whole grid (F)", view.map == MapFollows::grid,
         Show{.map = MapFollows::grid}},
        {"Block", "map.block", "The chosen block (F)", view.map == MapFollows::block,
         Show{.map = MapFollows::block}},
        {"+", "map.closer", "Closer (+, or the wheel over the map)", false, does(Act::closer)},
        {"–", "map.further", "Further away (-)", false, does(Act::further)},
        {"Cells: " + std::string(toString(view.numbers)), "map.numbers",
         "What stands in the cells: warp, coordinates, rank in the block, element (E)", false,
         does(Act::cellNumbers)},
    };
    if (const auto& held = context.state.view.warp) {
        tools.push_back({"Warp " + std::to_string(held->value) + "  ×", "map.release",
                         "Held: the others are dimmed. Click to let it go (Esc)", true,
                         Show{.warp = noWarp}});
    }
    ImGui::PushFont(look.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.px(7), look.px(3)));
    const float height = look.fonts.small->FontSize + 2 * look.px(3);
    float right = at.x + width;
    for (const Tool& tool : tools) {
        const float wide =
            std::max(measured(look.fonts.small, tool.label).x + 2 * look.px(7), height);
        // The narrowest windows keep the keys and the wheel.
        if (right - wide < at.x) break;
        ImGui::SetCursorScreenPos({std::floor(right - wide), at.y});
        ImGui::PushID(tool.mark);
        if (plainButton(context.ui, tool.label.c_str(), true, tool.chosen, {wide, height})) {
            commands.push_back(tool.command);
        }
        ImGui::PopID();
        context.ui.mark(tool.mark);
        tooltip(context.ui, tool.tip);
        right = std::floor(right - wide) - look.px(4);
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
    const float room = right - at.x - look.px(8);
    if (room > look.px(60)) {
        textAt(*ImGui::GetWindowDrawList(), look.fonts.small, look.colors.muted,
               {at.x, at.y + look.px(3)},
               fitted(look.fonts.small, seen(context, frame, room), room));
    }
    return mapToolsHeight(look);
}

}  // namespace warplens::window
