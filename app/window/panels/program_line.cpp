#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <set>
#include <string>

#include "app/drawing/line_meaning.h"
#include "app/lessons/library.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/program_panels.h"
#include "app/window/state/program_changes.h"
#include "app/window/state/timeline.h"
#include "core/measurement/measurement.h"
#include "core/program/costliest_line.h"
#include "core/program/cuda_tokens.h"
#include "core/program/launch_shape.h"
#include "core/program/library_calls.h"
#include "core/program/reasons.h"
#include "core/program/remedy_findings.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// `a` and `b` in one row: what, and the number at the right.
void row(const UiContext& ui, const std::string& what, const std::string& number, Rgb color) {
    const auto [list, at, width] = penHere();
    const float room = width - measured(ui.fonts.number, number).x - ui.px(10);
    textAt(list, ui.fonts.body, ui.colors.muted, at, fitted(ui.fonts.body, what, room));
    textAt(list, ui.fonts.number, color, {at.x + width, at.y}, number, 1);
    ImGui::Dummy({width, ui.fonts.body->FontSize + ui.px(5)});
}

/// `compared`: requests and what they cost stand in a table of their own. Nothing of a line that
/// has a finding is green.
void lineNumbers(const UiContext& ui, const LineCosts& costs, bool compared, bool hasFinding) {
    const Colors& c = ui.colors;
    const Rgb good = hasFinding ? c.text : c.good;
    if (costs.global.requests != 0) {
        const auto used = costs.usedPercent();
        const bool isGood = used && *used >= goodShare;
        const Rgb color = !used ? c.text : isGood ? good : colorOfShare(c, costs);
        if (!compared) {
            row(ui, "Requests", groupedDigits(costs.global.requests), c.text);
            row(ui, "Sectors", groupedDigits(costs.global.sectors),
                costs.wastedSectors() == 0 ? good : color);
        }
        row(ui, "Fewest possible", groupedDigits(costs.global.idealSectors), c.text);
        if (used) {
            row(ui, "Used of the sectors' bytes", formatNumber(*used, Unit::percent), color);
        }
    }
    if (costs.shared.requests != 0) {
        const bool conflicts = costs.conflicts() != 0;
        if (!compared) {
            row(ui, "Shared memory requests", groupedDigits(costs.shared.requests), c.text);
            row(ui, "Wavefronts", groupedDigits(costs.shared.wavefronts),
                !conflicts                  ? good
                : isMild(costs.sharedParts) ? c.warning
                                            : c.bad);
        }
        row(ui, "Fewest possible", groupedDigits(costs.shared.idealWavefronts), c.text);
    }
    if (costs.constant.requests != 0) {
        const LineCost& turns = costs.constant;
        row(ui, "Constant memory requests", groupedDigits(turns.requests), c.text);
        row(ui, "Turns, one for each address", groupedDigits(turns.wavefronts),
            turns.wavefronts > turns.idealWavefronts ? c.bad : good);
        row(ui, "Fewest possible", groupedDigits(turns.idealWavefronts), c.text);
    }
    if (costs.wastedTurns() != 0) {
        const LineCost atomics = costs.atomics();
        row(ui, "Turns of atomics, one for each lane at an address",
            groupedDigits(atomics.sameAddress), c.warning);
        row(ui, "Fewest possible", groupedDigits(atomics.requests), c.text);
    }
    // The machine counts them together: none waits for another.
    if (costs.mostSameAddress() == 1 &&
        std::ranges::any_of(costs.sharedParts, &ProgramLine::isJoined))
        row(ui, "Lanes at one address", "done at once", good);
    else if (costs.mostSameAddress() != 0) {
        row(ui, "Most lanes at one address", groupedDigits(costs.mostSameAddress()),
            costs.mostInTurns() != 0 ? c.warning : good);
    }
    if (costs.branch.requests != 0 && !compared) {
        row(ui, "Times a warp is at a branch", groupedDigits(costs.branch.requests), c.text);
        row(ui, "Of them it diverges", groupedDigits(costs.branch.divergent),
            costs.branch.divergent != 0 ? c.warning : good);
    }
}

