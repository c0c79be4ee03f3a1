// The sweep as a matter of state alone: no window, no worker, no thread.
#include <filesystem>
#include <gtest/gtest.h>

#include "app/window/state/apply.h"
#include "core/sweep/axis.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

AppState sweepStateOf(const std::string& scenario, bool canMeasure = true) {
    return initialState({initialExperiment(scenarioNamed(scenario)), true},
                        std::make_shared<const RecordingLibrary>(), canMeasure);
}

AppState strideState() {
    AppState state = sweepStateOf("access-stride");
    apply(state, Show{.tab = RightTab::sweep});
    apply(state, Show{.over = "stride=1..4"});
    return state;
}

const Sweep& sweepIn(const AppState& state) {
    return shownSweep(state)->sweep;
}

/// The worker answers the measurement under way.
void answer(AppState& state) {
    const Running run = *running(state);
    apply(state, WorkerSaid{run.number, tests::scriptedMeasurement(run.experiment)});
}
void fail(AppState& state, FailureKind kind) {
    apply(state, WorkerSaid{running(state)->number, Failure{kind, "scripted"}});
}

TEST(SweepState, ProposesForEveryScenarioWhatCanBeRun) {
    for (const Scenario& scenario : allScenarios()) {
        const std::vector<std::string> proposed = proposedAxes(initialExperiment(scenario));
        EXPECT_FALSE(proposed.empty()) << scenario.id;
        const AppState state = sweepStateOf(std::string(scenario.id));
        EXPECT_EQ(state.sweep.problem, "") << scenario.id;
        EXPECT_NE(shownSweep(state), nullptr) << scenario.id;
    }
    EXPECT_EQ(proposedAxes(initialExperiment(scenarioNamed("access-stride"))).front(),
              "stride=1..128");
    EXPECT_EQ(proposedAxes(initialExperiment(scenarioNamed("access-offset"))).front(),
              "offset=0..32");
    EXPECT_EQ(proposedAxes(initialExperiment(scenarioNamed("matmul-tiled"))).front(),
              "tile=8,16,32");
    EXPECT_EQ(proposedAxes(initialExperiment(scenarioNamed("matadd-swapped"))).front(),
              "block=256");
}

TEST(SweepState, FollowsTheLaunchButNotAlongItsOwnAxis) {
    AppState state = strideState();
    EXPECT_EQ(sweepIn(state).points.size(), 4u);
    const SweepPlan plan = *state.sweep.plan;
    apply(state, EnterNumber{"stride", "3"});
    EXPECT_EQ(*state.sweep.plan, plan);
    EXPECT_EQ(heldPoint(state), 2u);
    apply(state, EnterNumber{"n", "4096"});
    EXPECT_NE(*state.sweep.plan, plan);
    EXPECT_EQ(sweepIn(state).plan.base.arguments.at("n"), 4096);
}

TEST(SweepState, SaysWhyNothingCanBeSwept) {
    AppState state = strideState();
    apply(state, Show{.over = "stride=0..4"});
    EXPECT_EQ(state.sweep.problem, "stride = 0: at least 1");
    EXPECT_EQ(shownSweep(state), nullptr);
    apply(state, Show{.over = "nonsense"});
    EXPECT_NE(state.sweep.problem.find("over = 'nonsense': "), std::string::npos);
    apply(state, Show{.over = "stride=1..4"});
    EXPECT_EQ(state.sweep.problem, "");
}

TEST(SweepState, ShowsTheLaunchOfAPoint) {
    AppState state = strideState();
    apply(state, ShowSweepPoint{3});
    EXPECT_EQ(state.view.experiment.arguments.at("stride"), 4);
    EXPECT_EQ(heldPoint(state), 3u);
    apply(state, Undo{});
    EXPECT_EQ(state.view.experiment.arguments.at("stride"), 2);
    apply(state, ShowSweepPoint{99});
    EXPECT_EQ(state.view.experiment.arguments.at("stride"), 2);
}

