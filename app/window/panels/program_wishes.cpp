#include <algorithm>
#include <cmath>

#include "app/window/panels/program_panels.h"

namespace warplens::window {
namespace {

std::string labelOf(const ProposedValue& value) {
    switch (value.kind) {
        case ProposedKind::block:
            return "block";
        case ProposedKind::grid:
            return "grid";
        case ProposedKind::number:
            return value.name;
        case ProposedKind::elements:
            return value.name + " holds";
        case ProposedKind::fill:
            return value.name + " filled";
    }
    return {};
}

const char* explanationOf(ProposedKind kind) {
    switch (kind) {
        case ProposedKind::block:
            return "Threads of a block along x, y and z, as in 16,16";
        case ProposedKind::grid:
            return "Blocks along x, y and z; empty: as many as cover the largest size";
        case ProposedKind::number:
            return "The parameter's value, a C++ expression";
        case ProposedKind::elements:
            return "Elements of the array, in terms of the numbers, as in n*n";
        case ProposedKind::fill:
            return "random, ramp (0, 1, 2 ...), a number, or @FILE with the bytes";
    }
    return "";
}

}  // namespace

Commands drawProgramWishes(const UiContext& ui, const ProgramState& program, TypedText& fields) {
    Commands commands;
    const std::vector<ProposedValue> proposed = proposedForChosen(program);
    if (proposed.empty() && program.wishes.empty()) return commands;
    const Look& look = ui.look;
    space(ui, 10);
    heading(ui, "Launched with", "no program launches it");
    const float width = ImGui::GetContentRegionAvail().x;
    const float names = std::floor(width * 0.42F);
    ImGui::PushFont(look.fonts.number);
    for (const ProposedValue& value : proposed) {
        const std::string label = labelOf(value);
        const auto wished = std::ranges::find_if(program.wishes, [&](const ProposedValue& wish) {
            return wish.kind == value.kind && wish.name == value.name;
        });
        const bool own = wished != program.wishes.end();
        const std::string& words = own ? wished->value : value.value;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        textAt(*ImGui::GetWindowDrawList(), look.fonts.small,
               own ? look.colors.accent : look.colors.muted,
               {at.x, at.y + ImGui::GetStyle().FramePadding.y},
               fitted(look.fonts.small, label, names - look.px(6)));
        ImGui::SetCursorScreenPos({at.x + names, at.y});
        ImGui::SetNextItemWidth(width - names);
        const std::string id = "program.wish." + label;
        auto typed =
            completedText(fields, id, words, value.kind == ProposedKind::grid ? "covers it" : "",
                          ImGuiInputTextFlags_AutoSelectAll);
        ui.mark(id);
        tooltip(ui, explanationOf(value.kind));
        if (typed) {
            commands.emplace_back(WishForProgram{
                {.kind = value.kind, .name = value.name, .value = *std::move(typed)}});
        }
    }
    ImGui::PopFont();
    if (!program.wishes.empty()) {
        space(ui, 4);
        if (plainButton(ui, "As proposed")) {
            for (ProposedValue taken : program.wishes) {
                taken.value.clear();
                commands.emplace_back(WishForProgram{std::move(taken)});
            }
        }
        ui.mark("program.wish.none");
        tooltip(ui, "Takes back every value that was typed here");
    }
    return commands;
}

}  // namespace warplens::window
