#include <string>

#include "app/drawing/line_meaning.h"
#include "app/window/panels/plots.h"
#include "app/window/panels/program_panels.h"
#include "core/measurement/value_text.h"
#include "core/program/warnings.h"
#include "core/text/format.h"

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
        wrapped(ui.look.fonts.small, c.muted, "The compiled code asks for the same.");
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
    }
    if (!line.empty() || !compiled.empty()) {
        const std::string meaning =
            meaningOfLine(*launch, program.path, program.line, !found.empty());
        if (!meaning.empty()) wrapped(look.fonts.body, c.text, meaning);
        if (line.dependsOnOrder) {
            wrapped(look.fonts.body, c.warning,
                    "The numbers depend on the order in which threads run.");
        }
        append(commands, drawProgramRemedies(ui, program, isCostlyLine || !found.empty()));
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

}  // namespace warplens::window
