#include <cmath>

#include "app/drawing/block3d_layout.h"
#include "app/window/panels/map_panel.h"
#include "app/window/panels/number_fields.h"
#include "app/window/panels/program_panels.h"
#include "app/window/panels/widgets.h"

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

void pointedCube(const Block3d& block3d, bool pressed) {
    const MapContext& context = block3d.context;
    const ImVec2 mouse = ImGui::GetMousePos();
    const auto rank =
        cubeAt(block3d.layout, block3d.camera, {mouse.x - block3d.at.x, mouse.y - block3d.at.y},
               context.state.view.warp);
    if (!rank) return;
    const WarpRank warp = warpRankInBlock({*rank});
    if (*rank < block3d.layout.block.count()) {
        pointedThread(context, threadIndexInBlock({*rank}, block3d.layout.block));
        if (pressed) context.ui.issue(ToggleWarp{warp});
    } else {
        idleLane(context.ui, warp, laneIndex({*rank}));
    }
}

void orbit(const Block3d& block3d) {
    const ImGuiIO& io = ImGui::GetIO();
    const Block3dView& view = block3d.context.state.block3d;
    if (ImGui::IsItemActive() && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
        const bool left = ImGui::IsMouseDragging(ImGuiMouseButton_Left);
        const bool other = ImGui::IsMouseDragging(ImGuiMouseButton_Right) ||
                           ImGui::IsMouseDragging(ImGuiMouseButton_Middle);
        if (other || (left && io.KeyShift)) {
            const float cubes = 1 / (block3d.camera.pixelsPerCube * view.zoom);
            block3d.context.ui.issue(FrameBlock3d{view.zoom, view.panX + io.MouseDelta.x * cubes,
                                                  view.panY + io.MouseDelta.y * cubes});
        } else if (left) {
            block3d.context.ui.issue(
                TurnBlock3d{io.MouseDelta.x * degreesPerPixel, io.MouseDelta.y * degreesPerPixel});
        }
    }
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        const Block3dView next = zoomedAt(
            view, block3d.camera, {io.MousePos.x - block3d.at.x, io.MousePos.y - block3d.at.y},
            std::pow(zoomPerNotch, io.MouseWheel));
        block3d.context.ui.issue(FrameBlock3d{next.zoom, next.panX, next.panY});
    }
}

constexpr std::array axisNames{"x", "y", "z"};

/// From and to; whichever is moved takes the other along.
void sliceControls(const UiContext& ui, std::size_t axis, ImVec2 at, float width) {
    const Extents block = ui.state.view.experiment.launch.block;
    const int last = static_cast<int>(std::array{block.x, block.y, block.z}.at(axis)) - 1;
    const IndexRange kept = ui.state.block3d.slices.at(axis);
    int from = static_cast<int>(kept.first);
    int to = static_cast<int>(std::min<std::uint32_t>(kept.last, static_cast<std::uint32_t>(last)));
    const std::string name = axisNames.at(axis);
    const float line = ImGui::GetFrameHeight();
    const float label = measured(ui.fonts.body, "x").x + ui.px(6);
    // One word between them: in them the grabs would lie on it.
    const float gap = measured(ui.fonts.body, "–").x + ui.px(8);
    const float each = std::floor((width - label - gap) / 2);
    textAt(*ImGui::GetWindowDrawList(), ui.fonts.body, ui.colors.muted,
           {at.x + label + each + gap / 2, at.y + (line - ui.fonts.body->FontSize) / 2}, "–", 0.5F);
    textAt(*ImGui::GetWindowDrawList(), ui.fonts.body, ui.colors.muted,
           {at.x, at.y + (line - ui.fonts.body->FontSize) / 2}, name);
    ImGui::BeginDisabled(last == 0);
    // A grab that cannot move would fill its slider.
    if (last == 0) ImGui::PushStyleColor(ImGuiCol_SliderGrab, packed(ui.colors.raised));
    ImGui::PushID(static_cast<int>(axis));
    const auto slider = [&](const char* id, float left, int& value, const char* words,
                            const std::string& mark) {
        ImGui::SetCursorScreenPos({left, at.y});
        ImGui::SetNextItemWidth(each);
        const bool moved =
            ImGui::SliderInt(id, &value, 0, last, words, ImGuiSliderFlags_AlwaysClamp);
        ui.mark(mark);
        return moved;
    };
    const bool fromMoved = slider("##from", at.x + label, from, "%d", "slice." + name + ".from");
    tooltip(ui, "Threads with a lower threadIdx." + name + " are cut away");
    const bool toMoved =
        slider("##to", at.x + label + each + gap, to, "%d", "slice." + name + ".to");
    tooltip(ui, "Threads with a higher threadIdx." + name + " are cut away");
    ImGui::PopID();
    if (last == 0) ImGui::PopStyleColor();
    ImGui::EndDisabled();
    if (fromMoved) to = std::max(from, to);
    if (toMoved) from = std::min(from, to);
    if (fromMoved || toMoved) {
        ui.issue(
            SliceBlock3d{axis, {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)}});
    }
}

