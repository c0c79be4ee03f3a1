#include <cmath>
#include <functional>
#include <set>
#include <span>

#include "app/drawing/elements.h"
#include "app/drawing/line_meaning.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/program_panels.h"
#include "app/window/state/program_changes.h"
#include "core/measurement/measurement.h"
#include "core/program/costliest_line.h"
#include "core/program/cuda_tokens.h"
#include "core/program/launch_shape.h"
#include "core/program/library_calls.h"
#include "core/program/reasons.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// What stands on a card: a title with a number at its right, and a line below.
struct CardWords final {
    std::string title;
    std::string below;
    Rgb titleColor = 0;
    std::string number{};
    Rgb numberColor = 0;
};

/// True when it is clicked.
bool card(const UiContext& ui, const std::string& id, Rgb color, bool chosen,
          const CardWords& words) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = ui.px(10);
    const float room = ImGui::GetContentRegionAvail().x - 2 * inset;
    const float beside =
        words.number.empty() ? 0 : measured(ui.fonts.number, words.number).x + ui.px(8);
    // A name that would be broken beside its number has a row of its own.
    const bool isLow = beside > 0 && measured(ui.fonts.strong, words.title).x > room - beside;
    const float titled = isLow ? room : room - beside;
    const float title = heightInLines(ui.fonts.strong, words.title, titled);
    const float last = isLow ? ui.fonts.number->FontSize : ui.fonts.small->FontSize;
    const ImVec2 size{room + 2 * inset, title + last + ui.px(20)};
    const ImVec2 end{at.x + size.x, at.y + size.y};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, end, packed(mixed(ui.colors.panel, color, chosen ? 0.3F : 0.12F)),
                       ui.px(6));
    if (chosen) list.AddRect(at, end, packed(color), ui.px(6), 0, ui.px(2));
    const float top = at.y + ui.px(7);
    textAt(list, ui.fonts.number, words.numberColor,
           {end.x - inset, isLow ? end.y - ui.px(7) - last : top}, words.number, 1);
    textInLines(&list, ui.fonts.strong, words.titleColor, {at.x + inset, top}, words.title, titled);
    textAt(list, ui.fonts.small, ui.colors.muted, {at.x + inset, at.y + ui.px(11) + title},
           fitted(ui.fonts.small, words.below, isLow ? room - beside : room));
    const bool clicked = ImGui::InvisibleButton(id.c_str(), size);
    ui.mark(id);
    return clicked;
}

/// Times that warps diverge, lanes that wait for one another, or units beyond the fewest, but of
/// lanes that a branch parts.
std::uint64_t lossOf(const ProgramLine& line, const LaunchReport& launch) {
    return line.kind == AccessKind::branch      ? line.divergent
           : isAtomic(line.kind)                ? line.sameAddress
           : partingOf(line, launch) != nullptr ? 0
                                                : wasteOf(line.kind, line);
}

/// Of the lines that `check` warns of the one that wastes most, as an own file is opened at it;
/// null where there is none.
const ProgramLine* worstOf(const LaunchReport& launch) {
    const ProgramLine* worst = nullptr;
    std::uint64_t most = 0;
    for (const ProgramLine& line : launch.lines) {
        if (line.source != Source::predicted || !breaksCostRule(line, launch)) continue;
        const std::uint64_t waste = lossOf(line, launch);
        if (waste > std::exchange(most, std::max(most, waste))) worst = &line;
    }
    return worst;
}

