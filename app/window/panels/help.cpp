
#include "app/lessons/library.h"
#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/panels.h"
#include "app/window/state/actions.h"
#include "core/lesson/lesson.h"

namespace warplens::window {

namespace {

void heading(const UiContext& ui, const char* words) {
    text(ui.fonts.strong, ui.colors.text, words);
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
    std::vector<Action> byGroup(allActions().begin(), allActions().end());
    std::ranges::stable_sort(byGroup, {}, &Action::group);
    for (const Action& action : byGroup) {
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

/// Every key, in two columns one after the other where they fit, or in one.
void keysInColumns(const UiContext& ui, float widest) {
    const std::vector<KeyRow> rows = keyRows();
    float keys = 0;
    float does = 0;
    for (const KeyRow& row : rows) {
        if (row.does.empty()) continue;
        keys = std::max(keys, measured(ui.fonts.number, row.keys).x + ui.px(18));
        does = std::max(does, measured(ui.fonts.body, row.does).x + ui.px(30));
    }
    const std::size_t columns = 2 * (keys + does) - ui.px(30) <= widest ? 2 : 1;
    const std::size_t height = (rows.size() + columns - 1) / columns;
    const float left = ImGui::GetCursorPosX();
    for (std::size_t line = 0; line < height; ++line) {
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t at = column * height + line;
            if (at >= rows.size()) break;
            const float x = left + static_cast<float>(column) * (keys + does);
            if (column > 0) ImGui::SameLine(x);
            if (rows[at].does.empty()) {
                text(ui.fonts.strong, ui.colors.muted, rows[at].keys);
                continue;
            }
            text(ui.fonts.number, ui.colors.accent, rows[at].keys);
            ImGui::SameLine(x + keys);
            text(ui.fonts.body, ui.colors.text, rows[at].does);
        }
    }
}

/// Every word of the field that the window uses, as lessons explain it.
void words(const UiContext& ui) {
    float left = 0;
    for (const Term& term : glossary()) {
        left = std::max(left, measured(ui.fonts.strong, term.word).x + ui.px(18));
    }
    const float from = ImGui::GetCursorPosX();
    for (const Term& term : glossary()) {
        text(ui.fonts.strong, ui.colors.accent, term.word);
        ImGui::SameLine(from + left);
        text(ui.fonts.body, ui.colors.text, term.meaning);
    }
}

}  // namespace

void drawHelp(const UiContext& ui) {
    if (!ui.state.helpOpen) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    beginCentred(ui, "Keys", {26, 22});
    // Its only button would take the arrows and the space bar, which scroll.
    ImGui::GetCurrentWindow()->Flags |= ImGuiWindowFlags_NoNavInputs;
    const float widest = screen.x * 0.98F - ui.px(50);
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
        text(ui.fonts.body, ui.colors.text, words);
    }
    ImGui::PopTextWrapPos();
    space(ui, 12);
    heading(ui, "Keys");
    ImGui::PushTextWrapPos(widest);
    keysInColumns(ui, widest);
    ImGui::PopTextWrapPos();
    space(ui, 12);
    heading(ui, "Words");
    ImGui::PushTextWrapPos(widest);
    words(ui);
    ImGui::PopTextWrapPos();
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID scrolled = ImGui::GetID("scrolled");
    const int tenths = ui.state.helpScrolled - kept.GetInt(scrolled);
    kept.SetInt(scrolled, ui.state.helpScrolled);
    if (tenths != 0) {
        const float by = static_cast<float>(tenths) * ImGui::GetWindowHeight() / 10;
        ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
    }
    // In its corner, wherever it is scrolled to; the window is as wide as what it tells.
    ImGuiWindowTempData& drawn = ImGui::GetCurrentWindow()->DC;
    const ImVec2 told = drawn.CursorMaxPos;
    const ImVec2 corner = ImGui::GetWindowPos();
    const float width = buttonWidth(ui.fonts.body, "Close");
    ImGui::SetCursorScreenPos(
        {corner.x + ImGui::GetWindowContentRegionMax().x - width, corner.y + ui.px(14)});
    commandButton(ui, "Close", "help.close", SetHelpOpen{false});
    drawn.CursorMaxPos = drawn.IdealMaxPos = told;
    endCentred();
}

void drawWelcome(const UiContext& ui) {
    if (!ui.state.welcome || ui.state.view.mode != Mode::explore || ui.state.helpOpen) return;
    beginCentred(ui, "Welcome", {30, 24});
    text(ui.fonts.title, ui.colors.text, "How CUDA weaves threads into warps");
    space(ui, 6);
    text(ui.fonts.body, ui.colors.muted, "What a launch costs, by its source, without a GPU too.");
    space(ui, 16);
    commandButton(
        ui, "New here? Start with lesson 1", "welcome.learn",
        OpenLesson{builtInLessons().lessons.empty() ? std::string()
                                                    : builtInLessons().lessons.front().id},
        "", {.primary = true});
    ImGui::SameLine();
    if (plainButton(ui, "Open a .cu file")) {
        ui.issue(EndWelcome{});
        ui.issue(AskForProgram{});
    }
    ui.mark("welcome.open");
    ImGui::SameLine();
    commandButton(ui, "Look around", "welcome.explore", EndWelcome{});
    space(ui, 10);
    text(ui.fonts.small, ui.colors.muted,
         keysOf(actionOf(Act::lessons)) + " opens the lessons, " + keysOf(actionOf(Act::palette)) +
             " finds everything, " + keyText(actionOf(Act::help).presses.front()) +
             " tells all keys.");
    endCentred();
}

}  // namespace warplens::window
