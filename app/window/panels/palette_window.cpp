#include <cstring>

#include "app/window/panels/panels.h"

namespace warplens::window {
namespace {

constexpr std::size_t mostProgramsOffered = 200;
constexpr const char* paletteName = "palette";

/// The field keeps the arrow keys to itself: they move through what is found.
int keepArrows(ImGuiInputTextCallbackData*) {
    return 0;
}

void drawField(const UiContext& ui) {
    std::array<char, longestPaletteText + 1> buffer{};
    const std::string& typed = ui.state.palette.typed;
    std::memcpy(buffer.data(), typed.data(), std::min(typed.size(), longestPaletteText));
    // Its own copy of what was typed goes where that was emptied by a key.
    int* const had = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("had"));
    if (ImGuiInputTextState* const field = ImGui::GetInputTextState(ImGui::GetID("##find"));
        field != nullptr && typed.empty() && *had != 0)
        field->ClearText();
    ImGui::SetNextItemWidth(-1);
    if (ImGui::IsWindowAppearing() ||
        (!ImGui::IsAnyItemActive() && !ImGui::IsMouseDown(ImGuiMouseButton_Left))) {
        ImGui::SetKeyboardFocusHere();
    }
    ImGui::InputTextWithHint("##find", "a command, a lesson, a .cu file, a launch: <<<64, 256>>>",
                             buffer.data(), buffer.size(), ImGuiInputTextFlags_CallbackHistory,
                             keepArrows);
    ui.mark("palette.field");
    *had = static_cast<int>(std::strlen(buffer.data()));
    if (typed != buffer.data()) ui.issue(FilterPalette{buffer.data()});
}

/// One row: what is done, and at the right its keys or what it is.
bool drawEntry(const UiContext& ui, const PaletteEntry& entry, std::size_t place, bool chosen) {
    const Colors& c = ui.colors;
    const float height = ui.fonts.body->FontSize + ui.px(10);
    const auto [list, at, width] = penHere();
    ImGui::PushID(static_cast<int>(place));
    const bool pressed = ImGui::Selectable("##entry", chosen, 0, {width, height});
    ImGui::PopID();
    ui.mark("palette." + std::to_string(place));
    const bool command = entry.kind == PaletteKind::command;
    const std::string_view aside = command ? std::string_view(entry.keys) : toString(entry.kind);
    ImFont* const font = command ? ui.fonts.smallNumber : ui.fonts.small;
    const float right = aside.empty() ? 0 : measured(font, aside).x + ui.px(18);
    const float y = at.y + (height - ui.fonts.body->FontSize) / 2;
    textAt(list, ui.fonts.body, c.text, {at.x + ui.px(8), y},
           fitted(ui.fonts.body, entry.words, width - ui.px(16) - right));
    textAt(list, font, command ? c.accent : c.muted,
           {at.x + width - ui.px(8), at.y + (height - font->FontSize) / 2}, aside, 1);
    return pressed;
}

}  // namespace

std::vector<std::string> programsHere() {
    std::vector<std::string> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(".", ignored)) {
        if (found.size() == mostProgramsOffered) break;
        if (entry.path().extension() == ".cu") found.push_back(entry.path().filename().string());
    }
    std::ranges::sort(found);
    return found;
}

void drawPalette(const UiContext& ui, PaletteField& field) {
    const bool appears = ui.state.palette.open && !field.open;
    if (appears) {
        ui.issue(PaletteFiles{programsHere()});
        ImGui::OpenPopup(paletteName);
    }
    field.open = ui.state.palette.open;
    if (!field.open && !ImGui::IsPopupOpen(paletteName)) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(ui.px(680), screen.x * 0.94F);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y * 0.1F}, ImGuiCond_Always, {0.5F, 0});
    ImGui::SetNextWindowSize({width, 0});
    // Nothing is left of it in the frame in which it closes.
    if (!field.open) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0);
    const bool isThere = ImGui::BeginPopup(paletteName);
    if (!field.open) ImGui::PopStyleVar();
    if (isThere) {
        if (!ui.state.palette.open) {
            ImGui::CloseCurrentPopup();
        } else {
            drawField(ui);
            space(ui, 6);
            const std::vector<PaletteEntry> entries = paletteEntries(ui.state);
            const float row = ui.fonts.body->FontSize + ui.px(10) + ImGui::GetStyle().ItemSpacing.y;
            const float room = screen.y * 0.8F - ImGui::GetCursorPosY();
            const float rows = static_cast<float>(std::clamp<std::size_t>(entries.size(), 1, 12));
            ImGui::BeginChild("found", {0, std::max(row, std::min(rows * row, room))}, false,
                              ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
            for (std::size_t i = 0; i < entries.size(); ++i) {
                const bool chosen = i == ui.state.palette.chosen;
                if (drawEntry(ui, entries[i], i, chosen)) ui.issue(RunPalette{i});
                if (chosen && field.seen != i) {
                    ImGui::SetScrollHereY();
                    field.seen = i;
                }
            }
            if (entries.empty()) wrapped(ui.fonts.body, ui.colors.muted, whyNothing(ui.state));
            ImGui::EndChild();
        }
        ImGui::EndPopup();
    } else if (!appears && ui.state.palette.open) {
        // A click beside it.
        ui.issue(OpenPalette{false});
    }
}

}  // namespace warplens::window
