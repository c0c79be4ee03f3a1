#include <algorithm>
#include <filesystem>

#include "app/window/panels/act_button.h"
#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/program_panels.h"
#include "core/measurement/value_text.h"

namespace warplens::window {
namespace {

std::string standing(const ProgramState& program) {
    if (!program.stage.empty()) return program.stage + " …";
    if (!program.now) return "";
    if (!program.now->failure.empty()) return "not traced";
    const ProgramTrace& trace = program.now->trace;
    // What was compiled before is taken from the cache.
    const std::string compiled =
        trace.compileSeconds < 0.05
            ? "run in "
            : "compiled in " + formatNumber(trace.compileSeconds, Unit::seconds) + ", run in ";
    return compiled + formatNumber(trace.seconds, Unit::seconds);
}

}  // namespace

Commands drawProgramBar(const UiContext& ui, const AppState& state) {
    Commands commands;
    const Look& look = ui.look;
    const Colors& c = look.colors;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushFont(look.fonts.body);
    actButton(ui, state, Act::closeFile, commands);
    ImGui::SameLine();
    actButton(ui, state, Act::openFile, commands);
    ImGui::SameLine();
    if (state.program.stage.empty()) {
        if (plainButton(ui, "Again")) commands.emplace_back(OpenProgram{state.program.path});
        ui.mark("program.again");
        tooltip(ui, "Compile and run it once more; saving the file does so, too");
    } else {
        if (plainButton(ui, "Stop", !state.program.stopping)) commands.emplace_back(StopProgram{});
        ui.mark("program.stop");
        tooltip(ui, "End the run: what was traced until then is shown");
    }
    const bool narrow = width < look.px(1000);
    for (const Act act : {Act::pinA, Act::clearPins, Act::figure, Act::present}) {
        if (act == Act::clearPins && !isPossible(state, actionOf(act))) continue;
        // The file's name comes first; keys do the same.
        if (narrow && act != Act::pinA && act != Act::clearPins) continue;
        ImGui::SameLine();
        actButton(ui, state, act, commands, act == Act::pinA && state.pinnedProgram.has_value());
    }
    ImGui::SameLine(0, look.px(18));
    drawMeasureControls(ui, state, commands);
    ImGui::SameLine(0, look.px(18));
    const ImVec2 name = ImGui::GetCursorScreenPos();
    ImGui::PopFont();
    const bool dark = state.view.theme == Theme::dark;
    const char* const theme = dark ? "Light" : "Dark";
    float buttons = 2 * ImGui::GetStyle().ItemSpacing.x;
    for (const char* label : {"Find", theme, "?"}) {
        buttons += buttonWidth(look.fonts.body, label);
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float room = at.x + width - buttons - look.px(18) - name.x;
    const std::string file = std::filesystem::path(state.program.path).filename().string();
    const std::string title = fitted(look.fonts.title, file, room);
    const float y = at.y + (ImGui::GetFrameHeight() - look.fonts.title->FontSize) / 2;
    textAt(list, look.fonts.title, c.text, {name.x, y}, title);
    const float x = name.x + measured(look.fonts.title, title).x + look.px(18);
    const std::string words = standing(state.program);
    if (x + measured(look.fonts.small, words).x < at.x + width - buttons - look.px(18)) {
        textAt(list, look.fonts.small, c.muted,
               {x, y + (look.fonts.title->FontSize - look.fonts.small->FontSize) * 0.8F}, words);
    }
    ImGui::SetCursorScreenPos({at.x + width - buttons, at.y});
    actButton(ui, state, Act::palette, commands, state.palette.open);
    ImGui::SameLine();
    actButton(ui, state, Act::theme, commands, false, theme);
    ImGui::SameLine();
    actButton(ui, state, Act::help, commands, state.helpOpen);
    return commands;
}

Commands drawProgramField(const UiContext& ui, const AppState& state, ProgramField& field) {
    Commands commands;
    constexpr const char* name = "Open a .cu file";
    if (state.program.asking && !field.open) {
        field.offered = programsHere();
        field.path = state.program.proposed.empty() ? state.program.path : state.program.proposed;
        ImGui::OpenPopup(name);
    }
    const bool first = state.program.asking && !field.open;
    field.open = state.program.asking;
    if (!field.open) return commands;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 4}, ImGuiCond_Always, {0.5F, 0});
    ImGui::SetNextWindowSize({std::min(ui.look.px(640), screen.x * 0.9F), 0});
    bool stays = true;
    const auto leave = [&] {
        commands.emplace_back(AskForProgram{false});
        ImGui::CloseCurrentPopup();
    };
    if (ImGui::BeginPopupModal(name, &stays, ImGuiWindowFlags_NoSavedSettings)) {
        wrapped(ui.look.fonts.small, ui.look.colors.muted,
                "It is compiled and run on this machine, without a GPU, held by limits on time, "
                "memory and files. Saving it in an editor runs it again. A path that ends in .json "
                "is a measurement of the open file, kept by `warplens measure FILE.cu --save`.");
        space(ui, 6);
        if (first) ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(-1);
        const bool entered = ImGui::InputText(
            "##path", &field.path,
            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
        ui.mark("program.path");
        for (const std::string& file : field.offered) {
            if (ImGui::Selectable(file.c_str())) {
                commands.emplace_back(OpenProgram{"./" + file});
                ImGui::CloseCurrentPopup();
            }
            ui.mark("program.offered." + file);
        }
        space(ui, 6);
        const bool there = !field.path.empty();
        if (primaryButton(ui, "Open", there) || (entered && there)) {
            commands.emplace_back(OpenProgram{field.path});
            ImGui::CloseCurrentPopup();
        }
        ui.mark("program.open");
        ImGui::SameLine();
        if (plainButton(ui, "Cancel")) leave();
        ui.mark("program.cancel");
        if (escapeIsDown()) leave();
        ImGui::EndPopup();
    } else if (!first) {
        commands.emplace_back(AskForProgram{false});
    }
    if (!stays) commands.emplace_back(AskForProgram{false});
    return commands;
}

}  // namespace warplens::window