/// What a launch costs, in a word or two: by its worst line, else the share of bytes that it uses.
struct LaunchMark final {
    std::string words;
    Rgb color = 0;
    std::string meaning{};  ///< of what is not of global memory
};
LaunchMark markOf(const Colors& c, const LaunchReport& launch, const Finding* fault, bool isWrong) {
    if (fault != nullptr)
        return {isRace(fault->kind)                       ? "race"
                : fault->kind == FindingKind::outOfBounds ? "out of bounds"
                                                          : "fault",
                c.bad, "\nLine " + std::to_string(fault->place.line) + ": " + fault->words};
    const LineCosts costs = costsOf(launch);
    const auto used = costs.usedPercent();
    const auto times = [](const std::string& number, const char* what) {
        return (number.ends_with(".00") ? number.substr(0, number.size() - 3) : number) + "× " +
               what;
    };
    const ProgramLine* const worst = worstOf(launch);
    const std::uint64_t diverging = divergentBranches(launch);
    const std::string at = worst == nullptr ? "" : " at line " + std::to_string(worst->place.line);
    if (worst != nullptr && worst->kind == AccessKind::branch)
        return {groupedDigits(diverging) + (diverging == 1 ? " diverges" : " diverge"), c.warning,
                "\nTimes that warps diverge, most" + at};
    const auto turns = [&] { return perRequest(worst->sameAddress, worst->requests); };
    if (worst != nullptr && isAtomic(worst->kind) && turns() != "1.00")
        return {times(turns(), "turns"), c.bad,
                "\nLanes of a warp change one address" + at +
                    ", one after the other: " + groupedDigits(worst->sameAddress) +
                    " turns where " + groupedDigits(worst->requests) + " would do"};
    if (worst != nullptr && worst->kind == AccessKind::constantLoad)
        return {times(perRequest(worst->wavefronts, worst->requests), "constant"), c.bad,
                "\nLanes ask constant memory for different addresses" + at + ": " +
                    groupedDigits(costs.constant.wavefronts) + " turns where " +
                    groupedDigits(costs.constant.idealWavefronts) + " would do"};
    // What breaks no rule is amber where a line is named that could take less.
    const Rgb mild = costsALittle(launch) == nullptr ? c.text : c.warning;
    if (worst == nullptr && wasteOf(AccessKind::localLoad, costs.local) > costs.wastedSectors())
        return {times(perRequest(costs.local.sectors, costs.local.idealSectors), "local"), mild,
                "\nLocal memory, as compiled: " + groupedDigits(costs.local.sectors) +
                    " sectors where " + groupedDigits(costs.local.idealSectors) + " would do"};
    const bool isGlobalWorst = worst != nullptr && isGlobal(worst->kind);
    if (costs.conflicts() != 0 && !isGlobalWorst && (worst || used.value_or(100) >= goodShare))
        return {
            times(perRequest(costs.shared.wavefronts, costs.shared.idealWavefronts), "wavefronts"),
            worst == nullptr                        ? mild
            : worst->decidedBy == CostDecider::data ? c.warning
                                                    : c.bad,
            "\nBanks of shared memory: " + groupedDigits(costs.shared.wavefronts) +
                " wavefronts where " + groupedDigits(costs.shared.idealWavefronts) + " would do"};
    if (!used) return {};
    // Nothing of a kernel that has a finding, or whose warps diverge, is green.
    if (diverging != 0 && *used >= goodShare)
        return {groupedDigits(diverging) + (diverging == 1 ? " diverges" : " diverge"), c.text,
                "\nTimes that warps diverge"};
    return {formatNumber(*used, Unit::percent), worst == nullptr && *used < goodShare ? mild
                                                : isWrong && *used >= goodShare
                                                    ? c.text
                                                    : colorOfShare(c, *used)};
}