TEST(SweepState, AsksForPredictionsOneAfterTheOtherWhileItsTabIsOpen) {
    AppState state = strideState();
    for (int point = 1; point <= 4; ++point) {
        const auto next = nextSweepPrediction(state);
        ASSERT_TRUE(next);
        EXPECT_EQ(next->arguments.at("stride"), point);
        apply(state, PointPredicted{*next, PredictedPoint{true, 1, 1, {}}});
    }
    EXPECT_FALSE(nextSweepPrediction(state));
    apply(state, Show{.over = "stride=1..5"});
    EXPECT_TRUE(nextSweepPrediction(state));
    apply(state, Show{.tab = RightTab::measured});
    EXPECT_FALSE(nextSweepPrediction(state));
}

TEST(SweepState, MeasuresPointAfterPointWithOneCommand) {
    AppState state = strideState();
    apply(state, MeasureSweep{});
    for (int point = 1; point <= 4; ++point) {
        ASSERT_NE(running(state), nullptr)
            << point << (state.messages.empty() ? std::string() : state.messages.back().text)
            << state.canMeasure << mayMeasureSweep(state);
        EXPECT_EQ(running(state)->experiment.arguments.at("stride"), point);
        answer(state);
    }
    EXPECT_EQ(running(state), nullptr);
    EXPECT_FALSE(state.sweep.measuring);
    EXPECT_EQ(sweepIn(state).measuredCount(), 4u);
    EXPECT_EQ(state.messages.back().text, "Sweep done: 4 of 4 points measured.");
    EXPECT_TRUE(state.results.empty()) << "the points are the sweep's own";
    EXPECT_FALSE(mayMeasureSweep(state));
}

TEST(SweepState, ShowsWhatWasMeasuredOfAPointBesideItsMapping) {
    AppState state = strideState();
    EXPECT_FALSE(shownResult(state));
    apply(state, MeasureSweep{});
    for (int point = 0; point < 4; ++point) answer(state);
    apply(state, ShowSweepPoint{2});
    ASSERT_TRUE(shownResult(state));
    EXPECT_FALSE(shownResult(state)->recorded);
    EXPECT_EQ(shownResult(state)->measurement->experiment, state.view.experiment);
}

TEST(SweepState, StaysWithItsSweepWhileTheLaunchIsEdited) {
    AppState state = strideState();
    apply(state, MeasureSweep{});
    apply(state, EnterNumber{"n", "4096"});
    answer(state);
    EXPECT_EQ(sweepIn(state).measuredCount(), 1u);
    EXPECT_EQ(running(state)->experiment.arguments.at("n"), 1 << 24);
}

TEST(SweepState, KeepsWhatItHasWhenItIsCancelledAndGoesOnWithTheRest) {
    AppState state = strideState();
    apply(state, MeasureSweep{});
    answer(state);
    apply(state, CancelMeasure{});
    fail(state, FailureKind::cancelled);
    EXPECT_EQ(running(state), nullptr);
    EXPECT_EQ(state.messages.back().text, "Sweep cancelled: 1 of 4 points measured.");
    EXPECT_TRUE(mayMeasureSweep(state));
    apply(state, MeasureSweep{});
    EXPECT_EQ(running(state)->experiment.arguments.at("stride"), 2);
}

TEST(SweepState, EndsWhenAPointWasDoneBeforeItsCancelCameThrough) {
    AppState state = strideState();
    apply(state, MeasureSweep{});
    apply(state, CancelMeasure{});
    answer(state);
    EXPECT_EQ(running(state), nullptr);
    EXPECT_EQ(sweepIn(state).measuredCount(), 1u);
}

