#include "app/window/panels/map_panel.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/elements.h"
#include "app/window/panels/map_labels.h"
#include "app/window/panels/mapping_parts.h"
#include "app/window/state/map_view.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// One notch of the wheel.
constexpr float wheelZoom = 1.25F;

std::string counted(std::uint64_t count, const char* one) {
    return groupedDigits(count) + " " + one + (count == 1 ? "" : "s");
}

std::string blockName(const Scene& scene, Index3 block) {
    const Launch& launch = scene.state.shown.launch;
    return "block " + toText(block) + ", number " +
           groupedDigits(blockRankInGrid(block, launch.grid));
}

/// How many of its threads have no element, where the problem ends inside the grid.
std::string wasteOf(const Scene& scene, Index3 block) {
    if (!scene.guarded()) return {};
    const Index3 useful = scene.guard.usefulThreads(block);
    const std::uint64_t working = std::uint64_t{useful.x} * useful.y * useful.z;
    const std::uint64_t wasted = scene.guard.block.count() - working;
    return std::string("\n") + nameOf(scene.guard.caseOf(block)) + ": " +
           counted(wasted, "wasted thread") + " of " + groupedDigits(scene.guard.block.count());
}

void tellWarp(const Scene& scene, const MapHit& hit) {
    const std::uint32_t first = firstThreadOfWarp(*hit.warp).value;
    const std::uint32_t last = first + threadCountInWarp(*hit.warp, scene.guard.block) - 1;
    tooltip(scene.pen, "warp " + std::to_string(hit.warp->value) + ": threads " +
                           std::to_string(first) + " to " + std::to_string(last) + "\nof " +
                           blockName(scene, hit.block) + wasteOf(scene, hit.block));
}

void tellBlock(const Scene& scene, const MapFrame& frame, const MapHit& hit) {
    std::string words = blockName(scene, hit.block) + wasteOf(scene, hit.block);
    if (hit.detail == MapDetail::field) words = describeScale(frame) + "; in its middle\n" + words;
    tooltip(scene.pen, words);
}

void point(const Scene& scene, const MapFrame& frame, const MapHit& hit, Commands& commands) {
    if (hit.thread && hit.block == scene.state.selection.block) {
        pointedThread(scene, *hit.thread, commands);
    } else if (hit.thread) {
        ImGui::BeginTooltip();
        drawThreadFacts(scene.pen, scene.state.shown, hit.block, *hit.thread);
        ImGui::EndTooltip();
    } else if (hit.warp) {
        tellWarp(scene, hit);
    } else {
        tellBlock(scene, frame, hit);
    }
}

void click(const Scene& scene, const std::optional<MapHit>& hit, Commands& commands) {
    if (!hit) return;
    if (hit->block != scene.state.selection.block) {
        // The camera stays: what was clicked must not slip from under the pointer.
        if (scene.state.map.follows == MapFollows::block) {
            commands.emplace_back(FitMap{MapFollows::nothing});
        }
        commands.emplace_back(ChooseBlock{hit->block});
    } else if (hit->warp) {
        commands.emplace_back(ToggleWarp{*hit->warp});
    }
}

void doubleClick(const Scene& scene, const std::optional<MapHit>& hit, Commands& commands) {
    if (!hit || scene.state.map.follows == MapFollows::block) {
        commands.emplace_back(FitMap{MapFollows::grid});
        return;
    }
    commands.emplace_back(ChooseBlock{hit->block});
    commands.emplace_back(FitMap{MapFollows::block});
}