/// Of the version as it is now, or of one before, paler.
void launchCard(const UiContext& ui, const ProgramState& program, const ProgramVersion& version,
                const LaunchReport& launch) {
    const Colors& c = ui.colors;
    const bool isNow = &version == program.now.get();
    std::string below = launchText(launch.launch);
    if (!launch.traced) below += "  run, not traced";
    const auto used = costsOf(launch).usedPercent();
    const Finding* fault = nullptr;
    bool isWrong = false;
    for (const Finding& finding : version.trace.findings) {
        if (finding.kernel != launch.kernel) continue;
        isWrong = true;
        // Elements that no thread reaches may be room to spare, say.
        if (fault == nullptr && !isWarning(finding.kind) && ruleOf(finding.kind).isError)
            fault = &finding;
    }
    const LaunchMark mark = markOf(c, launch, fault, isWrong);
    const bool isOneOfMany =
        std::ranges::any_of(version.trace.launches, [&](const LaunchReport& other) {
            return other.index != launch.index && other.kernel == launch.kernel &&
                   other.launch == launch.launch;
        });
    // Instances of one template are told apart by their arguments.
    const bool isShort =
        std::ranges::none_of(version.trace.launches, [&](const LaunchReport& other) {
            return other.kernel != launch.kernel &&
                   shortKernelName(other.kernel) == shortKernelName(launch.kernel);
        });
    const bool clicked = card(ui, "program.launch." + std::to_string(launch.index),
                              isNow ? c.accent : c.faint, launch.index == program.launch,
                              {.title = (isOneOfMany ? std::to_string(launch.index) + ": " : "") +
                                        (isShort ? shortKernelName(launch.kernel) : launch.kernel),
                               .below = below,
                               .titleColor = isNow ? c.text : c.muted,
                               .number = isNow ? mark.words : std::string(),
                               .numberColor = mark.color});
    if (!isNow) return;
    if (clicked) ui.issue(ChooseProgramLaunch{launch.index});
    tooltip(ui,
            launch.kernel + launchText(launch.launch) +
                (used ? "\n" + formatNumber(*used, Unit::percent) +
                            " of the bytes of global memory's sectors are used"
                      : "\nNothing of global memory") +
                mark.meaning,
            true);
}

/// A library's launches stand below its call, once one of them is chosen.
void launchCards(const UiContext& ui, const ProgramState& program, const ProgramVersion& version) {
    const Colors& c = ui.colors;
    const std::vector<LaunchReport>& launches = version.trace.launches;
    for (const LaunchGroup& group : launchGroups(version.trace, program.path, version.lines)) {
        const std::span own(launches.data() + group.first, group.count);
        if (!group.call.empty()) {
            const bool isOpen =
                std::ranges::find(own, program.launch, &LaunchReport::index) != own.end();
            const std::uint32_t first = own.front().index;
            if (card(ui, "program.call." + std::to_string(first), c.faint, isOpen,
                     {.title = group.call,
                      .below = groupedDigits(group.count) +
                               (group.count == 1 ? " launch" : " launches") + ", " +
                               counted(group.requests, "request"),
                      .titleColor = &version == program.now.get() ? c.text : c.muted}) &&
                !isOpen)
                ui.issue(ChooseProgramLaunch{first});
            tooltip(ui,
                    "Line " + std::to_string(own.front().place.line) +
                        ": a library's call, and the kernels that it launches",
                    true);
            if (!isOpen) continue;
            ImGui::Indent(ui.px(12));
        }
        for (const LaunchReport& launch : own) launchCard(ui, program, version, launch);
        if (!group.call.empty()) ImGui::Unindent(ui.px(12));
    }
}

/// `Lines 6 and 9: race in shared memory`
std::string titleOf(const std::vector<Finding>& findings, const std::vector<std::size_t>& cause,
                    FindingKind kind) {
    std::set<std::uint32_t> lines;
    for (const std::size_t each : cause) lines.insert(findings[each].place.line);
    const std::string title = kindInWords(kind);
    if (lines.contains(0)) return title;
    std::string numbers;
    for (const std::uint32_t line : lines) {
        if (!numbers.empty()) numbers += line == *lines.rbegin() ? " and " : ", ";
        numbers += std::to_string(line);
    }
    return (lines.size() == 1 ? "Line " : "Lines ") + numbers + ": " + title;
}

