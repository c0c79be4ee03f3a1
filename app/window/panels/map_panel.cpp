#include "app/window/panels/map_panel.h"

#include "app/drawing/elements.h"
#include "app/window/panels/panels.h"
#include "app/window/state/cameras.h"
#include "app/window/state/timeline.h"
#include "core/text/format.h"

namespace warplens::window {

MapContext mapContextOf(const UiContext& ui, MappingCanvas& canvas) {
    const BlockGuard guard = blockGuard(ui.state.view.experiment);
    return {ui,
            canvas,
            ui.state,
            guard,
            countBlockCases(guard, ui.state.view.experiment.launch.grid),
            !isDrawable(ui.state.edit),
            lanesAtStep(ui.state)};
}

MapPicture MapContext::map(ImVec2 at, const MapLayout& layout, const MapArea& area) const {
    const Colors& c = ui.colors;
    MapPicture result{};
    result.rect = {at.x, at.y, area.width, area.height};
    result.layout = layout;
    result.area = area;
    result.guard = guard;
    result.caseColors = c.cases;
    result.cases = guarded();
    result.chosen = state.view.block;
    result.heldWarp = state.view.warp ? static_cast<int>(state.view.warp->value) : -1;
    result.lineWidth = ui.snap(1);
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

void pointedThread(const MapContext& context, Index3 thread) {
    context.ui.issue(PointAtThread{thread});
    ImGui::BeginTooltip();
    drawThreadFacts(context.ui, context.state.view.block, thread);
    ImGui::EndTooltip();
}

void pointAway(const UiContext& ui) {
    const bool pointing = std::ranges::any_of(
        ui.commands, [](const Command& command) { return command.is<PointAtThread>(); });
    if (!pointing && ui.state.pointed && ImGui::IsMousePosValid()) ui.issue(PointAtThread{});
}

std::string blockName(const AppState& state, Index3 block) {
    return "block " + toText(block) + ", number " +
           groupedDigits(blockRankInGrid(block, state.view.experiment.launch.grid));
}

void idleLane(const UiContext& ui, WarpRank warp, LaneIndex lane) {
    tooltip(ui, "lane " + std::to_string(lane.value) + " of warp " + std::to_string(warp.value) +
                    ": idle, there is no thread for it");
}

namespace {

/// One notch of the wheel.
constexpr float wheelZoom = 1.25F;

/// How many of its threads have no element, where the problem ends inside the grid.
std::string wasteOf(const MapContext& context, Index3 block) {
    if (!context.guarded()) return {};
    const Index3 useful = context.guard.usefulThreads(block);
    const std::uint64_t working = std::uint64_t{useful.x} * useful.y * useful.z;
    const std::uint64_t wasted = context.guard.block.count() - working;
    return std::string("\n") + nameOf(context.guard.caseOf(block)) + ": " +
           counted(wasted, "wasted thread") + " of " + groupedDigits(context.guard.block.count());
}

void tellWarp(const MapContext& context, const MapHit& hit) {
    const std::uint32_t first = firstThreadOfWarp(*hit.warp).value;
    const std::uint32_t last = first + threadCountInWarp(*hit.warp, context.guard.block) - 1;
    tooltip(context.ui, "warp " + std::to_string(hit.warp->value) + ": threads " +
                            std::to_string(first) + " to " + std::to_string(last) + "\nof " +
                            blockName(context.state, hit.block) + wasteOf(context, hit.block));
}

void tellBlock(const MapContext& context, const MapFrame& frame, const MapHit& hit) {
    std::string words = blockName(context.state, hit.block) + wasteOf(context, hit.block);
    if (hit.detail == MapDetail::field) words = describeScale(frame) + "; in its middle\n" + words;
    tooltip(context.ui, words);
}

void point(const MapContext& context, const MapFrame& frame, const MapHit& hit) {
    if (hit.thread && hit.block == context.state.view.block) {
        pointedThread(context, *hit.thread);
    } else if (hit.thread) {
        ImGui::BeginTooltip();
        drawThreadFacts(context.ui, hit.block, *hit.thread);
        ImGui::EndTooltip();
    } else if (hit.warp) {
        tellWarp(context, hit);
    } else {
        tellBlock(context, frame, hit);
    }
}

void click(const MapContext& context, const std::optional<MapHit>& hit) {
    if (!hit) return;
    if (hit->block != context.state.view.block) {
        // The camera stays: what was clicked must not slip from under the pointer.
        if (context.state.view.map == MapFollows::block) {
            context.ui.issue(Show{.map = MapFollows::nothing});
        }
        context.ui.issue(ChooseBlock{hit->block});
    } else if (hit->warp) {
        context.ui.issue(ToggleWarp{*hit->warp});
    }
}

void doubleClick(const MapContext& context, const std::optional<MapHit>& hit) {
    if (!hit || context.state.view.map == MapFollows::block) {
        context.ui.issue(Show{.map = MapFollows::grid});
        return;
    }
    context.ui.issue(ChooseBlock{hit->block});
    context.ui.issue(Show{.map = MapFollows::block});
}

/// What the mouse does on the item just submitted.
void steer(const MapContext& context, const MapFrame& frame) {
    const ImGuiIO& io = ImGui::GetIO();
    const float slack = io.MouseDragThreshold;
    const Point pixel{io.MousePos.x - frame.at.x, io.MousePos.y - frame.at.y};
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, slack)) {
        const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, slack);
        ImGui::ResetMouseDragDelta(ImGuiMouseButton_Left);
        if (drag.x != 0 || drag.y != 0) context.ui.issue(PanMap{drag.x, drag.y});
        return;
    }
    if (!ImGui::IsItemHovered()) return;
    const auto hit = pick(frame.camera, frame.layout, frame.area, pixel);
    if (io.MouseWheel != 0) {
        context.ui.issue(ZoomMap{std::pow(double{wheelZoom}, double{io.MouseWheel}), pixel});
    }
    const bool dragged = io.MouseDragMaxDistanceSqr[0] >= slack * slack;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        doubleClick(context, hit);
    } else if (ImGui::IsItemDeactivated() && !dragged) {
        click(context, hit);
    }
    if (hit) point(context, frame, *hit);
}

}  // namespace

