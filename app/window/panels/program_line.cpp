#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "app/drawing/line_meaning.h"
#include "app/lessons/library.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/program_panels.h"
#include "core/measurement/measurement.h"
#include "core/program/warnings.h"
#include "core/text/format.h"
#include "core/text/utf8.h"

namespace warplens::window {
namespace {

/// `a` and `b` in one row: what, and the number at the right.
void row(const UiContext& ui, const std::string& what, const std::string& number, Rgb color) {
    const Look& look = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float room = width - measured(look.fonts.number, number).x - look.px(10);
    textAt(list, look.fonts.body, look.colors.muted, at, fitted(look.fonts.body, what, room));
    textAt(list, look.fonts.number, color, {at.x + width, at.y}, number, 1);
    ImGui::Dummy({width, look.fonts.body->FontSize + look.px(5)});
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// `compared`: requests and what they cost stand in a table of their own. Nothing of a line that
/// has a finding is green.
void lineNumbers(const UiContext& ui, const LineCosts& costs, bool compared, bool hasFinding) {
    const Colors& c = ui.look.colors;
    const Rgb good = hasFinding ? c.text : c.good;
    if (costs.global.requests != 0) {
        const auto used = costs.usedPercent();
        const bool isGood = used && *used >= goodShare;
        const Rgb color = !used ? c.text : isGood ? good : colorOfShare(c, *used);
        if (!compared) {
            row(ui, "Requests", groupedDigits(costs.global.requests), c.text);
            row(ui, "Sectors", groupedDigits(costs.global.sectors),
                costs.wastedSectors() == 0 ? good : color);
        }
        row(ui, "Fewest possible", groupedDigits(costs.global.idealSectors), c.text);
        if (used) {
            row(ui, "Bytes used of those fetched", formatNumber(*used, Unit::percent), color);
        }
    }
    if (costs.shared.requests != 0) {
        const bool conflicts = costs.conflicts() != 0;
        if (!compared) {
            row(ui, "Shared memory requests", groupedDigits(costs.shared.requests), c.text);
            row(ui, "Wavefronts", groupedDigits(costs.shared.wavefronts), conflicts ? c.bad : good);
        }
        row(ui, "Fewest possible", groupedDigits(costs.shared.idealWavefronts), c.text);
    }
    if (costs.mostSameAddress() != 0) {
        row(ui, "Most lanes at one address", groupedDigits(costs.mostSameAddress()),
            costs.mostSameAddress() > 1 ? c.warning : good);
    }
    if (costs.branch.requests != 0 && !compared) {
        row(ui, "Times a warp is at a branch", groupedDigits(costs.branch.requests), c.text);
        row(ui, "Of them it diverges", groupedDigits(costs.branch.divergent),
            costs.branch.divergent != 0 ? c.warning : good);
    }
}

/// Where compiled code asks for something else than what is written.
void compiledNumbers(const UiContext& ui, const LineCosts& written, const LineCosts& compiled) {
    const Colors& c = ui.look.colors;
    if (isSameWork(written, compiled)) {
        wrapped(ui.look.fonts.small, c.muted, "The compiled code does the same.");
    } else {
        const auto differing = [&](const char* what, std::uint64_t as, std::uint64_t number) {
            if (as != number) row(ui, what, groupedDigits(number), c.warning);
        };
        differing("Requests as compiled", written.global.requests, compiled.global.requests);
        differing("Sectors as compiled", written.global.sectors, compiled.global.sectors);
        differing("Shared requests as compiled", written.shared.requests, compiled.shared.requests);
        differing("Wavefronts as compiled", written.shared.wavefronts, compiled.shared.wavefronts);
    }
    ui.mark("program.compiled");
}

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
        // Of one width, as all its characters are; what is too long goes on below, further in.
        const auto columns =
            std::max<std::size_t>(16, static_cast<std::size_t>(width / measured(font, "0").x));
        std::string rest(line);
        while (!rest.empty()) {
            const std::size_t blank = rest.size() > columns ? rest.rfind(' ', columns) : rest.npos;
            const std::size_t cut = blank == rest.npos || blank < columns / 2 ? columns : blank;
            textAt(list, font, color, ImGui::GetCursorScreenPos(), rest.substr(0, cut));
            ImGui::Dummy({width, font->FontSize + look.px(1)});
            rest = rest.size() > cut ? "        " + rest.substr(cut) : std::string();
        }
    }
}

bool isAbout(const TriedRemedy& tried, const ProgramState& program) {
    return std::ranges::any_of(tried.places, [&](const SourcePlace& place) {
        return place.line == program.line && sameFile(place.file, program.path);
    });
}

/// The lesson on what is wrong in the chosen line, else on what it costs; empty where there is
/// none.
std::string lessonOfLine(const ProgramState& program) {
    for (const Finding* finding : findingsAt(program.now->trace, program.path, program.line)) {
        const std::string_view lesson = ruleOf(finding->kind).lesson;
        if (findLesson(lesson) != nullptr) return std::string(lesson);
    }
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
    return plainNumber(std::ceil(100 * number) / 100) + (isGlobal ? " sectors" : " wavefronts") +
           " a request";
}

}  // namespace

