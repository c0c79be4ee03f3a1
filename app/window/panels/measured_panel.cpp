
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/program_panels.h"
#include "app/window/state/comparison.h"
#include "core/measurement/measurement.h"
#include "core/program/cuda_tokens.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// Nothing measured yet: what Measure would do, or which recordings stand in for it.
void invitation(const UiContext& ui) {
    const Colors& c = ui.colors;
    if (ui.state.canMeasure) {
        text(ui.fonts.strong, c.text, "Not measured yet");
        wrapped(ui.fonts.body, c.muted,
                "Measure runs this launch on the GPU, checks its result and the mapping, and reads "
                "time, traffic and branches. It takes a moment and never stalls this window.");
        space(ui, 6);
        if (primaryButton(ui, "  Measure  ##invitation", mayMeasure(ui.state))) ui.issue(Measure{});
    } else {
        text(ui.fonts.strong, c.text, "No GPU to measure on");
        wrapped(ui.fonts.body, c.muted,
                "Predictions work without one. Recordings show what a real GPU measured.");
    }
    wrapped(ui.fonts.small, c.muted,
            recordingsOfScenario(ui.state).empty()
                ? "There is no recording of this scenario."
                : "Recorded launches of this scenario stand at the left, below the launch.");
    space(ui, 16);
}

void predictionLine(const UiContext& ui) {
    const Colors& c = ui.colors;
    ImFont* const font = ui.fonts.small;
    if (const LaunchReport* prediction = shownPrediction(ui.state)) {
        if (prediction->exact) return;
        wrapped(font, c.muted, "Predicted from " + howPredicted(*prediction));
    } else if (const auto* failed = std::get_if<PredictionFailure>(&ui.state.prediction);
               failed != nullptr && failed->experiment == ui.state.view.experiment) {
        wrapped(font, c.muted, "Not predicted: " + failed->reason);
    } else {
        text(font, c.muted, "Predicting …");
    }
}

/// What Measure would do, or how the file's launches are measured elsewhere.
void inviteToMeasure(const UiContext& ui) {
    const Colors& c = ui.colors;
    const ProgramState& program = ui.state.program;
    if (const ProgramResult* former = formerResultOfChosen(program)) {
        wrapped(ui.fonts.body, c.warning,
                "What was measured is of another text of the file, or of other values: " +
                    formatNumber(former->measurement->timing.medianSeconds, Unit::seconds) +
                    " on " + former->measurement->device.name + ".");
        ui.mark("program.former");
        space(ui, 4);
    }
    const Running* const run = running(ui.state);
    if (run != nullptr && run->program) {
        wrapped(ui.fonts.body, c.muted, "Measuring " + run->program->kernel + ": " + run->stage);
    } else if (ui.state.canMeasure) {
        wrapped(ui.fonts.body, c.muted,
                "Not measured yet. Measure gives the GPU what the program gives this launch, "
                "compares the results with the host's, and reads time and traffic, line by line.");
    } else {
        wrapped(ui.fonts.body, c.muted,
                "There is no GPU to measure on here. Where there is one, `warplens measure " +
                    program.path + " --save m.json` measures it; open m.json here.");
    }
}

/// The lines on which the sources differ; a click shows one.
void differingLines(const UiContext& ui, const ProgramState& program,
                    const ProgramMeasurement& measurement) {
    if (measurement.comparedLines == 0) {
        wrapped(ui.fonts.small, ui.colors.muted,
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
        ImGui::PushFont(ui.fonts.small);
        const std::string label =
            "Line " + std::to_string(difference.line) + ": " + spoken(toString(difference.cause));
        commandButton(ui, label + "##" + mark, mark, ChooseProgramLine{difference.line},
                      difference.words, {.chosen = difference.line == program.line});
        ImGui::PopFont();
    }
}

/// Where the next one is measured.
void place(const UiContext& ui) {
    space(ui, 6);
    text(ui.fonts.small, ui.colors.faint, "Measures on");
    ImGui::SameLine(0, ui.px(8));
    return drawPlacesMenu(ui);
}

void results(const UiContext& ui, const ProgramMeasurement& measurement) {
    for (const ArrayCheck& check : measurement.checks) {
        const bool differs = check.different != 0 && !check.reordered;
        checkLine(ui, differs ? Check::broken : Check::passed, inWords(check));
    }
    if (!measurement.linesReason.empty()) {
        wrapped(ui.fonts.small, ui.colors.muted, "Not counted by line: " + measurement.linesReason);
    }
    drawNotes(ui, measurement.notes);
}

struct Tab final {
    RightTab tab;
    Act act;
};
constexpr std::array tabs{Tab{RightTab::measured, Act::measured}, Tab{RightTab::sweep, Act::sweep},
                          Tab{RightTab::roof, Act::roof}};

}  // namespace

