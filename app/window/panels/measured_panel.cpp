#include "app/window/panels/measured_panel.h"

#include <algorithm>

#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/measured_groups.h"
#include "app/window/panels/number_table.h"
#include "app/window/panels/plots.h"
#include "app/window/panels/run_times.h"
#include "app/window/state/measured_numbers.h"
#include "core/measurement/value_text.h"

namespace warplens::window {
namespace {

/// `2026-11-21T09:30:00Z` as `2026-11-21`.
std::string dateOf(const std::string& takenAt) {
    return takenAt.substr(0, takenAt.find('T'));
}

/// `2026-11-21T09:30:00Z` as `2026-11-21 09:30 UTC`.
std::string momentOf(const std::string& takenAt) {
    const std::size_t t = takenAt.find('T');
    if (t == std::string::npos || takenAt.size() < t + 6) return takenAt;
    return takenAt.substr(0, t) + " " + takenAt.substr(t + 1, 5) + " UTC";
}

void headlines(const UiContext& ui, const Evidence& evidence, const Result& result) {
    const Timing& timing = result.measurement->timing;
    const float width = ImGui::GetContentRegionAvail().x;
    headline(ui, formatNumber(timing.medianSeconds, Unit::seconds),
             (timing.from == TimeFrom::deviceStamps ? "device time" : "event to event") +
                 (", median of " + std::to_string(timing.runs)) + " runs",
             width * 0.48F);
    tooltip(ui, "Fastest " + formatNumber(timing.minimumSeconds, Unit::seconds) + ", slowest " +
                    formatNumber(timing.maximumSeconds, Unit::seconds) + ", spread " +
                    formatNumber(timing.spreadPercent, Unit::percent) +
                    " (interquartile range over median). Taken " +
                    std::string(inWords(timing.from)) +
                    (timing.fromReason.empty() ? "" : ": " + timing.fromReason) + ". " +
                    std::string(metricInfo(Metric::time).meaning));
    const Value* effective = evidence.best(Metric::effectiveBandwidth);
    if (effective != nullptr && effective->number() != nullptr) {
        headline(ui, formatValue(*effective),
                 std::string(toString(effective->source)) + ": effective bandwidth", width * 0.52F);
        tooltip(ui, metricInfo(Metric::effectiveBandwidth).meaning);
    }
    ImGui::NewLine();
    advance(ui.look.px(4));
}

/// Where the measured numbers come from, in lines of at most `width` that end between statements.
std::vector<std::string> sourceLines(const UiContext& ui, const Result& result, float width) {
    const Measurement& m = *result.measurement;
    const std::vector<std::string> statements{
        (result.recorded ? "Recorded: " : "Measured: ") + m.device.name,
        "compute capability " + m.device.computeCapability,
        "CUDA " + m.device.cuda,
        std::to_string(m.timing.runs) + " runs, spread " +
            formatNumber(m.timing.spreadPercent, Unit::percent),
        momentOf(m.takenAt),
        "Warplens " + m.version};
    std::vector<std::string> lines;
    for (const std::string& statement : statements) {
        const std::string longer = lines.empty() ? "" : lines.back() + "  ·  " + statement;
        if (!lines.empty() && measured(ui.look.fonts.small, longer).x <= width) {
            lines.back() = longer;
        } else {
            lines.push_back(statement);
        }
    }
    return lines;
}

float sourceHeight(const UiContext& ui, const Result& result, float width) {
    return ui.look.px(12) + static_cast<float>(sourceLines(ui, result, width).size()) *
                                (ui.look.fonts.small->FontSize + ui.look.px(2));
}

void sourceLine(const UiContext& ui, const Result& result) {
    const Look& look = ui.look;
    const Measurement& m = *result.measurement;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + width, at.y + look.snap(1)},
                                              packed(look.colors.border));
    advance(look.px(8));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look.px(2)));
    ImGui::BeginGroup();
    for (const std::string& line : sourceLines(ui, result, width)) {
        text(look.fonts.small, look.colors.muted, line);
    }
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    ui.mark("source");
    tooltip(ui, "Driver for CUDA " + m.device.driver + ". Caches " + m.timing.cacheState +
                    ". Clocks: " + m.timing.clocks + ".");
}

