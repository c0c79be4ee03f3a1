#include "app/window/state/timeline.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "app/window/jobs.h"
#include "app/window/state/apply.h"

namespace warplens::window {
namespace {

Experiment experimentOf(const char* scenario) {
    return initialExperiment(scenarioNamed(scenario));
}

AppState timelineStateOf(const char* scenario) {
    return initialState({experimentOf(scenario), true}, std::make_shared<RecordingLibrary>(),
                        false);
}

void trace(AppState& state) {
    apply(state, traceWarpNow(warpInFocus(state)));
}

AppState tracedStateOf(const char* scenario) {
    AppState state = timelineStateOf(scenario);
    trace(state);
    return state;
}

const WarpStep& shownStep(const AppState& state) {
    const Timeline timeline(state);
    return shownTrace(state)->steps.at(timeline.stepAt(timeline.position()));
}

// The block that a kernel refuses is a legal one: it is drawn, with the reason beside it.
TEST(Timeline, ALaunchTheKernelRefusesIsDrawnAndNotRun) {
    for (const auto& [scenario, block] : {std::pair{"matmul-tiled", Extents{8, 8, 1}},
                                          std::pair{"reduce-interleaved", Extents{96, 1, 1}}}) {
        AppState state = timelineStateOf(scenario);
        state.canMeasure = true;
        ASSERT_TRUE(mayMeasure(state)) << scenario;
        apply(state, SetBlock{block});
        EXPECT_EQ(state.view.experiment.launch.block, block);
        EXPECT_EQ(violationsOf(state).size(), 1u) << scenario;
        EXPECT_FALSE(mayMeasure(state));
        trace(state);
        ASSERT_NE(shownTrace(state), nullptr);
        EXPECT_NE(shownTrace(state)->failure, "");
        EXPECT_EQ(Timeline(state).size(), 0u);
        apply(state, TogglePlay{});
        EXPECT_FALSE(state.playback.playing);
    }
}

TEST(Timeline, BeginsWithTheFirstRequestAndGoesRound) {
    AppState state = timelineStateOf("matmul-global");
    EXPECT_EQ(shownTrace(state), nullptr);
    apply(state, MoveStep{1});
    EXPECT_FALSE(state.view.step.has_value());
    trace(state);
    EXPECT_EQ(shownStep(state).kind, StepKind::load);
    EXPECT_EQ(Timeline(state).position(), 1u);
    EXPECT_EQ(Timeline(state).size(), shownTrace(state)->steps.size());
    apply(state, MoveStep{-1});
    EXPECT_EQ(shownStep(state).kind, StepKind::branch);
    apply(state, MoveStep{-1});
    EXPECT_EQ(Timeline(state).position(), Timeline(state).size() - 1);
    EXPECT_EQ(shownStep(state).kind, StepKind::store);
    apply(state, MoveStep{1});
    EXPECT_EQ(Timeline(state).position(), 0u);
    apply(state, ChooseStep{UINT64_MAX});
    EXPECT_EQ(Timeline(state).position(), Timeline(state).size() - 1);
}

TEST(Timeline, OneArraysStepsAreThoseToItAlone) {
    AppState state = tracedStateOf("matmul-tiled");
    const Kernel& kernel = kernelOf(state);
    ASSERT_EQ(kernel.shared.size(), 2u);
    std::size_t requests = 0;
    for (std::size_t array = 0; array < kernel.arrays.size() + kernel.shared.size(); ++array) {
        apply(state, ChooseArray{array});
        const std::size_t size = Timeline(state).size();
        requests += size;
        for (std::size_t i = 0; i < size; ++i) {
            const WarpStep& step = shownStep(state);
            EXPECT_EQ(step.subject + (step.isShared() ? kernel.arrays.size() : 0), array);
            apply(state, MoveStep{1});
        }
    }
    const auto branches =
        std::ranges::count(shownTrace(state)->steps, StepKind::branch, &WarpStep::kind);
    EXPECT_EQ(requests + static_cast<std::size_t>(branches), shownTrace(state)->steps.size());
    apply(state, ChooseArray{9});
    EXPECT_EQ(state.view.array, 4u) << "there is no such array";
    apply(state, ChooseArray{});
    EXPECT_EQ(Timeline(state).size(), shownTrace(state)->steps.size());
}

TEST(Timeline, AnotherWarpIsShownAtTheSameStep) {
    AppState state = tracedStateOf("reduce-sequential");
    apply(state, ChooseStep{4});
    apply(state, ToggleWarp{{3}});
    EXPECT_EQ(Timeline(state).size(), 0u) << "of the other warp there is no trace yet";
    trace(state);
    EXPECT_EQ(Timeline(state).position(), 4u);
}

TEST(Timeline, ATraceOfAnotherWarpOrLaunchIsNotShown) {
    AppState state = tracedStateOf("matadd-coalesced");
    apply(state, ToggleWarp{{1}});
    EXPECT_EQ(shownTrace(state), nullptr);
    trace(state);
    EXPECT_NE(shownTrace(state), nullptr);
    apply(state, SwapBlockAxes{});
    apply(state, SetBlock{{64, 1, 1}});
    EXPECT_EQ(shownTrace(state), nullptr);
    apply(state, ChooseArray{1});
    apply(state, ChooseScenario{"warp-grouping"});
    EXPECT_FALSE(state.view.array.has_value());
}

TEST(Playing, ShowsAsManyStepsASecondAsAsked) {
    AppState state = tracedStateOf("matmul-global");
    apply(state, ChooseStep{0});
    apply(state, Tick{10});
    EXPECT_EQ(Timeline(state).position(), 0u) << "nothing plays";
    for (const double speed : {1.0, 4.0, 16.0}) {
        apply(state, ChooseStep{0});
        apply(state, SetPlaySpeed{speed});
        apply(state, TogglePlay{});
        ASSERT_TRUE(state.playback.playing);
        for (int frame = 0; frame < 30; ++frame) apply(state, Tick{1.0 / 32});
        EXPECT_EQ(Timeline(state).position(), static_cast<std::size_t>(speed * 30 / 32)) << speed;
        for (int frame = 0; frame < 34; ++frame) apply(state, Tick{1.0 / 32});
        EXPECT_EQ(Timeline(state).position(), static_cast<std::size_t>(2 * speed)) << speed;
        apply(state, TogglePlay{});
        apply(state, Tick{1});
        EXPECT_EQ(Timeline(state).position(), static_cast<std::size_t>(2 * speed)) << "paused";
    }
    apply(state, SetPlaySpeed{1000});
    EXPECT_EQ(state.playback.stepsPerSecond, 16) << "there is no such speed";
}

TEST(Playing, EndsWithTheLastStepAndStartsOverFromThere) {
    AppState state = tracedStateOf("matadd-coalesced");
    apply(state, SetPlaySpeed{16});
    apply(state, TogglePlay{});
    EXPECT_NEAR(*secondsToNextStep(state), 1.0 / 16, 1e-9);
    apply(state, Tick{1});
    EXPECT_FALSE(state.playback.playing);
    EXPECT_FALSE(secondsToNextStep(state).has_value());
    EXPECT_EQ(Timeline(state).position(), Timeline(state).size() - 1);
    apply(state, TogglePlay{});
    EXPECT_TRUE(state.playback.playing);
    EXPECT_EQ(Timeline(state).position(), 0u);
}

TEST(Playing, StandsStillWhileAnotherWarpIsTracedAndMakesNothingUp) {
    AppState state = tracedStateOf("matmul-global");
    apply(state, ChooseStep{0});
    apply(state, TogglePlay{});
    apply(state, ToggleWarp{{1}});
    apply(state, Tick{5});
    EXPECT_TRUE(state.playback.playing);
    trace(state);
    EXPECT_EQ(Timeline(state).position(), 0u);
    apply(state, Tick{60});
    EXPECT_EQ(Timeline(state).position(), 4u) << "one second's steps after a long standstill";
    for (const double none : {std::nan(""), -1.0, -HUGE_VAL}) apply(state, Tick{none});
    EXPECT_EQ(Timeline(state).position(), 4u) << "what is no time passes as none";
    EXPECT_EQ(state.playback.due, 0);
    apply(state, ChooseScenario{"matadd-coalesced"});
    EXPECT_FALSE(state.playback.playing);
}

}  // namespace
}  // namespace warplens::window