/// A card for each cause; a click leads to its first line, and from there to the next.
void findingCards(const UiContext& ui, const ProgramState& program,
                  const std::function<bool(FindingKind)>& isMeant) {
    const std::vector<Finding>& findings = program.now->trace.findings;
    for (const std::vector<std::size_t>& cause : findingsByCause(findings)) {
        // What is read before it is written is by the race that it is of.
        const auto race = std::ranges::find_if(
            cause, [&](std::size_t each) { return isRace(findings[each].kind); });
        const Finding& finding = findings[race == cause.end() ? cause.front() : *race];
        if (!isMeant(finding.kind)) continue;
        const Rgb color = isWarning(finding.kind) ? ui.colors.warning : ui.colors.bad;
        std::string where;
        for (const std::size_t each : cause) {
            const Finding& one = findings[each];
            where += (where.empty() ? "" : "\n") + one.words;
            if (one.block && one.thread)
                where += "\nblock " + toText(*one.block) + ", thread " + toText(*one.thread);
        }
        const auto isShown = [&](std::size_t each) {
            return findings[each].place.line == program.line && program.line != 0;
        };
        const auto shown = std::ranges::find_if(cause, isShown);
        auto next = std::find_if_not(shown, cause.end(), isShown);
        if (next == cause.end()) next = cause.begin();
        const std::string count = cause.size() == 1 ? "" : counted(cause.size(), "finding") + ": ";
        if (card(ui, "program.finding." + std::to_string(cause.front()), color, false,
                 {.title = titleOf(findings, cause, finding.kind),
                  .below = count + finding.words,
                  .titleColor = color}))
            ui.issue(ShowFinding{*next});
        tooltip(ui, where, true);
    }
}

/// What a compiler or a linker said, of one width: its first errors, or the first lines where it
/// names none; the rest once it is asked for.
void compilerWords(const UiContext& ui, const std::string& words) {
    constexpr std::size_t mostShown = 6;
    const std::vector<std::string_view> lines = splitLines(words);
    const std::vector<std::string_view> errors = errorsIn(words);
    bool* const isOpen =
        ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("compiler's words"), false);
    std::vector<std::string_view> shown = *isOpen || errors.empty() ? lines : errors;
    if (!*isOpen && shown.size() > mostShown) shown.resize(mostShown);
    for (const std::string_view line : shown)
        wrapped(ui.fonts.number, errorsIn(line).empty() ? ui.colors.text : ui.colors.bad, line);
    ui.mark("program.failure");
    if (const std::string_view hint = errorHint(words); !hint.empty())
        wrapped(ui.fonts.body, ui.colors.text, hint);
    if (!*isOpen && shown.size() == lines.size()) return;
    const std::string more = "All " + std::to_string(lines.size()) + " lines";
    if (plainButton(ui, *isOpen ? "The first errors alone" : more.c_str())) *isOpen = !*isOpen;
    ui.mark("program.failure.more");
}

/// Launches of the version before that are made no longer, a line each.
void goneCards(const UiContext& ui, const ProgramState& program) {
    constexpr std::size_t most = 4;
    const std::vector<const LaunchReport*> gone = launchesGone(program);
    if (gone.empty() || !program.stage.empty()) return;
    std::string words =
        wasEnded(program.now->trace.exit) ? "Not reached this time:" : "No longer made:";
    for (std::size_t i = 0; i < std::min(most, gone.size()); ++i) {
        words += (i == 0 ? " " : ", ") + gone[i]->kernel + launchText(gone[i]->launch);
    }
    if (gone.size() > most) words += " and " + std::to_string(gone.size() - most) + " more";
    wrapped(ui.fonts.small, ui.colors.warning, words + '.');
    ui.mark("program.gone");
}