/// Nothing measured yet: what Measure would do, or which recordings stand in for it.
void invitation(const UiContext& ui, const AppState& state, Commands& commands) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    if (state.canMeasure) {
        text(look.fonts.strong, c.text, "Not measured yet");
        wrapped(look.fonts.body, c.muted,
                "Measure runs this launch on the GPU, checks its result and the mapping, and reads "
                "time, traffic and branches. It takes a moment and never stalls this window.");
        space(ui, 6);
        if (primaryButton(ui, "  Measure  ##invitation", mayMeasure(state))) {
            commands.emplace_back(Measure{});
        }
    } else {
        text(look.fonts.strong, c.text, "No GPU to measure on");
        wrapped(look.fonts.body, c.muted,
                "Predictions work without one. Recordings show what a real GPU measured.");
    }
    wrapped(look.fonts.small, c.muted,
            recordingsOfScenario(state).empty()
                ? "There is no recording of this scenario."
                : "Recorded launches of this scenario stand at the left, below the launch.");
    space(ui, 16);
}

void predictionLine(const UiContext& ui, const AppState& state) {
    const Colors& c = ui.look.colors;
    ImFont* const font = ui.look.fonts.small;
    if (const Prediction* prediction = shownPrediction(state)) {
        if (prediction->exact) return;
        wrapped(font, c.muted, "Predicted from " + howPredicted(*prediction));
    } else if (const auto* failed = std::get_if<PredictionFailure>(&state.prediction);
               failed != nullptr && failed->experiment == state.shown) {
        wrapped(font, c.muted, "Not predicted: " + failed->reason);
    } else {
        text(font, c.muted, "Predicting …");
    }
}

}  // namespace

Commands drawMeasuredPanel(const UiContext& ui, const AppState& state) {
    Commands commands;
    const Colors& c = ui.look.colors;
    const std::optional<Result> result = shownResult(state);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // Always in sight, unless the numbers would not be.
    const float source = result ? sourceHeight(ui, *result, room.x) : 0;
    const bool below = source > 0 && source < room.y / 3;
    beginPanel("numbers", {0, std::max(1.0F, below ? room.y - source : room.y)},
               ImGuiWindowFlags_NoBackground);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.look.px(4)));
    if (const auto compared = comparedNow(state)) {
        comparisonTable(ui, compared->first, compared->second);
        ui.mark("compared");
    }
    if (result && result->recorded) {
        const std::string where = "Recorded on " + result->measurement->device.name + ", " +
                                  dateOf(result->measurement->takenAt);
        const std::string whole = where + ": every measured number";
        const float widest = ImGui::GetContentRegionAvail().x - ui.look.px(16);
        ImFont* const font = ui.look.fonts.small;
        tag(ui, measured(font, whole).x <= widest ? whole : fitted(font, where, widest), c.warning);
        ui.mark("recorded");
        advance(ui.look.px(2));
    }
    if (!result) invitation(ui, state, commands);
    const Evidence evidence = evidenceOf(shownPrediction(state), result);
    if (result) {
        headlines(ui, evidence, *result);
        drawRunTimes(ui, state, *result, commands);
    }
    drawCoalescing(ui, evidence);
    if (result) drawBandwidth(ui, evidence, *result);
    drawSharedMemory(ui, evidence, kernelOf(scenarioNamed(state.shown.scenario).kernel));
    drawDivergence(ui, evidence);
    predictionLine(ui, state);
    advance(ui.look.px(6));
    if (result) drawOccupancyAndChecks(ui, evidence, *result);
    if (result && !below) sourceLine(ui, *result);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (below) sourceLine(ui, *result);
    return commands;
}

}  // namespace warplens::window
