#include "app/window/panels/block3d_picture.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>
#include <vector>

#include "app/drawing/block3d_axes.h"
#include "app/window/panels/block3d_controls.h"

namespace warplens::window {
namespace {

constexpr float degreesPerPixel = 0.4F;
constexpr float zoomPerNotch = 1.15F;

/// The cubes in their place in the window.
struct Block3d final {
    const MapContext& context;
    ImVec2 at;
    Block3dLayout layout;
    Block3dCamera camera;
    std::vector<Block3dFace> faces;
    WastedMask wasted{};

    [[nodiscard]] ImVec2 inWindow(Point point) const { return {at.x + point.x, at.y + point.y}; }
    [[nodiscard]] std::array<ImVec2, 4> cornersOf(const Block3dFace& face) const {
        return {inWindow(camera.project(face.at(0, 0))), inWindow(camera.project(face.at(1, 0))),
                inWindow(camera.project(face.at(1, 1))), inWindow(camera.project(face.at(0, 1)))};
    }
};

/// Height of the digits on the faces across each axis, of one size for all of them; 0 where they
/// could not be read.
std::array<float, 3> digitSizes(const Block3d& block3d) {
    const Look& look = block3d.context.ui.look;
    const glm::vec3 middle = (block3d.layout.low + block3d.layout.high) / 2.0F;
    std::array<float, 3> sizes{};
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        const auto corners = block3d.cornersOf({.axis = axis, .corner = middle - 0.5F});
        const ImVec2 u{corners[1].x - corners[0].x, corners[1].y - corners[0].y};
        const ImVec2 v{corners[3].x - corners[0].x, corners[3].y - corners[0].y};
        const float longest = std::max(std::hypot(u.x, u.y), std::hypot(v.x, v.y));
        const float height = longest > 0 ? std::abs(u.x * v.y - u.y * v.x) / longest : 0;
        // However large the text: 14 pixels hold two digits that can be read.
        if (height < 14 * look.display) continue;
        sizes.at(axis) = std::min(look.fonts.strong->FontSize * 1.2F, height * 0.62F);
    }
    return sizes;
}

void threadText(const Block3d& block3d) {
    const Look& look = block3d.context.ui.look;
    if (block3d.context.stale) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const font = look.fonts.strong;
    const std::optional<WarpRank> held = block3d.context.state.selection.warp;
    const std::array<float, 3> sizes = digitSizes(block3d);
    for (const Block3dFace& face : block3d.faces) {
        const float size = sizes.at(face.axis);
        if (face.layer != Block3dLayer::full || size == 0) continue;
        const Point centre = block3d.camera.project(face.centre());
        // Only warps that are apart can hide one another's faces.
        if (block3d.layout.apart &&
            cubeAt(block3d.layout, block3d.camera, centre, held) != face.rank) {
            continue;
        }
        const WarpRank warp = warpRankInBlock({face.rank});
        const bool wasted =
            (block3d.wasted.at(warp.value) >> laneIndex({face.rank}).value & 1) != 0;
        const std::string label = std::to_string(warp.value);
        const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, label.c_str());
        const Rgb ink = wasted ? look.colors.text : inkOn(colorOf(face));
        const ImVec2 place = block3d.inWindow(centre);
        list.AddText(font, size,
                     {std::floor(place.x - extent.x / 2), std::floor(place.y - extent.y / 2)},
                     packed(ink), label.c_str());
    }
}