/// Where compiled code asks for something else than what is written.
void compiledNumbers(const UiContext& ui, const LineCosts& written, const LineCosts& compiled) {
    const bool hasSameBranches = written.branch.requests == compiled.branch.requests;
    if (isSameWork(written, compiled)) {
        const bool asks = written.global.requests + written.shared.requests != 0;
        if (!hasSameBranches)
            row(ui, "At a branch as compiled", groupedDigits(compiled.branch.requests),
                ui.colors.text);
        const bool isSame = hasSameBranches && compiled.local.requests == 0;
        if (hasSameBranches || asks)
            wrapped(ui.fonts.small, ui.colors.muted,
                    isSame ? "The compiled code does the same."
                           : "The compiled code asks global and shared memory for the same.");
    } else {
        const auto differing = [&](const char* what, std::uint64_t as, std::uint64_t number) {
            if (as != number) row(ui, what, groupedDigits(number), ui.colors.warning);
        };
        differing("Global requests as compiled", written.global.requests, compiled.global.requests);
        differing("Global sectors as compiled", written.global.sectors, compiled.global.sectors);
        differing("Shared requests as compiled", written.shared.requests, compiled.shared.requests);
        differing("Wavefronts as compiled", written.shared.wavefronts, compiled.shared.wavefronts);
        const ProgramDifferences* const tried =
            ofNow(ui.state.program.differences, ui.state.program);
        if (tried == nullptr)
            wrapped(ui.fonts.small, ui.colors.muted, "Why is being tried.");
        else if (!tried->failure.empty())
            wrapped(ui.fonts.small, ui.colors.muted, "Why was not tried: " + tried->failure);
    }
    if (compiled.local.requests != 0) {
        row(ui, "Local requests as compiled", groupedDigits(compiled.local.requests),
            ui.colors.warning);
        row(ui, "Local sectors as compiled", groupedDigits(compiled.local.sectors),
            ui.colors.warning);
    }
    ui.mark("program.compiled");
}

/// Where a part of a diff begins before and after it: `@@ -7,6 +7,7 @@`.
std::array<std::uint32_t, 2> hunkBegins(std::string_view head) {
    std::array<std::uint32_t, 2> begins{};
    for (const std::size_t side : {0U, 1U}) {
        const std::size_t at = std::min(head.find("-+"[side]), head.size() - 1) + 1;
        (void)std::from_chars(head.data() + at, head.data() + head.size(), begins.at(side));
    }
    return begins;
}

/// Lines of a diff with their numbers, those that go and come in their colours; `alone` without
/// those around them.
void diffLines(const UiContext& ui, const std::string& diff, bool alone = false) {
    const Colors& c = ui.colors;
    ImFont* const font = ui.fonts.smallNumber;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float digit = measured(font, "0").x;
    float gutter = 0;
    std::array<std::uint32_t, 2> next{};  // of the text before and after
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
    for (const std::string_view line : splitLines(diff)) {
        if (line.empty() || line.starts_with("--- ") || line.starts_with("+++ ")) continue;
        if (line.starts_with("@@")) {
            next = hunkBegins(line);
            gutter = digit * static_cast<float>(1 + std::to_string(next[1] + 99).size());
            continue;
        }
        const bool goes = line.front() == '-';
        const bool comes = line.front() == '+';
        const std::uint32_t number = goes ? next[0] : next[1];
        if (gutter > 0 && !comes) ++next[0];
        if (gutter > 0 && !goes) ++next[1];
        if (alone && !goes && !comes) continue;
        const ImVec2 from = ImGui::GetCursorScreenPos();
        if (number != 0)
            textAt(list, font, c.faint, {from.x + gutter - digit, from.y}, std::to_string(number),
                   1);
        const Rgb color = goes ? c.bad : comes ? c.good : c.muted;
        const float width = ImGui::GetContentRegionAvail().x - gutter;
        // Of one width, as all its characters are; what is too long goes on below, further in.
        const auto columns = std::max<std::size_t>(16, static_cast<std::size_t>(width / digit));
        std::string rest(line);
        while (!rest.empty()) {
            const std::size_t blank = rest.size() > columns ? rest.rfind(' ', columns) : rest.npos;
            const std::size_t cut = blank == rest.npos || blank < columns / 2 ? columns : blank;
            const ImVec2 at = ImGui::GetCursorScreenPos();
            textAt(list, font, color, {at.x + gutter, at.y}, rest.substr(0, cut));
            ImGui::Dummy({gutter + width, font->FontSize + ui.px(1)});
            rest = rest.size() > cut ? "        " + rest.substr(cut) : std::string();
        }
    }
    ImGui::PopStyleVar();
}