/// How the program ended, and the last lines that it printed; all of them once they are asked for.
void printedWords(const UiContext& ui, const ProgramTrace& trace) {
    const ProgramExit& exit = trace.exit;
    if (exit.output.empty() && exit.stopped.empty() && exit.signal.empty() &&
        exit.status.value_or(0) == 0)
        return;
    space(ui, 10);
    heading(ui, "It printed",
            !exit.stopped.empty()          ? exit.stopped
            : !exit.signal.empty()         ? "ended by " + exit.signal
            : exit.status.value_or(0) != 0 ? "exit code " + std::to_string(*exit.status)
                                           : std::string());
    constexpr std::size_t mostShown = 3;
    bool* const isOpen = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("printed"), false);
    std::vector<std::string_view> lines = splitLines(exit.output);
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    const std::size_t count = lines.size();
    if (!*isOpen && count > mostShown) lines.erase(lines.begin(), lines.end() - mostShown);
    for (const std::string_view line : lines) wrapped(ui.fonts.smallNumber, ui.colors.text, line);
    if (lines.empty()) wrapped(ui.fonts.small, ui.colors.muted, "Nothing until it ended.");
    ui.mark("program.printed");
    const auto isOfOrder = [](const Finding& finding) { return isRace(finding.kind); };
    if (!lines.empty() && std::ranges::any_of(trace.findings, isOfOrder))
        wrapped(ui.fonts.small, ui.colors.muted,
                "A race is left: what this run printed is what one order of the threads gave, and "
                "right by luck where it is right.");
    if (count <= mostShown) return;
    const std::string all = "All " + std::to_string(count) + " lines";
    if (plainButton(ui, *isOpen ? "The last lines alone" : all.c_str())) *isOpen = !*isOpen;
    ui.mark("program.printed.more");
}

/// Whether blocks that run in another order may leave another result, though none races.
bool dependsOnBlocks(const ProgramVersion& version) {
    const bool hasFloats = std::ranges::any_of(version.lines, [](const std::string& line) {
        return line.find("float") != line.npos || line.find("double") != line.npos;
    });
    return hasFloats && std::ranges::any_of(version.trace.launches, [](const auto& launch) {
               return launch.launch.grid.count() > 1 &&
                      std::ranges::any_of(launch.lines, [](const ProgramLine& line) {
                          return line.kind == AccessKind::atomic;
                      });
           });
}

/// Whether the program returns 0 whatever its results are.
bool saysNothingOfResults(const ProgramVersion& version) {
    bool isInMain = false;
    for (const std::string& line : version.lines) {
        isInMain |= line.find("main(") != line.npos;
        const std::size_t at = line.find("return ");
        const bool mayFail = isInMain && at != line.npos && line.compare(at, 9, "return 0;") != 0;
        for (const char* call : {"exit(", "abort(", "assert("})
            if (mayFail || line.find(call) != line.npos) return false;
    }
    return isInMain;
}

/// `4.95 sectors a request, best 3.95`
std::string eachInWords(const ProgramLine& line) {
    return perRequest(unitsOf(line.kind, line), line.requests) + ' ' +
           std::string(unitOf(line.kind)) + " a request, best " +
           perRequest(idealOf(line.kind, line), line.requests);
}

