#include <algorithm>
#include <set>
#include <string>

#include "app/lessons/library.h"
#include "app/window/panels/program_panels.h"
#include "core/program/warnings.h"
#include "core/text/format.h"
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

/// The lesson on what the chosen line costs; empty where there is none.
std::string lessonOfLine(const ProgramState& program) {
    for (const ProgramLine& line : chosenLaunch(program)->lines) {
        const bool isHere = line.place.line == program.line &&
                            sameFile(line.place.file, program.path) &&
                            line.source == Source::predicted;
        const std::string_view lesson = costRule(line.kind).lesson;
        if (isHere && breaksCostRule(line, *chosenLaunch(program)) && findLesson(lesson) != nullptr)
            return std::string(lesson);
    }
    return {};
}

/// `4 sectors a request`
std::string goalWords(const LineGoal& goal, double number) {
    const bool isGlobal = goal.kind == AccessKind::load || goal.kind == AccessKind::store;
    return plainNumber(number) + (isGlobal ? " sectors" : " wavefronts") + " a request";
}

}  // namespace

Commands drawProgramGoal(const UiContext& ui, const ProgramState& program) {
    Commands commands;
    if (!program.goal) return commands;
    const LineGoal& goal = *program.goal;
    const Colors& c = ui.look.colors;
    const std::optional<double> now = standingOfGoal(program);
    const bool isReached = now && *now <= goal.most;
    heading(ui, isReached ? "Goal reached" : "Goal", goal.array + " in " + goal.kernel);
    wrapped(ui.look.fonts.body, isReached ? c.good : c.text,
            !now
                ? "Nothing is accessed there now."
                : goalWords(goal, *now) + (isReached ? "."
                                                     : " now; " + goalWords(goal, goal.most) +
                                                           " could do. Save the file to be told."));
    if (plainButton(ui, isReached ? "Done" : "Give the goal up"))
        commands.emplace_back(ToggleLineGoal{});
    ui.mark("program.goal-end");
    space(ui, 8);
    return commands;
}

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
    if (const std::string lesson = lessonOfLine(program); isLookedFor && !lesson.empty()) {
        space(ui, 4);
        if (plainButton(ui, "Try it yourself")) commands.emplace_back(OpenLesson{lesson, true});
        tooltip(ui, "The lesson on this, with this line among its pictures: " +
                        findLesson(lesson)->title);
        ui.mark("program.lesson");
        if (const auto goal = goalOfLine(program); goal && !program.goal) {
            ImGui::SameLine();
            if (plainButton(ui, ("Goal: " + goalWords(*goal, goal->most)).c_str()))
                commands.emplace_back(ToggleLineGoal{});
            tooltip(ui, "Checked whenever the file is saved");
            ui.mark("program.goal");
        }
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
