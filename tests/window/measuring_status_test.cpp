#include <gtest/gtest.h>

#include "app/window/state/apply.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

using tests::scriptedMeasurement;

AppState measurableState(bool canMeasure = true) {
    return initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                        std::make_shared<RecordingLibrary>(), canMeasure);
}

TEST(MeasuringStatus, AMeasurementRunsAndItsResultIsShown) {
    AppState state = measurableState();
    apply(state, Measure{});
    ASSERT_NE(running(state), nullptr);
    const std::uint64_t number = running(state)->number;
    EXPECT_FALSE(mayMeasure(state));
    apply(state, WorkerSaid{number, Progress{"timing", 0.5}});
    EXPECT_EQ(running(state)->stage, "timing");
    apply(state, WorkerSaid{number, scriptedMeasurement(state.view.experiment)});
    EXPECT_EQ(running(state), nullptr);
    ASSERT_TRUE(shownResult(state));
    EXPECT_FALSE(shownResult(state)->recorded);
    apply(state, SetBlock{{8, 8, 1}});
    EXPECT_FALSE(shownResult(state));
    apply(state, Undo{});
    EXPECT_TRUE(shownResult(state));
}

TEST(MeasuringStatus, NothingIsMeasuredWithoutAWorkerOrWithABrokenLimit) {
    AppState state = measurableState(false);
    apply(state, Measure{});
    EXPECT_EQ(running(state), nullptr);
    state = measurableState();
    apply(state, SetBlock{{0, 1, 1}});
    apply(state, Measure{});
    EXPECT_EQ(running(state), nullptr);
}

TEST(MeasuringStatus, LateWordsOfAnEarlierMeasurementAreIgnored) {
    AppState state = measurableState();
    apply(state, Measure{});
    const std::uint64_t first = running(state)->number;
    apply(state, WorkerSaid{first, Failure{FailureKind::cancelled, ""}});
    apply(state, Measure{});
    apply(state, WorkerSaid{first, scriptedMeasurement(state.view.experiment)});
    EXPECT_NE(running(state), nullptr);
    EXPECT_FALSE(shownResult(state));
}

TEST(MeasuringStatus, AFailureSaysWhatHappenedAndThatTheNextMeasureStartsAfresh) {
    AppState state = measurableState();
    apply(state, Measure{});
    apply(state, WorkerSaid{running(state)->number,
                            Failure{FailureKind::failed, "the worker was killed by signal 9"}});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_NE(state.messages[0].text.find("killed by signal 9"), std::string::npos);
    EXPECT_NE(state.messages[0].text.find("fresh worker"), std::string::npos);
    EXPECT_TRUE(mayMeasure(state));
    apply(state, DismissMessage{state.messages[0].id});
    EXPECT_TRUE(state.messages.empty());
}

TEST(MeasuringStatus, CancelWaitsForTheWorkersWord) {
    AppState state = measurableState();
    apply(state, CancelMeasure{});
    apply(state, Measure{});
    apply(state, CancelMeasure{});
    ASSERT_NE(running(state), nullptr);
    EXPECT_TRUE(running(state)->cancelled);
    apply(state, WorkerSaid{running(state)->number, Failure{FailureKind::cancelled, "cancelled"}});
    EXPECT_EQ(running(state), nullptr);
    EXPECT_EQ(state.messages[0].kind, MessageKind::note);
}

TEST(MeasuringStatus, TheSameMessageDoesNotPileUp) {
    AppState state = measurableState();
    for (int i = 0; i < 20; ++i) apply(state, Report{MessageKind::error, "again"});
    EXPECT_EQ(state.messages.size(), 1u);
}

TEST(MeasuringStatus, PinsKeepTheResultsThatWereShown) {
    AppState state = measurableState();
    apply(state, Pin{PinSlot::a});
    EXPECT_FALSE(state.pinnedA);
    ASSERT_FALSE(state.messages.empty());
    EXPECT_TRUE(state.messages.back().text.starts_with("Not pinned")) << "and why is said";
    apply(state, Measure{});
    apply(state, WorkerSaid{running(state)->number, scriptedMeasurement(state.view.experiment)});
    apply(state, Pin{PinSlot::a});
    const Experiment pinned = state.view.experiment;
    apply(state, SetBlock{{8, 8, 1}});
    apply(state, Pin{PinSlot::b});
    EXPECT_EQ(state.pinnedA->measurement->experiment, pinned);
    EXPECT_FALSE(state.pinnedB);
    apply(state, ClearPins{});
    EXPECT_FALSE(state.pinnedA);
}

TEST(MeasuringStatus, ARecordingStandsInUntilTheLaunchIsMeasured) {
    const Experiment experiment = initialExperiment(scenarioNamed("matadd-coalesced"));
    auto library = std::make_shared<RecordingLibrary>();
    library->recordings.push_back({"matadd.json", scriptedMeasurement(experiment)});
    AppState state = initialState({experiment, true}, library, true);
    ASSERT_TRUE(shownResult(state));
    EXPECT_TRUE(shownResult(state)->recorded);
    apply(state, Measure{});
    apply(state, WorkerSaid{running(state)->number, scriptedMeasurement(experiment)});
    EXPECT_FALSE(shownResult(state)->recorded);
}

}  // namespace
}  // namespace warplens::window
