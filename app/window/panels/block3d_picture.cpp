#include "app/window/panels/block3d_picture.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/block3d.h"
#include "app/window/panels/block3d_controls.h"
#include "app/window/panels/items_painter.h"

namespace warplens::window {
namespace {

constexpr float degreesPerPixel = 0.4F;
constexpr float zoomPerNotch = 1.15F;

/// The cubes in their place in the window.
struct Block3d final {
    const MapContext& context;
    ImVec2 at;
    const Block3dLayout& layout;
    const Block3dCamera& camera;
};

void pointedCube(const Block3d& block3d, bool pressed, Commands& commands) {
    const MapContext& context = block3d.context;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto rank =
        cubeAt(block3d.layout, block3d.camera, {mouse.x - block3d.at.x, mouse.y - block3d.at.y},
               context.state.view.warp);
    if (!rank) return;
    const WarpRank warp = warpRankInBlock({*rank});
    if (*rank < block3d.layout.block.count()) {
        pointedThread(context, threadIndexInBlock({*rank}, block3d.layout.block), commands);
        if (pressed) commands.emplace_back(ToggleWarp{warp});
    } else {
        idleLane(context.ui, warp, laneIndex({*rank}));
    }
}

void orbit(const Block3d& block3d, Commands& commands) {
    const ImGuiIO& io = ImGui::GetIO();
    const Block3dView& view = block3d.context.state.block3d;
    if (ImGui::IsItemActive() && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        const bool left = ImGui::IsMouseDragging(ImGuiMouseButton_Left);
        const bool other = ImGui::IsMouseDragging(ImGuiMouseButton_Right) ||
                           ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
        if (other || (left && io.KeyShift)) {
            const float cubes = 1 / (block3d.camera.pixelsPerCube * view.zoom);
            commands.emplace_back(FrameBlock3d{view.zoom, view.panX + io.MouseDelta.x * cubes,
                                               view.panY + io.MouseDelta.y * cubes});
        } else if (left) {
            commands.emplace_back(
                TurnBlock3d{io.MouseDelta.x * degreesPerPixel, io.MouseDelta.y * degreesPerPixel});
        }
    }
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        const Block3dView next = zoomedAt(
            view, block3d.camera, {io.MousePos.x - block3d.at.x, io.MousePos.y - block3d.at.y},
            std::pow(zoomPerNotch, io.MouseWheel));
        commands.emplace_back(FrameBlock3d{next.zoom, next.panX, next.panY});
    }
}

}  // namespace

void drawBlock3dPicture(const MapContext& context, ImVec2 at, ImVec2 size, Commands& commands) {
    const Look& look = context.ui.look;
    const AppState& state = context.state;
    // The block needs the room first.
    const bool roomy = size.y >= look.px(230);
    const float controls = roomy ? block3dControlsHeight(context.ui) : 0;
    at = {std::floor(at.x), std::floor(at.y)};
    const ImVec2 extent{std::max(1.0F, std::floor(size.x)),
                        std::max(1.0F, std::floor(size.y - controls))};
    const ImVec2 end{at.x + extent.x, at.y + extent.y};
    const drawing::Block3dPicture picture =
        drawing::prepareBlock3d(state.view.experiment.launch.block, state.block3d,
                                {.wasted = wastedMask(context.guard, state.view.block),
                                 .held = state.view.warp,
                                 .thread = state.pointed,
                                 .smallestDigits = 8.7F * look.display,
                                 .fade = context.stale ? 0.35F : 1},
                                drawArea(look, at, end));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(at, end, true);
    paint(list, look.fonts, picture.items);
    list.PopClipRect();
    const Block3d block3d{context, at, picture.layout, picture.camera};

    ImGui::SetCursorScreenPos(at);
    const bool pressed = ImGui::InvisibleButton("cubes", extent,
                                                ImGuiButtonFlags_MouseButtonLeft |
                                                    ImGuiButtonFlags_MouseButtonRight |
                                                    ImGuiButtonFlags_MouseButtonMiddle);
    context.ui.mark("cubes");
    orbit(block3d, commands);
    const ImGuiIO& io = ImGui::GetIO();
    // Once the pointer has moved, the press is a drag until it ends.
    const bool dragged =
        io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
    const bool dragging = ImGui::IsItemActive() && dragged;
    if (ImGui::IsItemHovered() && !dragging) {
        pointedCube(block3d, pressed && !dragged && ImGui::IsMouseReleased(ImGuiMouseButton_Left),
                    commands);
    }
    if (roomy) drawBlock3dControls(context.ui, state, {at.x, at.y + extent.y}, extent.x, commands);
}

}  // namespace warplens::window