Commands drawProgramLine(const UiContext& ui, const AppState& state) {
    Commands commands;
    const Look& look = ui.look;
    const Colors& c = look.colors;
    const ProgramState& program = state.program;
    if (!program.now) return commands;
    append(commands, drawProgramGoal(ui, program));
    const LaunchReport* const launch = chosenLaunch(program);
    LineCosts line;
    LineCosts compiled;
    bool isCostlyLine = false;
    if (launch != nullptr) {
        for (const ProgramLine& place : launch->lines) {
            const bool here = place.place.line == program.line;
            if (!here || !sameFile(place.place.file, program.path)) continue;
            if (place.source == Source::predicted) {
                line.add(place);
                isCostlyLine |= breaksCostRule(place, *launch);
            }
            if (place.source == Source::compiled) compiled.add(place);
        }
    }
    const std::vector<const Finding*> found =
        findingsAt(program.now->trace, program.path, program.line);
    if (line.empty()) line.arrays = compiled.arrays;
    if (!line.empty() || !compiled.empty() || !found.empty()) {
        heading(ui, "Line " + std::to_string(program.line), joined(line.arrays));
        for (const Finding* finding : found) wrapped(look.fonts.body, c.bad, finding->words + '.');
        // What is wrong is put right before what it costs is of interest.
        if (!found.empty() && launch != nullptr)
            append(commands, drawProgramRemedies(ui, program, true));
    }
    if (!line.empty() || !compiled.empty()) {
        const std::string meaning =
            meaningOfLine(*launch, program.path, program.line, !found.empty());
        if (!meaning.empty()) wrapped(look.fonts.body, c.text, meaning);
        if (line.dependsOnOrder) {
            wrapped(look.fonts.body, c.warning,
                    "The numbers depend on the order in which threads run.");
        }
        if (found.empty()) append(commands, drawProgramRemedies(ui, program, isCostlyLine));
        space(ui, 4);
        append(commands, drawProgramComparison(ui, program));
        const bool isMeasured = resultOfChosen(program) != nullptr;
        lineNumbers(ui, line, isMeasured, !found.empty());
        if (!isMeasured && hasCompiled(*launch)) compiledNumbers(ui, line, compiled);
    } else if (found.empty()) {
        heading(ui, "No line chosen");
        wrapped(look.fonts.small, c.muted, "Click a line with numbers.");
    }
    if (launch != nullptr && !launch->bounds.empty()) {
        space(ui, 8);
        for (const SampleBound& bound : launch->bounds) {
            row(ui, std::string(metricInfo(bound.metric).title) + " within",
                formatNumber(bound.percent, Unit::percent), c.muted);
        }
    }
    space(ui, 8);
    append(commands, drawProgramMeasured(ui, state));
    const ProgramExit& exit = program.now->trace.exit;
    if (!exit.output.empty() || !exit.stopped.empty() || !exit.signal.empty() ||
        exit.status.value_or(0) != 0) {
        space(ui, 8);
        heading(ui, "The program said",
                !exit.stopped.empty()  ? exit.stopped
                : !exit.signal.empty() ? exit.signal
                : exit.status          ? "exit code " + std::to_string(*exit.status)
                                       : std::string());
        wrapped(look.fonts.smallNumber, c.muted, exit.output);
    }
    return commands;
}

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
                                                           " would do. Save the file to be told."));
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
    // Why it costs much is said when nothing is wrong there any more.
    const bool isWrong = !findingsAt(program.now->trace, program.path, program.line).empty();
    std::set<std::string> reasons;
    for (const ProgramLine& line : chosenLaunch(program)->lines) {
        if (isWrong) break;
        const bool isHere = line.place.line == program.line &&
                            sameFile(line.place.file, program.path) && !line.reason.empty() &&
                            breaksCostRule(line, *chosenLaunch(program));
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
        wrapped(look.fonts.body, tried.diff.empty() ? c.muted : c.good, gainInWords(tried));
        if (tried.diff.empty()) continue;
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