void drawMeasuredPanel(const UiContext& ui) {
    const std::optional<Result> result = shownResult(ui.state);
    std::optional<Origin> origin;
    if (result) {
        const Measurement& m = *result->measurement;
        origin.emplace(Origin{m.device, m.timing, m.takenAt, m.version, result->recorded});
    }
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // Always in sight, unless the numbers would not be.
    const float source = origin ? originHeight(ui, *origin, room.x) : 0;
    const bool below = source > 0 && source < room.y / 3;
    beginPanel("numbers", {0, std::max(1.0F, below ? room.y - source : room.y)},
               ImGuiWindowFlags_NoBackground);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing,
                        ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(4)));
    if (const auto compared = comparedNow(ui.state)) {
        const auto& [a, b] = *compared;
        // Of both it is said below.
        const auto name = [&, alike = a.recorded && b.recorded](const Result& one) {
            ImFont* const font = ui.fonts.small;
            return fitted(font, alike ? shortName(one.measurement->experiment) : shortName(one),
                          ImGui::GetContentRegionAvail().x - measured(font, "B  ").x - 1);
        };
        comparisonTable(ui, name(a), name(b), compare(a, b));
        ui.mark("compared");
    }
    if (origin) drawRecordedTag(ui, *origin);
    if (!result) invitation(ui);
    const Evidence evidence = evidenceOf(shownPrediction(ui.state), result);
    if (result) {
        drawHeadlines(ui, evidence, origin->timing);
        drawRunTimes(ui, evidence, origin->timing);
    }
    drawCoalescing(ui, evidence);
    if (result) drawBandwidth(ui, evidence, origin->device);
    if (!kernelOf(ui.state.view.experiment).shared.empty()) {
        drawSharedMemory(ui, evidence);
    }
    drawDivergence(ui, evidence);
    predictionLine(ui);
    advance(ui.px(6));
    if (result) {
        drawOccupancy(ui, evidence);
        const ResultCheck& check = result->measurement->check;
        checkLine(ui, check.largestError <= check.tolerance ? Check::passed : Check::broken,
                  "Result equals the host's: " + groupedDigits(check.checked) + " of " +
                      groupedDigits(check.elements) + " values compared");
        drawNotes(ui, result->measurement->notes);
    }
    if (result && !below) drawOrigin(ui, *origin);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (below) drawOrigin(ui, *origin);
}

void drawProgramMeasured(const UiContext& ui) {
    const ProgramState& program = ui.state.program;
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr) return;
    heading(ui, "The launch, measured", shortKernelName(launch->kernel));
    const ProgramResult* const result = resultOfChosen(program);
    if (result == nullptr) {
        inviteToMeasure(ui);
        return place(ui);
    }
    const ProgramMeasurement& m = *result->measurement;
    const Origin origin{m.device, m.timing, m.takenAt, m.version, result->recorded};
    const Evidence evidence = evidenceOf(*launch, &m, result->recorded);
    drawRecordedTag(ui, origin);
    drawHeadlines(ui, evidence, m.timing);
    drawRunTimes(ui, evidence, m.timing);
    differingLines(ui, program, m);
    advance(ui.px(4));
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
    actButton(ui, Act::saveMeasured);
    place(ui);
}

void drawRightColumn(const UiContext& ui, TypedText& typed) {
    for (const Tab& tab : tabs) {
        if (&tab != tabs.data()) ImGui::SameLine(0, ui.px(4));
        actButton(ui, tab.act, ui.state.view.tab == tab.tab);
    }
    space(ui, 8);
    ui.state.view.tab == RightTab::sweep  ? drawSweepPanel(ui, typed)
    : ui.state.view.tab == RightTab::roof ? drawRoofPanel(ui)
                                          : drawMeasuredPanel(ui);
}

}  // namespace warplens::window
