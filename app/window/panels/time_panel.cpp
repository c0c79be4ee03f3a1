#include <algorithm>
#include <cmath>

#include "app/window/panels/block3d_picture.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/panels.h"
#include "app/window/state/showing.h"
#include "core/launch/mapping.h"
#include "core/measurement/value_text.h"

namespace warplens::window {
namespace {

void chooseRows(const UiContext& ui, const AppState& state, const Schedule& schedule,
                Commands& commands) {
    const auto choice = [&](const std::string& label, TimeRows rows, const char* mark,
                            const char* help) {
        if (plainButton(ui, label.c_str(), true,
                        !showsModel(state) && shownRows(state.time, schedule) == rows)) {
            commands.emplace_back(SetTimeView{{rows, {}, {}}});
        }
        ui.mark(mark);
        tooltip(ui, help);
        ImGui::SameLine(0, ui.look.px(4));
    };
    choice("All SMs", TimeRows::sms, "time.sms", "A row for each SM");
    choice("SM " + std::to_string(schedule.followedSm), TimeRows::warps, "time.warps",
           "A row for each place of a warp on the SM that ran block 0");
    if (plainButton(ui, "Model", true, showsModel(state))) {
        commands.emplace_back(SetTimeView{{TimeRows::model, {}, {}}});
    }
    ui.mark("time.model");
    tooltip(ui, "One SM, its schedulers and warps, cycle by cycle; a model");
    if (showsModel(state)) return;
    ImGui::SameLine(0, ui.look.px(12));
    if (plainButton(ui, "Whole", !(shownSpan(state.time, schedule) == drawing::TimeSpan{}))) {
        commands.emplace_back(SetTimeView{{state.time.rows, drawing::TimeSpan{}, {}}});
    }
    ui.mark("time.whole");
    tooltip(ui, "The whole recorded time; the wheel zooms, a drag moves");
}

/// Wheel and drag over the plot, and a click on a block.
void takePointer(const AppState& state, const Schedule& schedule,
                 const drawing::ScheduleChart& chart, Commands& commands) {
    const ImGuiIO& io = ImGui::GetIO();
    const double about = std::clamp(
        static_cast<double>((io.MousePos.x - chart.plot.left) / chart.plot.width()), 0.0, 1.0);
    const drawing::TimeSpan before = shownSpan(state.time, schedule);
    drawing::TimeSpan span = before;
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        span = drawing::zoomed(span, std::pow(1.25, io.MouseWheel), about);
    }
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
        span = drawing::moved(span, -io.MouseDelta.x / chart.plot.width());
    }
    if (!(span == before)) commands.emplace_back(SetTimeView{{state.time.rows, span, {}}});
    if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left) && chart.block &&
        io.MouseDragMaxDistanceSqr[0] < io.MouseDragThreshold * io.MouseDragThreshold) {
        commands.emplace_back(
            ChooseBlock{blockIndexInGrid(*chart.block, state.view.experiment.launch.grid)});
    }
}

}  // namespace

Commands drawTimePanel(const UiContext& ui, const AppState& state) {
    Commands commands;
    const Look& look = ui.look;
    const float room = ImGui::GetContentRegionAvail().x;
    const float titled = drawBlockViewChoice(ui, state, commands);
    const std::optional<Result> result = shownResult(state);
    const bool recorded = result && result->measurement->schedule;
    if (showsModel(state)) {
        text(look.fonts.title, look.colors.text,
             fitted(look.fonts.title, "One SM, modelled", titled));
        space(ui, 6);
        if (recorded) chooseRows(ui, state, *result->measurement->schedule, commands);
        drawModel(ui, state, commands);
        return commands;
    }
    const bool ofWarps =
        recorded && shownRows(state.time, *result->measurement->schedule) == TimeRows::warps;
    text(look.fonts.title, look.colors.text,
         fitted(look.fonts.title, ofWarps ? "Warps over time" : "Blocks over time", titled));
    space(ui, 6);
    const Schedule& schedule = *result->measurement->schedule;
    chooseRows(ui, state, schedule, commands);
    space(ui, 4);
    const bool low = ImGui::GetContentRegionAvail().y < look.px(260);
    const std::vector<std::string> lines = ofWarps ? warpsInWords(schedule) : inWords(schedule);
    std::string all;
    for (const std::string& line : lines) all += (all.empty() ? "" : "  ·  ") + line;
    if (low) {
        text(look.fonts.small, look.colors.muted, fitted(look.fonts.small, all, room));
    } else {
        wrapped(look.fonts.body, look.colors.muted, all);
    }
    ui.mark("time.words");
    const std::string from = "time stamps taken on " + result->measurement->device.name +
                             (result->recorded ? ", recorded " : ", ") +
                             dayOf(result->measurement->takenAt) + "; CUDA promises no order";
    text(look.fonts.small, look.colors.faint, fitted(look.fonts.small, from, room));
    space(ui, 6);

    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    if (size.x < look.px(120) || size.y < look.px(90)) return commands;
    ImGui::InvisibleButton("schedule", size);
    ui.mark("time.chart");
    const auto prepare = ofWarps ? drawing::prepareWarpChart : drawing::prepareSmChart;
    const drawing::ScheduleChart chart =
        prepare(schedule, drawArea(look, at, {at.x + size.x, at.y + size.y}),
                shownSpan(state.time, schedule), pointerOnItem());
    paint(*ImGui::GetWindowDrawList(), look.fonts, chart.items);
    takePointer(state, schedule, chart, commands);
    if (!chart.pointed.empty()) tooltip(ui, chart.pointed);
    return commands;
}

}  // namespace warplens::window
