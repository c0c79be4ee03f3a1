#include "app/window/panels/solid_picture.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>
#include <vector>

#include "app/drawing/solid_axes.h"
#include "app/window/panels/solid_controls.h"

namespace warplens::window {
namespace {

constexpr float degreesPerPixel = 0.4F;
constexpr float zoomPerNotch = 1.15F;

/// The solid in its place in the window.
struct Solid final {
    const Scene& scene;
    ImVec2 at;
    SolidLayout layout;
    SolidCamera camera;
    std::vector<SolidFace> faces;
    WastedMask wasted{};

    [[nodiscard]] ImVec2 inWindow(Point point) const { return {at.x + point.x, at.y + point.y}; }
    [[nodiscard]] std::array<ImVec2, 4> cornersOf(const SolidFace& face) const {
        return {inWindow(camera.project(face.at(0, 0))), inWindow(camera.project(face.at(1, 0))),
                inWindow(camera.project(face.at(1, 1))), inWindow(camera.project(face.at(0, 1)))};
    }
};

/// Height of the digits on the faces across each axis, of one size for all of them; 0 where they
/// could not be read.
std::array<float, 3> digitSizes(const Solid& solid) {
    const Look& look = solid.scene.pen.look;
    const glm::vec3 middle = (solid.layout.low + solid.layout.high) / 2.0F;
    std::array<float, 3> sizes{};
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        const auto corners = solid.cornersOf({.axis = axis, .corner = middle - 0.5F});
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

void threadText(const Solid& solid) {
    const Look& look = solid.scene.pen.look;
    if (solid.scene.stale) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const font = look.fonts.strong;
    const std::optional<WarpRank> held = solid.scene.state.selection.warp;
    const std::array<float, 3> sizes = digitSizes(solid);
    for (const SolidFace& face : solid.faces) {
        const float size = sizes.at(face.axis);
        if (face.layer != SolidLayer::full || size == 0) continue;
        const Point centre = solid.camera.project(face.centre());
        // Only warps that are apart can hide one another's faces.
        if (solid.layout.apart && cubeAt(solid.layout, solid.camera, centre, held) != face.rank) {
            continue;
        }
        const WarpRank warp = warpRankInBlock({face.rank});
        const bool wasted = (solid.wasted.at(warp.value) >> laneIndex({face.rank}).value & 1) != 0;
        const std::string label = std::to_string(warp.value);
        const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, label.c_str());
        const Rgb ink = wasted                         ? look.colors.text
                        : takesDarkText(colorOf(face)) ? 0x000000
                                                       : 0xffffff;
        const ImVec2 place = solid.inWindow(centre);
        list.AddText(font, size,
                     {std::floor(place.x - extent.x / 2), std::floor(place.y - extent.y / 2)},
                     packed(ink), label.c_str());
    }
}

void axisArrow(const Solid& solid, const SolidAxis& axis) {
    const Look& look = solid.scene.pen.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto beside = [&](Point point, float distance) {
        return solid.inWindow(
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
    // and right, where width is dear.
    ImFont* const font = look.fonts.small;
    std::vector<std::string> lines{axis.name + "  " + axis.extent};
    // Little room: below, the names of two axes stand side by side.
    if (solid.camera.width < look.px(400)) lines = {axis.name};
    if (std::abs(out.x) > 0.8F) lines = {axis.name, axis.extent};
    float width = 0;
    for (const std::string& line : lines) width = std::max(width, measured(font, line).x);
    const float height = font->FontSize * static_cast<float>(lines.size());
    const float clear = look.px(8) + std::abs(out.x) * width / 2 + std::abs(out.y) * height / 2;
    // Wholly inside the picture.
    const ImVec2 middle{
        std::clamp((from.x + to.x) / 2 + out.x * clear, solid.at.x + width / 2,
                   std::max(solid.at.x + solid.camera.width - width / 2, solid.at.x + width / 2)),
        std::clamp(
            (from.y + to.y) / 2 + out.y * clear, solid.at.y + height / 2,
            std::max(solid.at.y + solid.camera.height - height / 2, solid.at.y + height / 2))};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const float down = (static_cast<float>(i) + 0.5F) * font->FontSize - height / 2;
        centred(font, look.colors.muted, {middle.x, middle.y + down}, lines[i]);
    }
}

/// A line round the sides of a cube that look this way, through whatever lies before it.
void outlineCube(const Solid& solid, Index3 thread) {
    const Look& look = solid.scene.pen.look;
    const std::uint32_t rank = threadRankInBlock(thread, solid.layout.block).value;
    const auto cube = std::ranges::find(solid.layout.cubes, rank, &SolidCube::rank);
    if (cube == solid.layout.cubes.end()) return;
    SolidLayout alone{.block = solid.layout.block,
                      .apart = false,
                      .cubes = {*cube},
                      .warps = {},
                      .low = {},
                      .high = {}};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto faces = facesTowards(alone, solid.camera.eye, {});
    for (const auto& [color, width] :
         {std::pair(look.colors.panel, look.snap(5)), std::pair(look.colors.text, look.snap(2))}) {
        for (const SolidFace& face : faces) {
            const auto corners = solid.cornersOf(face);
            list.AddPolyline(corners.data(), 4, packed(color), ImDrawFlags_Closed, width);
        }
    }
}

void pointedCube(const Solid& solid, bool pressed, Commands& commands) {
    const Scene& scene = solid.scene;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto rank =
        cubeAt(solid.layout, solid.camera, {mouse.x - solid.at.x, mouse.y - solid.at.y},
               scene.state.selection.warp);
    if (!rank) return;
    const WarpRank warp = warpRankInBlock({*rank});
    if (*rank < solid.layout.block.count()) {
        pointedThread(scene, threadIndexInBlock({*rank}, solid.layout.block), commands);
        if (pressed) commands.emplace_back(ToggleWarp{warp});
    } else {
        tooltip(scene.pen, "lane " + std::to_string(laneIndex({*rank}).value) + " of warp " +
                               std::to_string(warp.value) + ": idle, there is no thread for it");
    }
}

void orbit(const Solid& solid, Commands& commands) {
    const ImGuiIO& io = ImGui::GetIO();
    const SolidView& view = solid.scene.state.solid;
    if (ImGui::IsItemActive() && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        const bool left = ImGui::IsMouseDragging(ImGuiMouseButton_Left);
        const bool other = ImGui::IsMouseDragging(ImGuiMouseButton_Right) ||
                           ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
        if (other || (left && io.KeyShift)) {
            const float cubes = 1 / (solid.camera.pixelsPerCube * view.zoom);
            commands.emplace_back(FrameSolid{view.zoom, view.panX + io.MouseDelta.x * cubes,
                                             view.panY + io.MouseDelta.y * cubes});
        } else if (left) {
            commands.emplace_back(
                TurnSolid{io.MouseDelta.x * degreesPerPixel, io.MouseDelta.y * degreesPerPixel});
        }
    }
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        const SolidView next =
            zoomedAt(view, solid.camera, {io.MousePos.x - solid.at.x, io.MousePos.y - solid.at.y},
                     std::pow(zoomPerNotch, io.MouseWheel));
        commands.emplace_back(FrameSolid{next.zoom, next.panX, next.panY});
    }
}

}  // namespace

void drawSolidPicture(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands) {
    const Look& look = scene.pen.look;
    const AppState& state = scene.state;
    // The block needs the room first.
    const bool roomy = size.y >= look.px(230);
    const float controls = roomy ? solidControlsHeight(scene.pen) : 0;
    at = {std::floor(at.x), std::floor(at.y)};
    const ImVec2 extent{std::max(1.0F, std::floor(size.x)),
                        std::max(1.0F, std::floor(size.y - controls))};
    Solid solid{scene, at, layOutSolid(state.shown.launch.block, state.solid),
                {},    {}, wastedMask(scene.guard, state.selection.block)};
    // The axes stand at the left and below.
    solid.camera = lookAt(solid.layout, state.solid,
                          {.width = extent.x,
                           .height = extent.y,
                           .left = std::min(look.px(112), extent.x * 0.2F),
                           .right = std::min(look.px(60), extent.x * 0.1F),
                           .above = look.px(8),
                           .below = std::min(look.px(58), extent.y * 0.3F),
                           .largestCube = look.snap(84)});
    solid.faces = facesTowards(solid.layout, solid.camera.eye, state.selection.warp);

    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(at, {at.x + extent.x, at.y + extent.y}, true);
    SolidPicture picture;
    picture.rect = {at.x, at.y, extent.x, extent.y};
    picture.toClip = solid.camera.toClip;
    picture.faces = solid.faces;
    picture.wasted = solid.wasted;
    picture.lineWidth = look.snap(1);
    picture.fade = scene.stale ? 0.35F : 1;
    picture.ground = look.colors.panel;
    picture.outline = look.colors.faint;
    scene.canvas.add(list, picture);
    threadText(solid);
    for (const SolidAxis& axis : axesOf(solid.layout, state.solid, solid.camera)) {
        axisArrow(solid, axis);
    }
    if (state.selection.thread) outlineCube(solid, *state.selection.thread);
    list.PopClipRect();

    ImGui::SetCursorScreenPos(at);
    const bool pressed = ImGui::InvisibleButton("solid", extent,
                                                ImGuiButtonFlags_MouseButtonLeft |
                                                    ImGuiButtonFlags_MouseButtonRight |
                                                    ImGuiButtonFlags_MouseButtonMiddle);
    scene.pen.mark("solid");
    orbit(solid, commands);
    const ImGuiIO& io = ImGui::GetIO();
    // Once the pointer has moved, the press is a drag until it ends.
    const bool dragged =
        io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
    const bool dragging = ImGui::IsItemActive() && dragged;
    if (ImGui::IsItemHovered() && !dragging) {
        pointedCube(solid, pressed && !dragged && ImGui::IsMouseReleased(ImGuiMouseButton_Left),
                    commands);
    }
    if (roomy) drawSolidControls(scene.pen, state, {at.x, at.y + extent.y}, extent.x, commands);
}

}  // namespace warplens::window