void axisArrow(const Block3d& block3d, const Block3dAxis& axis) {
    const Look& look = block3d.context.ui.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto beside = [&](Point point, float distance) {
        return block3d.inWindow(
            {point.x + axis.outward.x * distance, point.y + axis.outward.y * distance});
    };
    const auto centred = [&](ImFont* font, Rgb color, ImVec2 place, std::string_view words) {
        textAt(list, font, color, {place.x, place.y - font->FontSize / 2}, words, 0.5F);
    };
    const float length = std::hypot(axis.to.x - axis.from.x, axis.to.y - axis.from.y);
    ImFont* const numbers = look.fonts.smallNumber;
    const ImVec2 digits = measured(numbers, "000");
    if (!axis.ticks.empty()) {
        // Numbers every 1, 2, 4, 8 … cubes, as far apart as they need along this axis.
        const float room =
            1.2F * (std::abs(axis.outward.y) * digits.x + std::abs(axis.outward.x) * digits.y);
        const float step = length / static_cast<float>(axis.ticks.size());
        std::size_t every = 1;
        while (static_cast<float>(every) * step < room && every < axis.ticks.size()) every *= 2;
        for (std::size_t i = 0; i < axis.ticks.size(); i += every) {
            centred(numbers, look.colors.faint, beside(axis.ticks[i].at, look.px(14)),
                    std::to_string(axis.ticks[i].number));
        }
    }
    const float away = look.px(axis.ticks.empty() ? 12 : 29);
    const ImVec2 from = beside(axis.from, away);
    const ImVec2 to = beside(axis.to, away);
    const ImVec2 along{(axis.to.x - axis.from.x) / length, (axis.to.y - axis.from.y) / length};
    const ImVec2 out{axis.outward.x, axis.outward.y};
    const float head = look.px(7);
    const ImU32 color = packed(look.colors.muted);
    const ImVec2 neck{to.x - along.x * head, to.y - along.y * head};
    list.AddLine(from, neck, color, look.px(1.5F));
    list.AddTriangleFilled(to, {neck.x + out.x * head / 2, neck.y + out.y * head / 2},
                           {neck.x - out.x * head / 2, neck.y - out.y * head / 2}, color);
    // The name stands beside the middle of the arrow, on the outer side: in two lines at the left
    // and right, where there is little width.
    ImFont* const font = look.fonts.small;
    std::vector<std::string> lines{axis.name + "  " + axis.extent};
    // Little room: below, the names of two axes stand side by side.
    if (block3d.camera.width < look.px(400)) lines = {axis.name};
    if (std::abs(out.x) > 0.8F) lines = {axis.name, axis.extent};
    float width = 0;
    for (const std::string& line : lines) width = std::max(width, measured(font, line).x);
    const float height = font->FontSize * static_cast<float>(lines.size());
    const float clear = look.px(8) + std::abs(out.x) * width / 2 + std::abs(out.y) * height / 2;
    // Wholly inside the picture.
    const ImVec2 middle{std::clamp((from.x + to.x) / 2 + out.x * clear, block3d.at.x + width / 2,
                                   std::max(block3d.at.x + block3d.camera.width - width / 2,
                                            block3d.at.x + width / 2)),
                        std::clamp((from.y + to.y) / 2 + out.y * clear, block3d.at.y + height / 2,
                                   std::max(block3d.at.y + block3d.camera.height - height / 2,
                                            block3d.at.y + height / 2))};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const float down = (static_cast<float>(i) + 0.5F) * font->FontSize - height / 2;
        centred(font, look.colors.muted, {middle.x, middle.y + down}, lines[i]);
    }
}

/// A line round the sides of a cube that look this way, through whatever lies before it.
void outlineCube(const Block3d& block3d, Index3 thread) {
    const Look& look = block3d.context.ui.look;
    const std::uint32_t rank = threadRankInBlock(thread, block3d.layout.block).value;
    const auto cube = std::ranges::find(block3d.layout.cubes, rank, &Block3dCube::rank);
    if (cube == block3d.layout.cubes.end()) return;
    Block3dLayout alone{.block = block3d.layout.block,
                        .apart = false,
                        .cubes = {*cube},
                        .warps = {},
                        .low = {},
                        .high = {}};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto faces = facesTowards(alone, block3d.camera.eye, {});
    for (const auto& [color, width] :
         {std::pair(look.colors.panel, look.snap(5)), std::pair(look.colors.text, look.snap(2))}) {
        for (const Block3dFace& face : faces) {
            const auto corners = block3d.cornersOf(face);
            list.AddPolyline(corners.data(), 4, packed(color), ImDrawFlags_Closed, width);
        }
    }
}

void pointedCube(const Block3d& block3d, bool pressed, Commands& commands) {
    const MapContext& context = block3d.context;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto rank =
        cubeAt(block3d.layout, block3d.camera, {mouse.x - block3d.at.x, mouse.y - block3d.at.y},
               context.state.selection.warp);
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
    Block3d block3d{context, at, layOutBlock3d(state.shown.launch.block, state.block3d),
                    {},      {}, wastedMask(context.guard, state.selection.block)};
    // The axes stand at the left and below.
    block3d.camera = lookAt(block3d.layout, state.block3d,
                            {.width = extent.x,
                             .height = extent.y,
                             .left = std::min(look.px(112), extent.x * 0.2F),
                             .right = std::min(look.px(60), extent.x * 0.1F),
                             .above = look.px(8),
                             .below = std::min(look.px(58), extent.y * 0.3F),
                             .largestCube = look.snap(84)});
    block3d.faces = facesTowards(block3d.layout, block3d.camera.eye, state.selection.warp);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(at, {at.x + extent.x, at.y + extent.y}, true);
    Block3dPicture picture;
    picture.rect = {at.x, at.y, extent.x, extent.y};
    picture.toClip = block3d.camera.toClip;
    picture.faces = block3d.faces;  // whose numbers are drawn over it
    picture.wasted = block3d.wasted;
    picture.lineWidth = look.snap(1);
    picture.fade = context.stale ? 0.35F : 1;
    picture.background = look.colors.panel;
    picture.outline = look.colors.faint;
    context.canvas.add(list, std::move(picture));
    threadText(block3d);
    for (const Block3dAxis& axis : axesOf(block3d.layout, state.block3d, block3d.camera)) {
        axisArrow(block3d, axis);
    }
    if (state.selection.thread) outlineCube(block3d, *state.selection.thread);
    list.PopClipRect();

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
