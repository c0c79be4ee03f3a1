#include "app/window/panels/act_button.h"

namespace warplens::window {

std::string actWords(const Action& action) {
    const std::string keys = keysOf(action);
    return std::string(action.does) + (keys.empty() ? "" : "  " + keys);
}

void actTooltip(const UiContext& ui, Act act) {
    tooltip(ui, actWords(actionOf(act)));
}

void actButton(const UiContext& ui, const AppState& state, Act act, Commands& commands, bool chosen,
               const char* label, ImVec2 size) {
    actButton(ui, state, actionOf(act), commands, chosen, label, size);
}

void actButton(const UiContext& ui, const AppState& state, const Action& action, Commands& commands,
               bool chosen, const char* label, ImVec2 size) {
    const std::string words = (label != nullptr ? std::string(label) : std::string(action.label)) +
                              "##" + std::string(action.name);
    if (plainButton(ui, words.c_str(), isPossible(state, action), chosen, size)) {
        commands.emplace_back(action.command(state));
    }
    ui.mark(action.name);
    tooltip(ui, actWords(action));
}

}  // namespace warplens::window