TEST(SweepState, GoesOnPastALostWorkerAndStopsAfterTwo) {
    AppState state = strideState();
    apply(state, MeasureSweep{});
    fail(state, FailureKind::failed);
    ASSERT_NE(running(state), nullptr);
    fail(state, FailureKind::failed);
    EXPECT_EQ(running(state), nullptr);
    EXPECT_EQ(state.messages.back().kind, MessageKind::error);
    EXPECT_TRUE(mayMeasureSweep(state)) << "the failed points may be tried again";
    apply(state, MeasureSweep{});
    EXPECT_EQ(running(state)->experiment.arguments.at("stride"), 1);
}

TEST(SweepState, DoesNotMeasureWithoutAWorker) {
    AppState state = sweepStateOf("access-stride", false);
    apply(state, MeasureSweep{});
    EXPECT_EQ(running(state), nullptr);
}

/// A library with one sweep, every point measured.
std::shared_ptr<const RecordingLibrary> recordedStrides() {
    RecordedSweep recorded{"s.json", sweepIn(strideState())};
    for (SweepPoint& point : recorded.sweep.points) {
        point.measured = tests::scriptedMeasurement(point.experiment);
        point.predicted = PredictedPoint{true, 1, 1, {}};
    }
    auto library = std::make_shared<RecordingLibrary>();
    library->sweeps.push_back(std::move(recorded));
    return library;
}

TEST(SweepState, ShowsRecordedPointsAsRecorded) {
    AppState state = strideState();
    apply(state, SweepsRead{recordedStrides(), {}});
    ASSERT_TRUE(shownSweep(state)->recorded);
    EXPECT_EQ(sweepIn(state).measuredCount(), 4u);
    EXPECT_EQ(sweepIn(state).predictedCount(), 4u);
    EXPECT_TRUE(shownResult(state)->recorded);
    apply(state, Show{.over = "stride=2..3"});
    EXPECT_EQ(sweepIn(state).measuredCount(), 2u) << "parts of it as well";
}

TEST(SweepState, MeasuresAnewWhatWasOnlyRecorded) {
    AppState state = strideState();
    apply(state, SweepsRead{recordedStrides(), {}});
    EXPECT_TRUE(mayMeasureSweep(state));
    apply(state, MeasureSweep{});
    EXPECT_FALSE(shownSweep(state)->recorded);
    EXPECT_EQ(sweepIn(state).measuredCount(), 0u);
    EXPECT_EQ(sweepIn(state).predictedCount(), 4u);
}

TEST(SweepState, GoesOnWithTheSweepOfTheSessionBefore) {
    AppState before = strideState();
    apply(before, MeasureSweep{});
    answer(before);
    answer(before);
    AppState state = strideState();
    apply(state, SweepsRead{std::make_shared<RecordingLibrary>(), sweepIn(before)});
    EXPECT_EQ(sweepIn(state).measuredCount(), 2u);
    EXPECT_FALSE(shownSweep(state)->recorded);
    apply(state, MeasureSweep{});
    EXPECT_EQ(running(state)->experiment.arguments.at("stride"), 3);
}

TEST(SweepState, KeepsNoScheduleOfItsPoints) {
    AppState state = strideState();
    apply(state, MeasureSweep{});
    Measurement measurement = tests::scriptedMeasurement(running(state)->experiment);
    measurement.schedule = Schedule{};
    apply(state, WorkerSaid{running(state)->number, measurement});
    ASSERT_NE(sweepIn(state).points[0].measurement(), nullptr);
    EXPECT_FALSE(sweepIn(state).points[0].measurement()->schedule);
}

TEST(SweepState, SaysThatTheSweepOfTheSessionBeforeCouldNotBeRead) {
    AppState state = strideState();
    apply(state, SweepsRead{recordedStrides(), {}, "It could not."});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text, "It could not.");
}

TEST(SweepState, IsWhatAFigureShowsWhileItsTabIsOpen) {
    AppState state = strideState();
    apply(state, SweepsRead{recordedStrides(), {}});
    apply(state, DrawFigure{});
    ASSERT_NE(state.figures.back().sweep, nullptr);
    EXPECT_TRUE(state.figures.back().sweep->recorded);
    EXPECT_FALSE(state.figures.back().quantities.empty());
    apply(state, Show{.tab = RightTab::roof});
    apply(state, DrawFigure{});
    EXPECT_EQ(state.figures.back().sweep, nullptr);
    EXPECT_NE(state.figures.back().roofline, nullptr);
    apply(state, Show{.tab = RightTab::measured});
    apply(state, DrawFigure{});
    EXPECT_EQ(state.figures.back().roofline, nullptr);
}