/// A launch without faults may cost much: a card of its worst line, and of others that `check`
/// warns of, leads there.
void costWords(const UiContext& ui, const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    const ProgramLine* const worst = launch == nullptr ? nullptr : worstOf(*launch);
    if (const ProgramLine* const left =
            !launch || faultOf(program) ? nullptr : costsALittle(*launch)) {
        const std::string title = "Line " + std::to_string(left->place.line) + " could take less";
        const std::string words = eachInWords(*left);
        if (card(ui, "program.could", ui.colors.faint, false, {title, words, ui.colors.text}) &&
            sameFile(left->place.file, program.path))
            ui.issue(ChooseProgramLine{.line = left->place.line, .costs = left->kind});
        tooltip(ui, "No line breaks a rule; " + leftInWords(*launch), true);
    }
    if (worst == nullptr) return;
    std::vector<const ProgramLine*> costly;
    constexpr std::size_t mostCards = 3;
    for (const ProgramLine& line : launch->lines) {
        if (isOfRules(line) && breaksCostRule(line, *launch) &&
            (&line == worst || sameFile(line.place.file, program.path)))
            costly.push_back(&line);
    }
    std::ranges::stable_sort(costly, std::ranges::greater{},
                             [&](const ProgramLine* line) { return lossOf(*line, *launch); });
    // The worst first, whatever its file; of each line the worst that is done there.
    std::ranges::stable_partition(costly, [&](const auto* line) { return line == worst; });
    std::set<std::pair<std::string, std::uint32_t>> lines;
    std::erase_if(costly, [&](const ProgramLine* line) {
        return !lines.emplace(line->place.file, line->place.line).second;
    });
    const std::size_t left = costly.size() - std::min(costly.size(), mostCards);
    costly.resize(costly.size() - left);
    for (const ProgramLine* const line : costly) {
        std::string words = line->kind == AccessKind::branch
                                ? groupedDigits(line->divergent) + " of " +
                                      groupedDigits(line->requests) + " times a warp diverges"
                            : isAtomic(line->kind) ? std::to_string(line->mostSameAddress) +
                                                         " lanes meet at one address"
                                                   : eachInWords(*line);
        if (const ProgramLine* const branch = partingOf(*line, *launch))
            words += ": line " + std::to_string(branch->place.line) + " parts its lanes";
        const auto parted = std::ranges::find_if(launch->lines, [&](const ProgramLine& one) {
            return one.place == line->place && one.source == Source::predicted &&
                   partingOf(one, *launch) == line;
        });
        if (parted != launch->lines.end()) words += "; " + eachInWords(*parted);
        const std::string title =
            "Line " + std::to_string(line->place.line) + " costs more than it must";
        ImGui::PushID(line);
        if (card(ui, line == worst ? "program.costs" : "program.costs-too", ui.colors.warning,
                 false, {.title = title, .below = words, .titleColor = ui.colors.warning}) &&
            sameFile(line->place.file, program.path))
            ui.issue(ChooseProgramLine{.line = line->place.line, .costs = line->kind});
        tooltip(ui, title + ": " + words, true);
        ImGui::PopID();
    }
    if (left != 0)
        wrapped(ui.fonts.small, ui.colors.muted,
                counted(left, "more line") + (left == 1 ? " costs" : " cost") +
                    " more than need be in this launch.");
}

void changedFindings(const UiContext& ui, const std::vector<const Finding*>& findings,
                     const char* how, Rgb color) {
    for (const Finding* const finding : findings) {
        wrapped(
            ui.fonts.small,
            color == ui.colors.bad && isWarning(finding->kind) ? ui.colors.warning : color,
            how +
                (finding->place.line == 0 ? ""
                                          : "line " + std::to_string(finding->place.line) + ", ") +
                kindInWords(finding->kind) + ", " + finding->words);
    }
}

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

