#include "app/window/panels/welcome.h"

#include "app/lessons/library.h"
#include "app/window/state/actions.h"

namespace warplens::window {

Commands drawWelcome(const UiContext& ui, const AppState& state) {
    Commands commands;
    if (!state.welcome || state.view.mode != Mode::explore || state.helpOpen) return commands;
    const Look& look = ui.look;
    beginCentred(ui, "Welcome", {30, 24});
    text(look.fonts.title, look.colors.text, "How CUDA weaves threads into warps");
    space(ui, 6);
    text(look.fonts.body, look.colors.muted,
         "What a launch costs, by its source, without a GPU too.");
    space(ui, 16);
    if (primaryButton(ui, "New here? Start with lesson 1", true)) {
        commands.emplace_back(OpenLesson{builtInLessons().lessons.empty()
                                             ? std::string()
                                             : builtInLessons().lessons.front().id});
    }
    ui.mark("welcome.learn");
    ImGui::SameLine();
    if (plainButton(ui, "Open a .cu file")) {
        commands.emplace_back(EndWelcome{});
        commands.emplace_back(AskForProgram{});
    }
    ui.mark("welcome.open");
    ImGui::SameLine();
    if (plainButton(ui, "Look around")) commands.emplace_back(EndWelcome{});
    ui.mark("welcome.explore");
    space(ui, 10);
    text(look.fonts.small, look.colors.muted,
         keysOf(actionOf(Act::lessons)) + " opens the lessons, " + keysOf(actionOf(Act::palette)) +
             " finds everything, " + keyText(actionOf(Act::help).presses.front()) +
             " tells all keys.");
    endCentred();
    return commands;
}

}  // namespace warplens::window
