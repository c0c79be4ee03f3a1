#include "app/window/panels/act_button.h"

namespace warplens::window {

std::string actWords(Act act) {
    const Action& action = actionOf(act);
    const std::string keys = keysOf(action);
    return std::string(action.does) + (keys.empty() ? "" : "  " + keys);
}

void actTooltip(const Pen& pen, Act act) {
    tooltip(pen, actWords(act));
}

void actButton(const Pen& pen, const AppState& state, Act act, Commands& commands, bool chosen,
               const char* label, ImVec2 size) {
    const Action& action = actionOf(act);
    const std::string words = (label != nullptr ? std::string(label) : std::string(action.label)) +
                              "##" + std::string(action.name);
    if (plainButton(pen, words.c_str(), isPossible(state, action), chosen, size)) {
        commands.emplace_back(action.command(state));
    }
    pen.mark(action.name);
    actTooltip(pen, act);
}

}  // namespace warplens::window