/// What was done on the chosen line of the chosen launch; what a branch makes others waste last.
std::vector<const ProgramLine*> accessesHere(const ProgramState& program) {
    std::vector<const ProgramLine*> here;
    const LaunchReport* const launch = chosenLaunch(program);
    for (std::size_t at = 0; launch != nullptr && at < launch->lines.size(); ++at) {
        const SourcePlace& place = launch->lines[at].place;
        if (place.line == program.line && sameFile(place.file, program.path))
            here.push_back(&launch->lines[at]);
    }
    std::ranges::stable_partition(
        here, [&](const ProgramLine* line) { return partingOf(*line, *launch) == nullptr; });
    return here;
}

/// Which warps of the block that is shown diverge on the line.
void divergingHere(const UiContext& ui) {
    if (shownSteps(ui.state) == nullptr) return;
    constexpr std::size_t most = 6;
    const std::vector<std::uint32_t> warps = divergingWarps(ui.state);
    const std::span<const std::uint32_t> first(warps.data(), std::min(warps.size(), most));
    const std::string names =
        joined(first, ", ", [](std::uint32_t warp) { return std::to_string(warp); });
    wrapped(ui.fonts.body, ui.colors.text,
            "Of block " + toText(ui.state.view.block) +
                (warps.empty()          ? " no warp diverges here."
                 : warps.size() == 1    ? " warp " + names + " diverges here."
                 : warps.size() <= most ? " warps " + names + " diverge here."
                                        : " " + std::to_string(warps.size()) +
                                              " warps diverge here: " + names + " ..."));
    ui.mark("program.diverging");
}

/// The lesson on what is wrong in the chosen line, else on what it costs, that of its remedy first;
/// empty where there is none.
std::string lessonOfLine(const ProgramState& program) {
    const auto edit = editOfLine(program);
    const std::string_view ofEdit =
        edit ? lessonOf(ofNow(program.remedies, program)->tried[*edit]) : "";
    for (const Finding* finding : findingsHere(program)) {
        // Of a race that a barrier does not end, on what does.
        const bool isLost = finding->words.find(withoutAtomic) != std::string::npos;
        const std::string rule = ruleOf(finding->kind).id;
        std::string_view lesson =
            isLost ? lessonOf({.remedy = "use-atomic", .rule = rule}) : ofEdit;
        // What a condition keeps out no grid mends, and what nothing writes before no barrier.
        const bool isOfBarriers =
            finding->isWrittenLater || finding->words.find(theyLeave) != std::string::npos;
        if (lesson.empty() &&
            ((finding->kind == FindingKind::notReached && finding->otherLine) ||
             (finding->kind == FindingKind::uninitialisedShared && !isOfBarriers)))
            continue;
        const bool isOfGrid = finding->words.find(gridEnds) != std::string::npos;
        if (lesson.empty())
            lesson = ruleOf(isOfGrid ? FindingKind::notReached : finding->kind).lesson;
        if (findLesson(lesson) != nullptr) return std::string(lesson);
    }
    for (const ProgramLine* line : accessesHere(program)) {
        const bool isParted = partingOf(*line, *chosenLaunch(program)) != nullptr;
        const std::string_view lesson =
            findLesson(ofEdit) == nullptr
                ? costRule(isParted ? AccessKind::branch : line->kind).lesson
                : ofEdit;
        if (isOfRules(*line) && breaksCostRule(*line, *chosenLaunch(program)) &&
            findLesson(lesson) != nullptr)
            return std::string(lesson);
    }
    return {};
}

