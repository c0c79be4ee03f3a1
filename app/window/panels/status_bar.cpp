#include "app/window/panels/status_bar.h"

#include "core/text/format.h"

namespace warplens::window {

Commands drawStatusBar(const Pen& pen, const AppState& state) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    std::string left = state.canMeasure ? "Worker ready to start" : "No worker: recordings only";
    if (const Running* run = running(state)) left = "Measuring: " + run->stage;
    if (const Prediction* prediction = shownPrediction(state)) {
        left += "   ·   Prediction " +
                (prediction->exact ? "exact, " + groupedDigits(prediction->blocks) +
                                         (prediction->blocks == 1 ? " block" : " blocks")
                                   : "from " + groupedDigits(prediction->blocksTraced) + " of " +
                                         groupedDigits(prediction->blocks) + " blocks") +
                " in " + formatNumber(prediction->seconds, Unit::seconds);
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    textAt(list, look.fonts.small, c.muted, at, left);
    textAt(list, look.fonts.small, c.faint, {at.x + width, at.y},
           "F1 keys   ·   Warplens " + version(), 1);
    return {};
}

}  // namespace warplens::window
