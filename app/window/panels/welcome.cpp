#include "app/window/panels/welcome.h"

#include "app/lessons/library.h"
#include "app/window/state/actions.h"

namespace warplens::window {

Commands drawWelcome(const UiContext& ui, const AppState& state) {
    Commands commands;
    if (!state.welcome || state.mode != Mode::explore || state.helpOpen) return commands;
    const Look& look = ui.look;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, packed(look.colors.panel));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, look.snap(1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(30), look.px(24)));
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x * 0.98F, screen.y * 0.96F});
    if (ImGui::Begin("Welcome", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings)) {
        ui.order.keepToThisWindow();
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
             keysOf(actionOf(Act::lessons)) + " opens the lessons, " +
                 keysOf(actionOf(Act::palette)) + " finds everything, " +
                 keyText(actionOf(Act::help).presses.front()) + " tells all keys.");
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    return commands;
}

}  // namespace warplens::window