void applyButton(const UiContext& ui, const ProgramState& program, std::size_t at,
                 const std::string& mark) {
    const ProgramRemedies& found = *ofNow(program.remedies, program);
    ImGui::PushID(static_cast<int>(at));
    // Without a tooltip: it would cover what the edit comes to.
    const std::string& file = found.tried[at].file;
    const bool isHere = sameFile(file, program.path);
    commandButton(ui,
                  isHere ? "Apply" : "Apply to " + std::filesystem::path(file).filename().string(),
                  mark, ApplyRemedy{at}, "", {.enabled = program.stage.empty(), .primary = true});
    ImGui::PopID();
}

/// `4 sectors a request`
std::string goalWords(const LineGoal& goal, double number) {
    const bool isGlobal = goal.kind == AccessKind::load || goal.kind == AccessKind::store;
    std::string amount = fixedNumber(number, 2);  // as in the list of what was found
    if (amount.ends_with(".00")) amount.resize(amount.size() - 3);
    return amount + (isGlobal ? " sector" : " wavefront") + (amount == "1" ? "" : "s") +
           " a request";
}

/// Why a goal is more than the best that the list of what was found names.
void withinLine(const UiContext& ui, const LineGoal& goal) {
    if (goal.within == 0) return;
    wrapped(ui.fonts.small, ui.colors.muted,
            "Goal: the best, " + fixedNumber(goal.most - goal.within, 2) + ", and " +
                fixedNumber(goal.within, 0) + " more, as rows begin within a sector.");
    ui.mark("program.goal-parts");
}

/// The goal that was set for a line, and how it stands; nothing where there is none.
void goalLines(const UiContext& ui, const ProgramState& program) {
    if (!program.goal) return;
    const LineGoal& goal = *program.goal;
    const std::optional<LineGoal> now = standingOfGoal(program);
    const Finding* const fault = faultOf(program);
    const bool isLow = now && now->most <= now->least;
    const bool isReached = isLow && fault == nullptr;
    heading(ui, isReached ? "Goal reached" : "Goal", goal.kernel + ": " + goal.array);
    wrapped(ui.fonts.body, isReached ? ui.colors.good : ui.colors.text,
            !now     ? "Nothing is accessed there now."
            : !isLow ? goalWords(goal, now->most) + " now; " + goalWords(goal, now->least) +
                           " would do. Save the file to be told."
            : fault != nullptr ? goalWords(goal, now->most) +
                                     ", but the program is wrong: " + kindInWords(fault->kind) + '.'
            : now->requests == goal.requests
                ? goalWords(goal, now->most) + '.'
                : goalWords(goal, now->most) + " do for its " + groupedDigits(now->requests) +
                      " requests; " + fixedNumber(goal.most, 2) + " did for " +
                      groupedDigits(goal.requests) + ".");
    if (!isReached) withinLine(ui, goal);
    commandButton(ui, isReached ? "Done" : "Give the goal up", "program.goal-end",
                  ToggleLineGoal{});
    space(ui, 8);
}

