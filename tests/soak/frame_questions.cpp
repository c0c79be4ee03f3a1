#include "tests/soak/frame_questions.h"

#include <numeric>

#include "app/drawing/evidence.h"
#include "app/drawing/line_meaning.h"
#include "app/drawing/occupancy_slots.h"
#include "app/drawing/schedule_chart.h"
#include "app/window/jobs.h"
#include "app/window/state/actions.h"
#include "app/window/state/cameras.h"
#include "app/window/state/comparison.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/palette.h"
#include "app/window/state/program_changes.h"
#include "app/window/state/timeline.h"

namespace warplens::window::soak {
namespace {

std::size_t sizeOf(const std::vector<std::string>& lines) {
    return std::accumulate(
        lines.begin(), lines.end(), std::size_t{0},
        [](std::size_t sum, const std::string& line) { return sum + line.size(); });
}

std::size_t askTheLaunch(const AppState& state) {
    std::size_t answers = scenarioOf(state).title.size() + kernelOf(state).arrays.size();
    for (const LimitViolation& violation : violationsOf(state))
        answers += toString(violation).size();
    answers += sizeOf(labelsOf(recordingsOfScenario(state)));
    answers += shortName(state.view.experiment).size() +
               toLaunchSyntax(state.view.experiment.launch).size();
    return answers + (mayMeasure(state) ? 1 : 0);
}

std::size_t askTheMap(const AppState& state) {
    const MapLayout layout = mapLayout(state);
    const MapCamera camera = mapCamera(state, layout);
    const MapArea& area = state.map.area;
    std::size_t answers = static_cast<std::size_t>(detailOf(layout, camera.cell));
    for (const float share : {0.0F, 0.5F, 1.0F}) {
        const auto hit = pick(camera, layout, area, {share * area.width, share * area.height});
        if (hit && hit->thread) answers += hit->thread->x;
    }
    const Index3 block = state.view.block;
    (void)neighbourStrength(camera, layout, area, block);
    const Point corner =
        pixelAt(camera, layout, area, cornerOf(layout, block, threadInFocus(state)));
    answers += corner.x > 0 ? 1 : 0;
    if (state.view.picture == PictureKind::block3d) {
        answers += layOutBlock3d(state.view.experiment.launch.block, state.block3d).cubes.size();
    }
    return answers;
}

std::size_t askTheProgram(const AppState& state) {
    const ProgramState& program = state.program;
    std::size_t answers = comparedLines(program).size() + changesOf(program).size();
    const FindingChanges findings = findingChangesOf(program);
    answers += findings.gone.size() + findings.come.size() + launchesGone(program).size();
    answers += shownText(program).traced.size() + measuredOf(program).launches.size();
    if (const LaunchReport* const launch = chosenLaunch(program)) {
        answers += meaningOfLine(*launch, program.path, program.line).size();
    }
    if (program.now) answers += whyWithout("a launch", program.now->trace).size();
    answers += comparisonOfChosen(program, program.line).size();
    answers += differencesOfChosen(program, program.line).size();
    if (const CompiledLine* const code = codeOfChosen(program, program.line)) {
        answers += code->ptx.size();
    }
    return answers + (formerResultOfChosen(program) != nullptr ? 1 : 0);
}

std::size_t askTheWarp(const AppState& state) {
    const Timeline timeline(state);
    std::size_t answers = timeline.size();
    if (timeline.size() != 0) {
        const std::size_t step = timeline.stepAt(timeline.position());
        answers += ActiveOffsets(shownTrace(state)->steps.at(step)).all().size();
    }
    answers += secondsToNextStep(state) ? 1 : 0;
    answers += shownBlockPrediction(state) != nullptr ? 1 : 0;
    const ShownSm sm = shownSm(state);
    return answers + drawing::occupancyInWords(sm.limits, sm.block).size() +
           drawing::limitInWords(sm.limits, sm.block).size();
}

std::size_t askTheTimes(const AppState& state, const Schedule& schedule) {
    const auto sized = [](const auto& lines) { return sizeOf(lines); };
    std::size_t answers = sized(inWords(schedule)) + sized(warpsInWords(schedule));
    const drawing::TimeSpan span = shownSpan(state.time, schedule);
    answers += shownRows(state.time, schedule) == TimeRows::warps ? 1 : 0;
    return answers + (span.length() > 0 ? 1 : 0);
}

std::size_t askTheNumbers(const AppState& state) {
    const std::optional<Result> result = shownResult(state);
    const Evidence evidence = evidenceOf(shownPrediction(state), result);
    std::vector<NumberRow> rows;
    for (const Metric metric : {Metric::globalLoadRequests, Metric::globalLoadSectors,
                                Metric::coalescingEfficiency, Metric::branchEfficiency}) {
        if (auto row = rowOf(evidence, "row", metric)) rows.push_back(std::move(*row));
        std::ranges::move(partsOf(evidence, "load", metric), std::back_inserter(rows));
    }
    std::size_t answers = sizeOf(remarksOn(rows));
    for (const NumberRow& row : rows) answers += spelledOut(row).size();
    if (result && result->measurement->schedule) {
        answers += askTheTimes(state, *result->measurement->schedule);
    }
    if (state.pinnedA && state.pinnedB) answers += compare(*state.pinnedA, *state.pinnedB).size();
    return answers;
}

std::size_t askTheSweep(const AppState& state) {
    std::size_t answers = heldPoint(state).value_or(0) + (mayMeasureSweep(state) ? 1 : 0);
    (void)nextSweepPrediction(state);
    if (const KeptSweep* const kept = shownSweep(state)) {
        for (const Quantity& quantity : shownQuantities(state)) {
            answers += seriesOf(kept->sweep, quantity).size();
        }
        answers += quantitiesOf(kept->sweep).size() + modelInWords(kept->sweep).size();
    }
    answers += shownRoofline(state).points.size();
    return answers + (nextRoofPrediction(state) ? 1 : 0);
}

std::size_t askTheLesson(const AppState& state) {
    std::size_t answers = 0;
    if (const Lesson* const lesson = shownLesson(state)) answers += lesson->steps.size();
    if (const ResolvedLesson* const resolved = shownResolved(state)) {
        answers += static_cast<std::size_t>(judge(*resolved, progressOf(state).guess));
    }
    if (shownLesson(state) != nullptr) answers += learnPage(state).pictures.size();
    if (const auto place = lessonPlace(state)) answers += place->fresh.size();
    return answers;
}

std::size_t askTheKeys(const AppState& state) {
    std::size_t answers = 0;
    for (const Action& action : allActions()) {
        if (const auto command = commandFor(state, action.presses.front(), false))
            answers += command->visit<std::size_t>([](const auto& one) { return sizeof(one); });
    }
    return answers + (state.palette.open ? paletteEntries(state).size() : 0);
}

}  // namespace

std::size_t askAsAFrameDoes(const AppState& state) {
    return askTheLaunch(state) + askTheMap(state) + askTheProgram(state) + askTheWarp(state) +
           askTheNumbers(state) + askTheSweep(state) + askTheLesson(state) + askTheKeys(state);
}

}  // namespace warplens::window::soak