void drawProgramLaunches(const UiContext& ui, TypedText& fields) {
    const Colors& c = ui.colors;
    const ProgramState& program = ui.state.program;
    // What is wrong is in view, whatever the size of the letters.
    if (hasFaults(program)) {
        heading(ui, "Found in this file", counted(program.now->trace.findings.size(), "finding"));
        findingCards(ui, program, [](FindingKind kind) { return !isWarning(kind); });
        space(ui, 10);
    }
    const bool fails = program.now && program.now->failureLine != 0;
    heading(ui, fails ? "It does not compile" : "Launches");
    if (!program.now) {
        wrapped(ui.fonts.small, c.muted, program.stage.empty() ? "" : program.stage + " …");
        return;
    }
    const auto drawWishes = [&] { drawProgramWishes(ui, program, fields); };
    if (!program.now->failure.empty()) {
        // A value that is refused leaves the fields where they are.
        const bool isWish = !program.wishes.empty() && program.before != nullptr;
        if (isWish) {
            launchCards(ui, program, *program.before);
            drawWishes();
            space(ui, 8);
        }
        compilerWords(ui, program.now->failure);
        space(ui, 8);
        if (program.now->notConfined) {
            commandButton(ui, "Run it all the same", "program.unconfined", RunUnconfined{},
                          "This file, and others until the window is closed");
            return;
        }
        wrapped(ui.fonts.small, c.muted,
                program.wishes.empty()
                    ? "Fix it here (Edit) or in your own editor; saving runs it again."
                    : "It runs again with another value.");
        if (!isWish) drawWishes();
        return;
    }
    const ProgramTrace& trace = program.now->trace;
    if (trace.launches.empty()) {
        wrapped(ui.fonts.small, c.muted, whyWithout("a launch", trace));
        ui.mark("program.without");
    }
    launchCards(ui, program, *program.now);
    for (const std::string& words : askedShapes(trace.launches))
        wrapped(ui.fonts.small, c.text, words.substr(words.rfind('/') + 1));
    goneCards(ui, program);
    printedWords(ui, trace);
    if (const auto compared = programComparison(ui.state)) {
        space(ui, 10);
        comparisonTable(ui, compared->a, compared->b, compared->lines);
        ui.mark("program.compared");
    }
    drawWishes();
    if (!trace.findings.empty() || !trace.launches.empty()) {
        const LaunchReport* const chosen = chosenLaunch(program);
        const bool hasMore = std::ranges::any_of(trace.findings, isWarning, &Finding::kind) ||
                             (chosen != nullptr && worstOf(*chosen) != nullptr);
        space(ui, 10);
        if (!hasFaults(program) || hasMore)
            heading(ui, hasFaults(program) ? "Less urgent" : "Found in this file",
                    // Of an exercise its list says what is left.
                    !trace.findings.empty() || !trace.exit.status || program.now->exercise ? ""
                    : trace.exit.status == 0
                        ? "no faults"
                        : "none, but it returned " + std::to_string(*trace.exit.status));
        const std::string verdict = verdictInWords(trace);
        if (!hasFaults(program) && !program.now->exercise && !verdict.empty())
            wrapped(ui.fonts.body, c.bad, "The program " + verdict + '.');
        // What is never freed changes neither the results nor their price.
        const auto isLeak = [](FindingKind kind) { return kind == FindingKind::neverFreed; };
        findingCards(ui, program,
                     [&](FindingKind kind) { return isWarning(kind) && !isLeak(kind); });
        costWords(ui, program);
        findingCards(ui, program, isLeak);
        const std::string left = chosen == nullptr ? "" : leftInWords(*chosen);
        const bool isRight = trace.findings.empty() && trace.exit.status == 0;
        if (isRight && !hasMore && !(chosen != nullptr && costsALittle(*chosen)))
            wrapped(ui.fonts.body, c.good,
                    left.empty() ? "No fault was found, and no line costs more than it must."
                                 : "No fault was found, and no line breaks a rule; " + left);
        // Who meets where data decide is told above, and what is likelier, too.
        const bool isTold = std::ranges::any_of(trace.findings, [](const Finding& finding) {
            return finding.kind == FindingKind::meetingByData ||
                   finding.kind == FindingKind::mayBeWhy;
        });
        if (isRight && saysNothingOfResults(*program.now))
            wrapped(ui.fonts.small, c.muted,
                    "Whether its results are right, it does not say itself: where main returns 1 "
                    "if they are not, what may be why is looked for, too.");
        if (dependsOnBlocks(*program.now) && !isTold)
            wrapped(ui.fonts.small, c.muted,
                    "Blocks may run in any order, and one was tried: sums of floats by atomics may "
                    "differ in their last digits.");
    }
    const std::vector<VersionChange> changes = changesOf(program);
    const std::string verdict = verdictOf(program, changes);
    const FindingChanges findings = findingChangesOf(program);
    if (!verdict.empty() || !changes.empty() || !findings.gone.empty() || !findings.come.empty() ||
        !findings.notTried.empty()) {
        space(ui, 10);
        heading(ui, "Against the version before");
        changedFindings(ui, findings.gone, "gone: ", c.good);
        changedFindings(
            ui, findings.notTried,
            "not found any more, though by another launch or with an error, which may hide it: ",
            c.text);
        changedFindings(ui, findings.come, "new: ", c.bad);
        for (const VersionChange& change : changes) {
            const auto [list, at, width] = penHere();
            const Rgb color = !change.sameWork             ? c.text
                              : change.now < change.before ? c.good
                              : change.isWaste             ? c.bad
                                                           : c.text;
            textAt(list, ui.fonts.small, c.text, at, change.what);
            textAt(list, ui.fonts.smallNumber, color, {at.x + width, at.y},
                   groupedDigits(change.before) + " → " + groupedDigits(change.now), 1);
            ImGui::Dummy({width, ui.fonts.small->FontSize + ui.px(4)});
        }
        wrapped(ui.fonts.small, c.text, verdict);
        const bool fewer = std::ranges::any_of(changes, [](const VersionChange& change) {
            return !change.sameWork && change.now < change.before;
        });
        if (fewer) {
            wrapped(ui.fonts.small, c.muted,
                    "It does not store as many bytes as before: it is not the same work, so fewer "
                    "of a count does not mean that it got better.");
        }
    }
    if (!trace.notes.empty()) {
        space(ui, 10);
        heading(ui, "To know");
        constexpr std::size_t mostShown = 4;
        bool* const isOpen = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("notes"), false);
        for (std::size_t at = 0; at < trace.notes.size() && (*isOpen || at < mostShown); ++at)
            wrapped(ui.fonts.small, c.muted, trace.notes[at]);
        const std::string more = "All " + std::to_string(trace.notes.size()) + " notes";
        if (trace.notes.size() > mostShown) {
            if (plainButton(ui, *isOpen ? "The first notes alone" : more.c_str()))
                *isOpen = !*isOpen;
            ui.mark("program.notes.more");
        }
    }
}