/// The lesson on the chosen line, and the goal that can be set for it.
void lessonOrGoal(const UiContext& ui, const ProgramState& program) {
    const std::string lesson = lessonOfLine(program);
    if (lesson.empty()) return;
    // Of an exercise it is its own, to which the editor leads back; its grid is not to be changed.
    if (const auto& exercise = program.now->exercise;
        exercise &&
        (lesson == exercise->lesson || lesson == remedyNamed("cover-the-problem").lesson))
        return;
    space(ui, 4);
    const auto goal = program.goal ? std::nullopt : goalOfLine(program);
    const std::string most = goal ? goalWords(*goal, goal->most) : std::string();
    const std::string words = "Goal: " + most.substr(0, most.find(" a "));
    const float beside =
        goal ? buttonWidth(ui.fonts.body, words) + ImGui::GetStyle().ItemSpacing.x : 0;
    const float room =
        ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x - ui.px(4) - beside;
    commandButton(ui, fitted(ui.fonts.body, "Lesson: " + findLesson(lesson)->title, room),
                  "program.lesson", OpenLesson{lesson, true},
                  "Try it yourself: the lesson has this line among its pictures. Esc leads "
                  "back to the line.");
    if (!goal) return;
    ImGui::SameLine();
    commandButton(ui, words, "program.goal", ToggleLineGoal{},
                  most + ": checked whenever the file is saved");
    withinLine(ui, *goal);
}

/// Why the chosen line costs what it costs: before what can be done about it.
void reasonLines(const UiContext& ui, const ProgramState& program) {
    std::set<std::string> reasons;
    for (const ProgramLine* line : accessesHere(program)) {
        const bool breaks = breaksCostRule(*line, *chosenLaunch(program));
        const bool isMore = line->source == Source::predicted && line->kind != AccessKind::branch &&
                            wasteOf(line->kind, *line) != 0;
        if (line->reason.empty() || (!breaks && !isMore && !isLocal(line->kind)) ||
            !reasons.insert(line->reason).second)
            continue;
        prose(ui, ui.colors.text,
              "Why: " + line->reason + '.' +
                  (line->decidedBy == CostDecider::data && isShared(line->kind)
                       ? " That is no fault: other data would cost another amount."
                       : ""));
        ui.mark("program.reason");
    }
}

/// What it saves, that of which the chosen line has too much first.
std::string gainOfLine(const TriedRemedy& tried, const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    const auto worst =
        launch == nullptr ? std::nullopt : worstAccessOfLine(*launch, program.path, program.line);
    return gainInWords(worst ? withUnitFirst(tried, toString(metricOf(*worst))) : tried);
}

/// What was tried against what the chosen line costs, with `Apply`.
void remedyLines(const UiContext& ui, const ProgramState& program, bool isLookedFor) {
    const Colors& c = ui.colors;
    if (program.takeBack) {
        space(ui, 4);
        // Also beside the open editor, whose own Ctrl+Z is of what is typed.
        commandButton(ui, std::string(actionOf(Act::takeRemedyBack).label), "program.take-back",
                      TakeRemedyBack{}, std::string(actionOf(Act::takeRemedyBack).does),
                      {.enabled = program.stage.empty() && !program.editor.isChanged()});
    }
    const ProgramRemedies* const found = ofNow(program.remedies, program);
    if (found == nullptr) {
        if (isLookedFor && wantedRemedies(program))
            wrapped(ui.fonts.small, c.muted, "Remedies are being tried.");
        return;
    }
    if (isLookedFor && !found->failure.empty())
        wrapped(ui.fonts.small, c.muted, "No remedies were tried: " + found->failure);
    const auto above = editOfLine(program);
    const std::vector<const Finding*> wrong = findingsHere(program);
    std::vector<std::size_t> here;
    std::set<std::string> rules;
    bool isOneEnough = false;  // that mends several findings
    for (std::size_t at = 0; at < found->tried.size(); ++at) {
        if (!isOfLine(found->tried[at], program)) continue;
        here.push_back(at);
        const TriedRemedy& tried = found->tried[at];
        if (tried.unit == "findings") rules.insert(tried.rule);
        isOneEnough |= !tried.diff.empty() && tried.after + 1 < tried.before;
    }
    std::ranges::stable_partition(here, [&](std::size_t at) {
        return !wrong.empty() && found->tried[at].rule == ruleOf(wrong.front()->kind).id;
    });
    if (rules.size() > 1 && !isOneEnough)
        wrapped(ui.fonts.body, c.text,
                "Each fault of this line has its own remedy: all are needed.");
    for (const std::size_t at : here) {
        const TriedRemedy& tried = found->tried[at];
        if (at == above) continue;
        // Of another cause here, for which the edit above is no cure alone.
        if (above && tried.diff.empty() && tried.remedy == found->tried[*above].remedy) continue;
        const std::string lesson(lessonOf(tried));
        space(ui, 6);
        heading(ui, "Remedy");
        prose(ui, c.text, wordsOf(tried));
        if (const Lesson* const other = findLesson(lesson);
            other != nullptr && lesson != lessonOfLine(program))
            commandButton(
                ui,
                fitted(ui.fonts.body, "Lesson: " + other->title,
                       ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().FramePadding.x),
                "program.lesson." + std::to_string(at), OpenLesson{lesson, true});
        wrapped(ui.fonts.body,
                tried.diff.empty() ? c.muted
                : tried.isWrongYet ? c.warning
                                   : c.good,
                gainOfLine(tried, program));
        if (tried.diff.empty()) continue;
        diffLines(ui, tried.diff);
        space(ui, 2);
        applyButton(ui, program, at, "program.apply." + std::to_string(at));
    }
}

}  // namespace

