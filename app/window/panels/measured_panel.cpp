#include <algorithm>

#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/number_table.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/plots.h"
#include "app/window/panels/run_times.h"
#include "app/window/state/comparison.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

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
    if (const LaunchReport* prediction = shownPrediction(state)) {
        if (prediction->exact) return;
        wrapped(font, c.muted, "Predicted from " + howPredicted(*prediction));
    } else if (const auto* failed = std::get_if<PredictionFailure>(&state.prediction);
               failed != nullptr && failed->experiment == state.view.experiment) {
        wrapped(font, c.muted, "Not predicted: " + failed->reason);
    } else {
        text(font, c.muted, "Predicting …");
    }
}

}  // namespace

Commands drawMeasuredPanel(const UiContext& ui, const AppState& state) {
    Commands commands;
    const std::optional<Result> result = shownResult(state);
    std::optional<Origin> origin;
    if (result) {
        const Measurement& m = *result->measurement;
        origin.emplace(Origin{m.device, m.timing, m.takenAt, m.version, result->recorded});
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // Always in sight, unless the numbers would not be.
    const float source = origin ? originHeight(ui, *origin, room.x) : 0;
    const bool below = source > 0 && source < room.y / 3;
    beginPanel("numbers", {0, std::max(1.0F, below ? room.y - source : room.y)},
               ImGuiWindowFlags_NoBackground);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.look.px(4)));
    if (const auto compared = comparedNow(state)) {
        const auto& [a, b] = *compared;
        comparisonTable(ui, shortName(a), shortName(b), compare(a, b));
        ui.mark("compared");
    }
    if (origin) drawRecordedTag(ui, *origin);
    if (!result) invitation(ui, state, commands);
    const Evidence evidence = evidenceOf(shownPrediction(state), result);
    if (result) {
        drawHeadlines(ui, evidence, origin->timing);
        drawRunTimes(ui, state, evidence, origin->timing, commands);
    }
    drawCoalescing(ui, evidence);
    if (result) drawBandwidth(ui, evidence, origin->device);
    if (!kernelOf(state.view.experiment).shared.empty()) {
        drawSharedMemory(ui, evidence);
    }
    drawDivergence(ui, evidence);
    predictionLine(ui, state);
    advance(ui.look.px(6));
    if (result) {
        drawOccupancy(ui, evidence);
        const ResultCheck& check = result->measurement->check;
        checkLine(ui, check.largestError <= check.tolerance ? Check::passed : Check::broken,
                  "Result equals the host's: " + groupedDigits(check.checked) + " of " +
                      groupedDigits(check.elements) + " values compared");
        drawNotes(ui, result->measurement->notes);
    }
    if (result && !below) drawOrigin(ui, *origin);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (below) drawOrigin(ui, *origin);
    return commands;
}

}  // namespace warplens::window