void drawProgramWishes(const UiContext& ui, const ProgramState& program, TypedText& fields) {
    const std::vector<ProposedValue> proposed = proposedForChosen(program);
    if (proposed.empty() && program.wishes.empty()) return;
    space(ui, 10);
    heading(ui, "Launched with", "proposed");
    const float width = ImGui::GetContentRegionAvail().x;
    const float names = std::floor(width * 0.42F);
    ImGui::PushFont(ui.fonts.number);
    for (const ProposedValue& value : proposed) {
        const std::string label = labelOf(value);
        const auto wished = std::ranges::find_if(program.wishes, [&](const ProposedValue& wish) {
            return wish.kind == value.kind && wish.name == value.name;
        });
        const bool own = wished != program.wishes.end();
        const std::string& words = own ? wished->value : value.value;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        textAt(*ImGui::GetWindowDrawList(), ui.fonts.small,
               own ? ui.colors.accent : ui.colors.muted,
               {at.x, at.y + ImGui::GetStyle().FramePadding.y},
               fitted(ui.fonts.small, label, names - ui.px(6)));
        ImGui::SetCursorScreenPos({at.x + names, at.y});
        ImGui::SetNextItemWidth(width - names);
        const std::string id = "program.wish." + label;
        auto typed =
            completedText(fields, id, words, value.kind == ProposedKind::grid ? "covers it" : "",
                          ImGuiInputTextFlags_AutoSelectAll);
        ui.mark(id);
        tooltip(ui, explanationOf(value.kind));
        if (typed) {
            ui.issue(WishForProgram{
                {.kind = value.kind, .name = value.name, .value = *std::move(typed)}});
        }
    }
    ImGui::PopFont();
    if (!program.wishes.empty()) {
        space(ui, 4);
        if (plainButton(ui, "As proposed")) {
            for (ProposedValue taken : program.wishes) {
                taken.value.clear();
                ui.issue(WishForProgram{std::move(taken)});
            }
        }
        ui.mark("program.wish.none");
        tooltip(ui, "Takes back every value that was typed here");
    }
}

}  // namespace warplens::window