float drawProgramLine(const UiContext& ui) {
    const Colors& c = ui.colors;
    const ProgramState& program = ui.state.program;
    float needed = 0;
    if (!program.now) return needed;
    goalLines(ui, program);
    const LaunchReport* const launch = chosenLaunch(program);
    LineCosts line;
    LineCosts compiled;
    bool isCostlyLine = false;
    for (const ProgramLine* access : accessesHere(program)) {
        if (access->source == Source::compiled) compiled.add(*access);
        if (access->source != Source::predicted) continue;
        line.add(*access);
        isCostlyLine |= breaksCostRule(*access, *launch);
    }
    const std::vector<const Finding*> found = findingsHere(program);
    const bool isWrong = std::ranges::any_of(
        found, [](const Finding* finding) { return !isWarning(finding->kind); });
    if (line.empty()) line.arrays = compiled.arrays;
    if (!line.empty() || !compiled.empty() || !found.empty()) {
        heading(ui, "Line " + std::to_string(program.line), joined(line.arrays, ", "));
        for (const Finding* finding : found) {
            const bool names = finding->block && finding->thread;
            prose(ui, isWarning(finding->kind) ? c.warning : c.bad,
                  (isRace(finding->kind) ? "Race: " : "") + finding->words + '.' +
                      (names ? " Seen in thread " + toText(*finding->thread) + " of block " +
                                   toText(*finding->block) + '.'
                             : std::string()));
        }
        // Why it costs much is said when nothing is wrong there any more.
        if (!isWrong) reasonLines(ui, program);
        lessonOrGoal(ui, program);
        // Found later than what stands above, which keeps its place.
        if (const auto at = editOfLine(program)) {
            const TriedRemedy& tried = ofNow(program.remedies, program)->tried[*at];
            wrapped(ui.fonts.strong, c.text, wordsOf(tried));
            applyButton(ui, program, *at, "program.apply");
            ImGui::SameLine();
            wrapped(ui.fonts.body, tried.isWrongYet ? c.warning : c.good,
                    gainOfLine(tried, program));
            const ImVec2 from = ImGui::GetCursorScreenPos();
            diffLines(ui, tried.diff, true);
            ui.markPicture("program.diff", from, ImGui::GetItemRectMax());
            needed = ImGui::GetCursorPosY();
            space(ui, 8);
        }
        // What is wrong is put right before what it costs is of interest.
        const bool isOfHost = line.empty() && compiled.empty() && !found.empty();
        if ((isWrong || isOfHost) && launch != nullptr) remedyLines(ui, program, true);
    }
    if (!line.empty() || !compiled.empty()) {
        const std::string meaning = meaningOfLine(*launch, program.path, program.line, isWrong);
        if (!meaning.empty()) prose(ui, c.text, meaning);
        // Of a guard it is said that no second path is run.
        if (std::ranges::any_of(accessesHere(program), [](const ProgramLine* one) {
                return one->source == Source::predicted && one->kind == AccessKind::branch &&
                       one->divergent != 0 && !one->isGuard;
            }))
            divergingHere(ui);
        if (line.dependsOnOrder) {
            wrapped(ui.fonts.body, c.warning,
                    "The numbers depend on the order in which threads run.");
        }
        if (!isWrong) remedyLines(ui, program, isCostlyLine);
        space(ui, 4);
        drawProgramComparison(ui, program);
        const bool isMeasured = resultOfChosen(program) != nullptr;
        lineNumbers(ui, line, isMeasured, isWrong);
        if (!isMeasured && hasCompiled(*launch) && !hasFaults(program))
            compiledNumbers(ui, line, compiled);
    } else if (found.empty()) {
        heading(ui, program.line == 0 ? "No line chosen" : "Line " + std::to_string(program.line));
        std::vector<std::string> others;
        if (launch != nullptr) others = otherFilesOf(program, *launch);
        const bool hasLines =
            launch == nullptr || std::ranges::any_of(launch->lines, [&](const ProgramLine& each) {
                return sameFile(each.place.file, program.path);
            });
        const bool runs = program.now->failure.empty();
        std::vector<std::uint32_t> running;
        for (const LaunchReport& other : program.now->trace.launches) {
            if (std::ranges::any_of(other.lines, [&](const ProgramLine& each) {
                    return each.place.line == program.line &&
                           sameFile(each.place.file, program.path);
                }))
                running.push_back(other.index);
        }
        if (hasLines)
            wrapped(ui.fonts.small, c.muted,
                    !running.empty() ? "Nothing of this launch is counted on this line. " +
                                           (running.size() == 1 ? "One launch comes"
                                                                : groupedDigits(running.size()) +
                                                                      " launches come") +
                                           " here."
                    : runs && program.line != 0
                        ? "Nothing of this launch is counted on this line. Click one with numbers."
                    : runs ? "Click a line with numbers."
                           : "Lines get their numbers once the file compiles and runs.");
        if (!running.empty())
            commandButton(ui, "Launch " + std::to_string(running.front()), "program.running",
                          ChooseProgramLaunch{running.front()});
        constexpr std::size_t mostShown = 4;
        if (others.size() > mostShown) others.resize(mostShown);
        const auto nameOf = [](const std::string& file) {
            return std::filesystem::path(file).filename().string();
        };
        if (!others.empty()) {
            wrapped(ui.fonts.small, c.muted,
                    (hasLines ? "More of " : "The lines of ") + shortKernelName(launch->kernel) +
                        (hasLines ? " is in " : " are in ") + joined(others, ", ", nameOf) + '.');
        }
        for (const std::string& other : others) {
            const bool isFirst = other == others.front();
            commandButton(ui, "Show " + nameOf(other),
                          isFirst ? "program.file" : "program.file." + nameOf(other),
                          OpenProgram{other, launch->index},
                          "The same program, with the text of " + other);
        }
    }
    if (launch != nullptr && !launch->bounds.empty()) {
        space(ui, 8);
        for (const SampleBound& bound : launch->bounds) {
            row(ui, std::string(metricInfo(bound.metric).title) + " within",
                formatNumber(bound.percent, Unit::percent), c.muted);
        }
    }
    space(ui, 8);
    drawProgramMeasured(ui);
    return needed;
}

}  // namespace warplens::window
