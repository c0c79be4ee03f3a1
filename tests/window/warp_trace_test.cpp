#include "app/drawing/warp_trace.h"

#include <gtest/gtest.h>

#include "app/window/state/command.h"

namespace warplens::window {
namespace {

Experiment experimentOf(const char* scenario) {
    return initialExperiment(scenarioNamed(scenario));
}

AppState stateOf(const char* scenario) {
    return initialState({experimentOf(scenario), true}, std::make_shared<RecordingLibrary>(),
                        false);
}

void trace(AppState& state) {
    apply(state, WarpTraced{std::make_shared<const WarpTrace>(traceWarp(warpInFocus(state)))});
}

TEST(SectorsOf, LanesOfFourWordsFillASectorInPairs) {
    LaneBytes lanes{.store = false, .bytes = 16, .active = 0xF};
    for (std::uint64_t lane = 0; lane < 4; ++lane) lanes.offsets.at(lane) = 16 * lane;
    const WarpSectors sectors = sectorsOf(lanes, 32);
    ASSERT_EQ(sectors.sectors.size(), 2u);
    EXPECT_EQ(sectors.fewest, 2u);
    EXPECT_EQ(sectors.slots, 4u);
    EXPECT_EQ(sectors.sectors[0].used, 0xFF);
    EXPECT_EQ(sectors.lanes[3].sector, 1u);
    EXPECT_EQ(sectors.lanes[3].slot, 4u);
    EXPECT_FALSE(sectors.lanes[4].active);
}

TEST(SectorsOf, LanesThatShareAWordNeedOneSector) {
    const LaneBytes lanes{.store = false, .bytes = 4, .active = ~0u};
    const WarpSectors sectors = sectorsOf(lanes, 32);
    ASSERT_EQ(sectors.sectors.size(), 1u);
    EXPECT_EQ(sectors.sectors[0].used, 1);
    EXPECT_EQ(sectors.fewest, 1u);
}

// Where a kernel stores once, its trace and its own word on the output are the same.
TEST(TraceWarp, TheStoresAreWhereTheKernelSaysItsElementsAre) {
    for (const char* scenario : {"matadd-coalesced", "matadd-swapped", "access-float4",
                                 "matmul-tiled", "shared-banks", "reduce-interleaved"}) {
        const Experiment experiment = experimentOf(scenario);
        const WarpTrace trace = traceWarp({experiment, {1, 0, 0}, {0}});
        ASSERT_EQ(trace.failure, "") << scenario;
        const Kernel& kernel = kernelOf(scenarioNamed(scenario).kernel);
        const ArrayTrace& output = trace.arrays.at(outputIndex(kernel));
        ASSERT_EQ(output.total, 1u) << scenario;
        EXPECT_TRUE(output.requests[0].store);
        const WarpSectors traced =
            sectorsOf(output.requests[0], threadCountInWarp({0}, experiment.launch.block));
        const WarpSectors said = warpSectors(experiment, {1, 0, 0}, {0});
        ASSERT_EQ(traced.sectors.size(), said.sectors.size()) << scenario;
        for (std::size_t i = 0; i < said.sectors.size(); ++i) {
            EXPECT_EQ(traced.sectors[i].index, said.sectors[i].index) << scenario;
            EXPECT_EQ(traced.sectors[i].used, said.sectors[i].used) << scenario;
        }
    }
}

TEST(TraceWarp, KeepsTheFirstRequestsAndCountsAll) {
    Experiment experiment = experimentOf("matmul-global");
    experiment.arguments.set("n", 5000);
    const WarpTrace trace = traceWarp({experiment, {}, {0}});
    ASSERT_EQ(trace.failure, "");
    EXPECT_EQ(trace.arrays.at(0).total, 5000u);
    EXPECT_EQ(trace.arrays.at(0).requests.size(), requestsKept);
    EXPECT_EQ(trace.arrays.at(2).total, 1u);
}

TEST(TraceWarp, ALaunchTheKernelRefusesIsAReason) {
    Experiment experiment = experimentOf("matmul-tiled");
    experiment.launch.block = {8, 4, 1};
    const WarpTrace trace = traceWarp({experiment, {}, {0}});
    EXPECT_TRUE(trace.arrays.empty());
    EXPECT_NE(trace.failure, "");
}

TEST(TraceWarp, AThreadOfVeryManyStepsIsNotTraced) {
    Experiment experiment = experimentOf("matmul-coalesced");
    experiment.arguments.set("rows", 1);
    experiment.arguments.set("cols", 1);
    experiment.arguments.set("inner", 1 << 30);
    EXPECT_EQ(traceWarp({experiment, {}, {0}}).failure, "more than 131,072 steps a thread");
}

// The block that a kernel refuses is a legal one: it is drawn, with the reason beside it.
TEST(Requests, ALaunchTheKernelRefusesIsDrawnAndNotRun) {
    for (const auto& [scenario, block] : {std::pair{"matmul-tiled", Extents{8, 8, 1}},
                                          std::pair{"reduce-interleaved", Extents{96, 1, 1}}}) {
        AppState state = stateOf(scenario);
        state.canMeasure = true;
        ASSERT_TRUE(mayMeasure(state)) << scenario;
        apply(state, SetBlock{block});
        EXPECT_EQ(state.shown.launch.block, block);
        EXPECT_EQ(breachesOf(state).size(), 1u) << scenario;
        EXPECT_FALSE(mayMeasure(state));
        trace(state);
        ASSERT_NE(shownTrace(state), nullptr);
        EXPECT_EQ(shownRequests(state), nullptr);
    }
}

TEST(Requests, SteppingGoesRoundAndAnotherArrayStartsAtItsFirst) {
    AppState state = stateOf("matmul-global");
    EXPECT_EQ(shownTrace(state), nullptr);
    apply(state, StepRequest{1});
    EXPECT_EQ(shownRequest(state), 0u);
    trace(state);
    ASSERT_NE(shownRequests(state), nullptr);
    EXPECT_EQ(shownArray(state), 2u);
    apply(state, ChooseArray{0});
    apply(state, StepRequest{-1});
    EXPECT_EQ(shownRequest(state), shownRequests(state)->requests.size() - 1);
    apply(state, StepRequest{1});
    EXPECT_EQ(shownRequest(state), 0u);
    apply(state, ChooseRequest{UINT64_MAX});
    EXPECT_EQ(shownRequest(state), shownRequests(state)->requests.size() - 1);
    apply(state, ChooseArray{1});
    EXPECT_EQ(shownRequest(state), 0u);
    apply(state, ChooseArray{9});
    EXPECT_EQ(shownArray(state), 1u);
}

TEST(Requests, ATraceOfAnotherWarpOrLaunchIsNotShown) {
    AppState state = stateOf("matadd-coalesced");
    trace(state);
    EXPECT_NE(shownTrace(state), nullptr);
    apply(state, ToggleWarp{{1}});
    EXPECT_EQ(shownTrace(state), nullptr);
    trace(state);
    EXPECT_NE(shownTrace(state), nullptr);
    apply(state, SwapBlockAxes{});
    apply(state, SetBlock{{64, 1, 1}});
    EXPECT_EQ(shownTrace(state), nullptr);
    apply(state, ChooseArray{1});
    apply(state, ChooseScenario{"warp-grouping"});
    EXPECT_EQ(shownArray(state), 0u);
}

}  // namespace
}  // namespace warplens::window
