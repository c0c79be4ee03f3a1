#include "app/window/panels/mapping_panel.h"

#include <algorithm>
#include <cmath>

#include "app/window/panels/grid_picture.h"
#include "app/window/panels/threads_picture.h"
#include "app/window/panels/warp_strip.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

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
    drawThreadsPicture(scene, threads, {main, room.y - (threads.y - at.y)}, commands);

    const float right = at.x + main + gap;
    const ImVec2 grid =
        caption(pen, {right, at.y}, side, "Grid",
                launch.grid.z > 1 ? "plane z = " + std::to_string(state.selection.block.z) +
                                        " of " + std::to_string(launch.grid.z)
                                  : groupedDigits(launch.grid.count()) +
                                        (launch.grid.count() == 1 ? " block" : " blocks"));
    const float most = std::floor((room.y - look.px(28)) * 0.45F) - (grid.y - at.y);
    const float taken = drawGridPicture(scene, grid, {side, most}, commands);
    const std::uint32_t warps = warpCountPerBlock(launch.block);
    const float below = std::floor(grid.y + taken + look.px(28));
    const ImVec2 strip = caption(pen, {right, below}, side, "Warps by lanes",
                                 std::to_string(warps) + (warps == 1 ? " warp" : " warps"));
    drawWarpStrip(scene, strip, {side, at.y + room.y - strip.y}, commands);

    const bool pointing = std::ranges::any_of(commands, [](const Command& command) {
        return std::holds_alternative<PointAtThread>(command);
    });
    if (!pointing && state.selection.thread && ImGui::IsMousePosValid()) {
        commands.emplace_back(PointAtThread{});
    }
    return commands;
}

}  // namespace warplens::window
