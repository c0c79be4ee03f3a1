#include <algorithm>
#include <string>
#include <vector>

#include "app/lessons/library.h"
#include "app/window/panels/number_fields.h"
#include "app/window/panels/panels.h"
#include "app/window/state/actions.h"
#include "core/lesson/lesson.h"

namespace warplens::window {

namespace {

void heading(const UiContext& ui, const char* words) {
    text(ui.look.fonts.strong, ui.look.colors.text, words);
    space(ui, 4);
}

/// Keys, and what they do.
struct KeyRow final {
    std::string keys;
    std::string_view does;  ///< empty: `keys` is a heading
};

/// What several keys do in several directions is one row.
std::vector<KeyRow> keyRows() {
    std::vector<KeyRow> rows;
    const Action* last = nullptr;
    for (const Action& action : allActions()) {
        const std::string keys = keysOf(action);
        if (keys.empty()) continue;
        if (last == nullptr || last->group != action.group) {
            rows.push_back({std::string(titleOf(action.group)), {}});
        }
        if (last != nullptr && last->does == action.does) {
            const std::size_t name = keys.find_last_of('+') + 1;
            rows.back().keys += ' ' + keys.substr(name);
        } else {
            rows.push_back({keys, action.does});
        }
        last = &action;
    }
    return rows;
}

/// Every key, down the columns one after the other.
void keysInColumns(const UiContext& ui, std::size_t columns) {
    const Look& look = ui.look;
    const std::vector<KeyRow> rows = keyRows();
    float keys = 0;
    float does = 0;
    for (const KeyRow& row : rows) {
        if (row.does.empty()) continue;
        keys = std::max(keys, measured(look.fonts.number, row.keys).x + look.px(18));
        does = std::max(does, measured(look.fonts.body, row.does).x + look.px(30));
    }
    const std::size_t height = (rows.size() + columns - 1) / columns;
    const float left = ImGui::GetCursorPosX();
    for (std::size_t line = 0; line < height; ++line) {
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t at = column * height + line;
            if (at >= rows.size()) break;
            const float x = left + static_cast<float>(column) * (keys + does);
            if (column > 0) ImGui::SameLine(x);
            if (rows[at].does.empty()) {
                text(look.fonts.strong, look.colors.muted, rows[at].keys);
                continue;
            }
            text(look.fonts.number, look.colors.accent, rows[at].keys);
            ImGui::SameLine(x + keys);
            text(look.fonts.body, look.colors.text, rows[at].does);
        }
    }
}

/// Every word of the field that the window uses, as lessons explain it.
void words(const UiContext& ui) {
    const Look& look = ui.look;
    float left = 0;
    for (const Term& term : glossary()) {
        left = std::max(left, measured(look.fonts.strong, term.word).x + look.px(18));
    }
    const float from = ImGui::GetCursorPosX();
    for (const Term& term : glossary()) {
        text(look.fonts.strong, look.colors.accent, term.word);
        ImGui::SameLine(from + left);
        text(look.fonts.body, look.colors.text, term.meaning);
    }
}

}  // namespace

Commands drawHelp(const UiContext& ui, const AppState& state) {
    Commands commands;
    if (!state.helpOpen) return commands;
    const Look& look = ui.look;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    beginCentred(ui, "Keys", {26, 22});
    const bool wide = screen.x >= look.px(1100);
    const float widest = screen.x * 0.98F - look.px(50);
    heading(ui, "Mouse");
    ImGui::PushTextWrapPos(widest);
    for (const char* words :
         {"Point at a thread for its formula. Click it to select its warp: the others are dimmed; "
          "click again or press Esc to deselect it.",
          "Map: the wheel zooms, a drag moves it, a click chooses a block, a double click shows "
          "all of it or the grid.",
          "Cubes: a drag turns it, with the right button moves it; the wheel zooms.",
          "Tab walks through all that can be pressed or typed in, Shift+Tab backwards; Enter or "
          "Space presses."}) {
        text(look.fonts.body, look.colors.text, words);
    }
    ImGui::PopTextWrapPos();
    space(ui, 12);
    heading(ui, "Keys");
    keysInColumns(ui, wide ? 2 : 1);
    space(ui, 12);
    heading(ui, "Words");
    ImGui::PushTextWrapPos(widest);
    words(ui);
    ImGui::PopTextWrapPos();
    // In its corner, wherever it is scrolled to.
    const ImVec2 corner = ImGui::GetWindowPos();
    const float width = buttonWidth(look.fonts.body, "Close");
    ImGui::SetCursorScreenPos(
        {corner.x + ImGui::GetWindowWidth() - width - look.px(26), corner.y + look.px(14)});
    if (plainButton(ui, "Close")) commands.emplace_back(SetHelpOpen{false});
    ui.mark("help.close");
    endCentred();
    return commands;
}

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
