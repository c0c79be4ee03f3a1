#include "app/window/panels/panels.h"
#include "app/window/panels/places_menu.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::window {

namespace {

/// What is known of the worker: whether it can measure shows when it does.
std::string workerWords(const AppState& state) {
    if (const Running* run = running(state)) return "Measuring: " + run->stage;
    if (!state.canMeasure) return "No GPU to measure on: predictions and recordings";
    if (std::holds_alternative<Failed>(state.measuring)) return "The last measurement failed";
    const std::size_t count = state.results.size();
    if (count == 0) return "No worker yet: Measure starts it";
    return std::to_string(count) + (count == 1 ? " launch measured" : " launches measured");
}

}  // namespace

Commands drawStatusBar(const UiContext& ui, const AppState& state, bool narrow) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    std::string left = workerWords(state);
    if (const LaunchReport* prediction = shownPrediction(state)) {
        left += "   ·   Predicted, " + howPredicted(*prediction) + ", in " +
                formatNumber(prediction->seconds, Unit::seconds);
    }
    if (!state.places.whereabouts.empty()) left = state.places.whereabouts + "   ·   " + left;
    Commands commands = drawPlacesMenu(ui, state);
    ImGui::SameLine(0, look.px(14));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string right =
        narrow ? std::string("The measured numbers need a wider window, or Ctrl+-")
               : "F1 keys   ·   Ctrl+K finds   ·   Warplens " + version();
    const float room = width - measured(look.fonts.small, right).x - look.px(24);
    if (room > 0) textAt(list, look.fonts.small, c.muted, at, fitted(look.fonts.small, left, room));
    textAt(list, look.fonts.small, narrow ? c.muted : c.faint, {at.x + width, at.y}, right, 1);
    return commands;
}

}  // namespace warplens::window