void spreadControls(const UiContext& ui, ImVec2 at, float width) {
    const float button = buttonWidth(ui.fonts.body, "Reset");
    const float gap = ui.px(6);
    float apart = ui.state.block3d.apart;
    // Beside the slider: its grab would lie on the words.
    const std::string cubes = fixedNumber(apart, 1);
    const float most = width * 0.6F;
    std::string words = apart > 0 ? "warps " + cubes + " cubes apart" : "warps together";
    float label = measured(ui.fonts.body, "warps 0.0 cubes apart").x + gap;
    if (label > most) {
        words = apart > 0 ? "apart " + cubes : "together";
        label = measured(ui.fonts.body, "together").x + gap;
    }
    textAt(*ImGui::GetWindowDrawList(), ui.fonts.body, ui.colors.muted,
           {at.x, at.y + (ImGui::GetFrameHeight() - ui.fonts.body->FontSize) / 2}, words);
    ImGui::SetCursorScreenPos({at.x + label, at.y});
    ImGui::SetNextItemWidth(std::max(1.0F, width - label - button - gap));
    if (ImGui::SliderFloat("##apart", &apart, 0, farthestApart, "", ImGuiSliderFlags_AlwaysClamp)) {
        ui.issue(SpreadWarps{apart});
    }
    ui.mark("apart");
    tooltip(ui,
            "Moves the warps away from one another, in cubes  " + keysOf(actionOf(Act::spread)));
    ImGui::SetCursorScreenPos({at.x + width - button, at.y});
    actButton(ui, Act::resetBlock3d);
}

}  // namespace

void drawBlock3dPicture(const MapContext& context, ImVec2 at, ImVec2 size) {
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
    orbit(block3d);
    const ImGuiIO& io = ImGui::GetIO();
    // Once the pointer has moved, the press is a drag until it ends.
    const bool dragged =
        io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
    const bool dragging = ImGui::IsItemActive() && dragged;
    if (ImGui::IsItemHovered() && !dragging) {
        pointedCube(block3d, pressed && !dragged && ImGui::IsMouseReleased(ImGuiMouseButton_Left));
    }
    if (roomy) drawBlock3dControls(context.ui, {at.x, at.y + extent.y}, extent.x);
}

float drawBlockViewChoice(const UiContext& ui) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const float width = buttonWidth(ui.fonts.body, "Time");
    const float gap = ui.px(4);
    // Of a person's own launch nobody knows when its blocks ran.
    const bool own = showsProgram(ui.state);
    std::vector<PictureKind> choices;
    for (const PictureRow& row : pictures) {
        if (isInWindow(row) && !(own && row.picture == PictureKind::times)) {
            choices.push_back(row.picture);
        }
    }
    const bool known = std::ranges::find(choices, ui.state.view.picture) != choices.end();
    const PictureKind shown = known ? ui.state.view.picture : PictureKind::threads;
    float left = at.x + room - static_cast<float>(choices.size()) * (width + gap) + gap;
    const float source = buttonWidth(ui.fonts.body, actionOf(Act::source).label) + gap;
    const bool inItsPlace = own && programRoom(ui.look).isSmall();
    const float end = left - (inItsPlace ? source : 0) - at.x - 3 * gap;
    if (inItsPlace) {
        ImGui::SetCursorScreenPos({left - source, at.y});
        actButton(ui, Act::source);
    }
    for (const PictureKind picture : choices) {
        ImGui::SetCursorScreenPos({left, at.y});
        actButton(ui, actionOf(picture), shown == picture, nullptr, {width, 0});
        left += width + gap;
    }
    ImGui::SetCursorScreenPos(at);
    return end;
}

float block3dControlsHeight(const UiContext& ui) {
    return 2 * (ImGui::GetFrameHeight() + ui.px(6));
}

void drawBlock3dControls(const UiContext& ui, ImVec2 at, float width) {
    const Colors& c = ui.colors;
    // The axes side by side, or two to a row where there is little room.
    const int columns = width >= ui.px(480) ? 3 : 2;
    const float gap = ui.px(16);
    const float line = ImGui::GetFrameHeight() + ui.px(6);
    const auto across = static_cast<float>(columns);
    const float each = std::floor((width - (across - 1) * gap) / across);
    const auto place = [&](int i) {
        return ImVec2(at.x + static_cast<float>(i % columns) * (each + gap),
                      at.y + ui.px(6) + static_cast<float>(i / columns) * line);
    };
    // The words stand on the grabs.
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, packed(mixed(c.raised, c.accent, 0.45F)));
    ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, packed(mixed(c.raised, c.accent, 0.6F)));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        sliceControls(ui, axis, place(static_cast<int>(axis)), each);
    }
    const ImVec2 rest = place(3);
    spreadControls(ui, rest, at.x + width - rest.x);
    ImGui::PopStyleColor(2);
}

}  // namespace warplens::window
