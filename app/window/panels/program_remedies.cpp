#include <algorithm>
#include <set>
#include <string>

#include "app/window/panels/program_panels.h"
#include "core/text/lines.h"

namespace warplens::window {
namespace {

/// Lines of a diff, those that go and come in their colours.
void diffLines(const UiContext& ui, const std::string& diff) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    ImFont* const font = look.fonts.smallNumber;
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const std::string_view line : splitLines(diff)) {
        if (line.empty() || line.starts_with("--- ") || line.starts_with("+++ ")) continue;
        const Rgb color = line.front() == '-' ? c.bad : line.front() == '+' ? c.good : c.muted;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        textAt(list, font, color, at, fitted(font, line, width));
        ImGui::Dummy({width, font->FontSize + look.px(1)});
    }
}

bool isAbout(const TriedRemedy& tried, const ProgramState& program) {
    return std::ranges::any_of(tried.places, [&](const SourcePlace& place) {
        return place.line == program.line && sameFile(place.file, program.path);
    });
}

}  // namespace

Commands drawProgramRemedies(const UiContext& ui, const ProgramState& program, bool isLookedFor) {
    Commands commands;
    const Look& look = ui.look;
    const Colors& c = look.colors;
    std::set<std::string> reasons;
    for (const ProgramLine& line : chosenLaunch(program)->lines) {
        const bool isHere = line.place.line == program.line &&
                            sameFile(line.place.file, program.path) && !line.reason.empty();
        if (!isHere || !reasons.insert(line.reason).second) continue;
        space(ui, 4);
        prose(ui, c.text, "Why: " + line.reason + '.');
        ui.mark("program.reason");
    }
    if (program.takeBack) {
        space(ui, 4);
        if (plainButton(ui, "Take the change back")) commands.emplace_back(TakeRemedyBack{});
        tooltip(ui, "Writes " + program.takeBack->file + " as it was before");
        ui.mark("program.take-back");
    }
    const ProgramRemedies* const found = remediesNow(program);
    if (found == nullptr) {
        if (isLookedFor && wantedRemedies(program))
            wrapped(look.fonts.small, c.muted, "Remedies are being tried.");
        return commands;
    }
    if (isLookedFor && !found->failure.empty())
        wrapped(look.fonts.small, c.muted, "No remedies were tried: " + found->failure);
    for (std::size_t at = 0; at < found->tried.size(); ++at) {
        const TriedRemedy& tried = found->tried[at];
        if (!isAbout(tried, program)) continue;
        const RemedyKind kind = remedyNamed(tried.remedy);
        space(ui, 6);
        heading(ui, "Remedy", kind.lesson.empty() ? "" : "lesson " + std::string(kind.lesson));
        wrapped(look.fonts.body, c.text, kind.words);
        if (tried.diff.empty()) continue;
        wrapped(look.fonts.body, c.good, gainInWords(tried));
        diffLines(ui, tried.diff);
        space(ui, 2);
        ImGui::PushID(static_cast<int>(at));
        if (primaryButton(ui, "Apply", program.stage.empty()))
            commands.emplace_back(ApplyRemedy{at});
        ImGui::PopID();
        tooltip(ui, "Writes it into " + tried.file + "; it can be taken back");
        ui.mark("program.apply");
    }
    return commands;
}

}  // namespace warplens::window
