#include "app/window/panels/act_button.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/places_menu.h"
#include "app/window/panels/plots.h"
#include "app/window/panels/program_panels.h"
#include "app/window/panels/run_times.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// What Measure would do, or how the file's launches are measured elsewhere.
void inviteToMeasure(const UiContext& ui, const AppState& state) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    const ProgramState& program = state.program;
    if (const ProgramResult* former = formerResultOfChosen(program)) {
        wrapped(look.fonts.body, c.warning,
                "What was measured is of another text of the file, or of other values: " +
                    formatNumber(former->measurement->timing.medianSeconds, Unit::seconds) +
                    " on " + former->measurement->device.name + ".");
        ui.mark("program.former");
        space(ui, 4);
    }
    const Running* const run = running(state);
    if (run != nullptr && run->program) {
        wrapped(look.fonts.body, c.muted, "Measuring " + run->program->kernel + ": " + run->stage);
    } else if (state.canMeasure) {
        wrapped(look.fonts.body, c.muted,
                "Not measured yet. Measure gives the GPU what the program gives this launch, "
                "compares the results with the host's, and reads time and traffic, line by line.");
    } else {
        wrapped(look.fonts.body, c.muted,
                "There is no GPU to measure on here. Where there is one, `warplens measure " +
                    program.path + " --save m.json` measures it; open m.json here.");
    }
}

/// The lines on which the sources differ; a click shows one.
void differingLines(const UiContext& ui, const ProgramState& program,
                    const ProgramMeasurement& measurement, Commands& commands) {
    const Look& look = ui.look;
    const Colors& c = look.colors;
    if (measurement.comparedLines == 0) {
        wrapped(look.fonts.small, c.muted,
                "Not compared line by line: the trace knows a sample of the blocks.");
        return;
    }
    const std::size_t differ = measurement.differences.size();
    checkLine(ui, differ == 0 ? Check::passed : Check::unknown,
              groupedDigits(measurement.comparedLines) + " numbers compared line by line, " +
                  (differ == 0 ? "all agree" : groupedDigits(differ) + " differ"));
    std::uint32_t before = 0;
    for (const LineDifference& difference : measurement.differences) {
        if (difference.line == before || !sameFile(difference.file, program.path)) continue;
        before = difference.line;
        const std::string mark = "program.differs." + std::to_string(difference.line);
        ImGui::PushFont(look.fonts.small);
        const std::string label =
            "Line " + std::to_string(difference.line) + ": " + spoken(toString(difference.cause));
        if (plainButton(ui, (label + "##" + mark).c_str(), true, difference.line == program.line)) {
            commands.emplace_back(ChooseProgramLine{difference.line});
        }
        ImGui::PopFont();
        ui.mark(mark);
        tooltip(ui, difference.words);
    }
}

/// Where the next one is measured.
Commands place(const UiContext& ui, const AppState& state) {
    space(ui, 6);
    text(ui.look.fonts.small, ui.look.colors.faint, "Measures on");
    ImGui::SameLine(0, ui.look.px(8));
    return drawPlacesMenu(ui, state);
}

void results(const UiContext& ui, const ProgramMeasurement& measurement) {
    for (const ArrayCheck& check : measurement.checks) {
        const bool differs = check.different != 0 && !check.reordered;
        checkLine(ui, differs ? Check::broken : Check::passed, inWords(check));
    }
    if (!measurement.linesReason.empty()) {
        wrapped(ui.look.fonts.small, ui.look.colors.muted,
                "Not counted by line: " + measurement.linesReason);
    }
    drawNotes(ui, measurement.notes);
}

}  // namespace

Commands drawProgramMeasured(const UiContext& ui, const AppState& state) {
    Commands commands;
    const ProgramState& program = state.program;
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr) return commands;
    heading(ui, "The launch, measured", launch->kernel);
    const ProgramResult* const result = resultOfChosen(program);
    if (result == nullptr) {
        inviteToMeasure(ui, state);
        return place(ui, state);
    }
    const ProgramMeasurement& m = *result->measurement;
    const Origin origin{m.device, m.timing, m.takenAt, m.version, result->recorded};
    const Evidence evidence = evidenceOf(*launch, &m, result->recorded);
    drawRecordedTag(ui, origin);
    drawHeadlines(ui, evidence, m.timing);
    drawRunTimes(ui, state, evidence, m.timing, commands);
    differingLines(ui, program, m, commands);
    advance(ui.look.px(4));
    drawCoalescing(ui, evidence);
    drawBandwidth(ui, evidence, m.device);
    const Value* const wavefronts = evidence.best(Metric::sharedWavefronts);
    if (wavefronts != nullptr && wavefronts->number() != nullptr && *wavefronts->number() != 0) {
        drawSharedMemory(ui, evidence);
    }
    drawDivergence(ui, evidence);
    drawOccupancy(ui, evidence);
    results(ui, m);
    ui.mark("program.measured");
    drawOrigin(ui, origin);
    space(ui, 6);
    actButton(ui, state, Act::saveMeasured, commands);
    append(commands, place(ui, state));
    return commands;
}

}  // namespace warplens::window