MapFrame mapFrame(const MapContext& context, ImVec2 at, ImVec2 size) {
    const Look& look = context.ui.look;
    ImFont* const font = look.fonts.smallNumber;
    const bool slices = context.state.view.experiment.launch.block.z > 1;
    MapArea area;
    area.width = std::max(1.0F, std::floor(size.x));
    area.height = std::max(1.0F, std::floor(size.y));
    area.left = measured(font, "0000").x + look.px(8);
    area.above = look.fonts.small->FontSize + font->FontSize * (slices ? 2.0F : 1.0F) + look.px(12);
    // The names of the axes stand above the numbers, outside of the block's plate.
    if (slices && size.y > look.px(250)) area.above += look.px(16);
    area.gapX = look.px(26);
    area.gapY = font->FontSize * (slices ? 2.0F : 1.0F) + look.px(8);
    area.largestCell = look.snap(72);
    area.line = look.snap(1);
    // Cells too small for numbers beside them have the room of these.
    if (context.state.view.map == MapFollows::block &&
        layOutMap(context.state.view.experiment.launch, area).fittedCell < leastCellWithAxes)
        area.left = area.above = look.px(4);
    MapFrame frame{area, {}, {}, {std::floor(at.x), std::floor(at.y)}};
    // The room of this frame: the state hears of it afterwards.
    const MapView view = viewOn(context.state, area);
    frame.layout = layOutMap(context.state.view.experiment.launch, view.area);
    frame.camera = mapCamera(context.state, view, frame.layout);
    return frame;
}

void drawMap(const MapContext& context, const MapFrame& frame) {
    const ImVec2 size{frame.area.width, frame.area.height};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float others =
        neighbourStrength(frame.camera, frame.layout, frame.area, context.state.view.block);
    MapPicture picture = context.map(frame.at, frame.layout, frame.area);
    picture.camera = frame.camera;
    picture.others = others;
    list.PushClipRect(frame.at, {frame.at.x + size.x, frame.at.y + size.y}, true);
    context.canvas.add(list, picture);
    drawMapLabels(context, frame, others);
    drawIdleCells(context, frame);
    list.PopClipRect();
    ImGui::SetCursorScreenPos(frame.at);
    ImGui::InvisibleButton("map", size);
    context.ui.mark("map");
    steer(context, frame);
    if (frame.area != context.state.map.area) context.ui.issue(SetMapArea{frame.area});
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