/// What the mouse does on the item just submitted.
void steer(const Scene& scene, const MapFrame& frame, Commands& commands) {
    const ImGuiIO& io = ImGui::GetIO();
    const float slack = io.MouseDragThreshold;
    const Point pixel{io.MousePos.x - frame.at.x, io.MousePos.y - frame.at.y};
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, slack)) {
        const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, slack);
        ImGui::ResetMouseDragDelta(ImGuiMouseButton_Left);
        if (drag.x != 0 || drag.y != 0) commands.emplace_back(PanMap{drag.x, drag.y});
        return;
    }
    if (!ImGui::IsItemHovered()) return;
    const auto hit = pick(frame.camera, frame.layout, frame.sheet, pixel);
    if (io.MouseWheel != 0) {
        commands.emplace_back(ZoomMap{std::pow(double{wheelZoom}, double{io.MouseWheel}), pixel});
    }
    const bool dragged = io.MouseDragMaxDistanceSqr[0] >= slack * slack;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        doubleClick(scene, hit, commands);
    } else if (ImGui::IsItemDeactivated() && !dragged) {
        click(scene, hit, commands);
    }
    if (hit) point(scene, frame, *hit, commands);
}

}  // namespace

MapFrame mapFrame(const Scene& scene, ImVec2 at, ImVec2 size) {
    const Look& look = scene.pen.look;
    ImFont* const font = look.fonts.smallNumber;
    const bool slices = scene.state.shown.launch.block.z > 1;
    MapSheet sheet;
    sheet.width = std::max(1.0F, std::floor(size.x));
    sheet.height = std::max(1.0F, std::floor(size.y));
    sheet.left = measured(font, "0000").x + look.px(8);
    sheet.above =
        look.fonts.small->FontSize + font->FontSize * (slices ? 2.0F : 1.0F) + look.px(12);
    sheet.gapX = look.px(26);
    sheet.gapY = font->FontSize * (slices ? 2.0F : 1.0F) + look.px(8);
    sheet.largestCell = look.snap(72);
    sheet.line = look.snap(1);
    MapFrame frame{sheet, {}, {}, {std::floor(at.x), std::floor(at.y)}};
    // The room of this frame: the state hears of it afterwards.
    if (scene.state.map.sheet == sheet) {
        frame.layout = mapLayout(scene.state);
        frame.camera = mapCamera(scene.state, frame.layout);
    } else {
        AppState next = scene.state;
        setMapSheet(next, sheet);
        frame.layout = mapLayout(next);
        frame.camera = mapCamera(next, frame.layout);
    }
    return frame;
}

void drawMap(const Scene& scene, const MapFrame& frame, Commands& commands) {
    const ImVec2 size{frame.sheet.width, frame.sheet.height};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float others =
        neighbourStrength(frame.camera, frame.layout, frame.sheet, scene.state.selection.block);
    MappingPicture picture = scene.picture(frame.at, size);
    MapPicture map = scene.map(frame.layout, frame.sheet);
    map.camera = frame.camera;
    map.others = others;
    picture.what = map;
    list.PushClipRect(frame.at, {frame.at.x + size.x, frame.at.y + size.y}, true);
    scene.canvas.add(list, picture);
    drawMapLabels(scene, frame, others);
    list.PopClipRect();
    ImGui::SetCursorScreenPos(frame.at);
    ImGui::InvisibleButton("map", size);
    scene.pen.mark("map");
    steer(scene, frame, commands);
    if (frame.sheet != scene.state.map.sheet) commands.emplace_back(SetMapSheet{frame.sheet});
}

std::string describeScale(const MapFrame& frame) {
    switch (detailOf(frame.layout, frame.camera.cell)) {
        case MapDetail::threads:
            return "a square is a thread";
        case MapDetail::warps:
            return "a colour is a warp";
        case MapDetail::blocks:
            return "a rectangle is a block";
        case MapDetail::field:
            break;
    }
    const double area =
        frame.camera.cell * frame.camera.cell * double{frame.layout.pitchX} * frame.layout.pitchY;
    const auto blocks = static_cast<std::uint64_t>(std::min(std::ceil(1 / area), 1e18));
    return blocks < 2 ? "a dot is a block" : "a dot is " + groupedDigits(blocks) + " blocks";
}

}  // namespace warplens::window