TEST(RoofState, AsksForThePredictionsOfItsPointsWhileItsTabIsOpen) {
    AppState state = sweepStateOf("matmul-4x4");
    EXPECT_FALSE(nextRoofPrediction(state));
    apply(state, Show{.tab = RightTab::roof});
    EXPECT_EQ(roofExperiments(state).size(), 7u) << "the products, and the one that is shown";
    const Value bytes{Metric::requestedBytesPerSector, "kernel", Source::predicted, Variant::none,
                      32.0};
    const Value loads{Metric::globalLoadSectors, "kernel", Source::predicted, Variant::none, 4.0};
    for (int point = 0; point < 7; ++point) {
        const auto next = nextRoofPrediction(state);
        ASSERT_TRUE(next);
        apply(state, PointPredicted{*next, PredictedPoint{true, 1, 1, {bytes, loads}}});
    }
    EXPECT_FALSE(nextRoofPrediction(state));
    const Roofline roofline = shownRoofline(state);
    EXPECT_FALSE(roofline.ceilings) << "nothing was measured";
    // 2 * 4^3 operations, 128 bytes: 32 accesses of 4 bytes.
    EXPECT_DOUBLE_EQ(*roofline.points.back().flopsPerAccess(), 4);
    apply(state, ChooseScenario{"warp-grouping"});
    EXPECT_EQ(roofExperiments(state).size(), 6u);
}

TEST(RoofState, APointOfNoKnownScenarioChangesNothing) {
    AppState state = sweepStateOf("matmul-global");
    apply(state, PointPredicted{{"no-such-scenario", {}, {}}, NotPredicted{"scripted"}});
    EXPECT_TRUE(state.roof.predicted.empty());
}

TEST(SweepState, PlotsWhatIsChosen) {
    AppState state = strideState();
    apply(state, SweepsRead{recordedStrides(), {}});
    apply(state, ChooseQuantity{0, "time"});
    ASSERT_FALSE(shownQuantities(state).empty());
    EXPECT_EQ(shownQuantities(state)[0].id, "time");
    apply(state, ChooseQuantity{0, "speed"});
    EXPECT_EQ(shownQuantities(state)[0].id, "time");
}

TEST(SweepState, ReadAgainAndAgainItKeepsAFewSweeps) {
    AppState state = strideState();
    for (std::int64_t last = 5; last < 40; ++last) {
        const Sweep sweep =
            sweepOf(planOf(state.view.experiment, true, ArgumentAxis{"stride", {1, 2, last}}));
        apply(state, SweepsRead{std::make_shared<const RecordingLibrary>(), sweep});
        EXPECT_LE(state.sweep.kept.size(), 12u);
        ASSERT_NE(shownSweep(state), nullptr);
    }
}

TEST(SweepState, LongSweepsThatNobodyMeasuredGoBeforeAnythingMeasured) {
    AppState state = strideState();
    apply(state, MeasureSweep{});
    while (running(state) != nullptr) answer(state);
    ASSERT_EQ(sweepIn(state).measuredCount(), 4u);
    for (int last = 201; last < 215; ++last) {
        apply(state, Show{.over = "stride=1.." + std::to_string(last)});
        std::size_t points = 0;
        for (const KeptSweep& kept : state.sweep.kept) points += kept.sweep.points.size();
        EXPECT_LE(points, 4u + 256 + 215);
    }
    apply(state, Show{.over = "stride=1..4"});
    EXPECT_EQ(sweepIn(state).measuredCount(), 4u);
}

}  // namespace
}  // namespace warplens::window
