#include "app/drawing/warp_trace.h"

#include <gtest/gtest.h>

#include "app/drawing/elements.h"

namespace warplens {
namespace {

Experiment experimentOf(const char* scenario) {
    return initialExperiment(scenarioNamed(scenario));
}

TEST(TraceWarp, OfAProgramTellsWhichTimeOfALoopItIsAndNothingOfALineThatLoadsAndStores) {
    BlockSteps steps;
    steps.file = "own.cu";
    steps.places = {{"own.cu", 6, 5}, {"own.cu", 7, 5}};
    steps.arrays = {{.name = "a", .elementBytes = 4}, {.name = "b", .elementBytes = 4}};
    WarpSteps& warp = steps.warps.emplace_back();
    const auto add = [&](AccessKind kind, std::uint16_t array, std::uint32_t place) {
        warp.steps.push_back({kind, array, place, 4, 1, 0});
        warp.offsets.push_back(0);
    };
    add(AccessKind::load, 0, 0);
    add(AccessKind::store, 1, 0);
    for (int round = 0; round < 2; ++round) add(AccessKind::load, 0, 1);
    warp.total = warp.steps.size();
    const WarpTrace trace = traceWarp(
        {experimentOf("warp-grouping"), {}, {0}, std::make_shared<const BlockSteps>(steps)});
    ASSERT_EQ(trace.steps.size(), 4u);
    const auto roundsOf = [&](std::size_t at) { return trace.rounds.at(trace.steps[at].rounds); };
    EXPECT_EQ(roundsOf(0), "");
    EXPECT_EQ(roundsOf(1), "");
    EXPECT_EQ(roundsOf(2), "iteration 1 of 2");
    EXPECT_EQ(roundsOf(3), "iteration 2 of 2");
}

// Where a kernel stores once, its trace and its own word on the output are the same.
TEST(TraceWarp, TheStoresAreWhereTheKernelSaysItsElementsAre) {
    for (const char* scenario : {"matadd-coalesced", "matadd-swapped", "access-float4",
                                 "matmul-tiled", "shared-banks", "reduce-interleaved"}) {
        const WarpPlace place{experimentOf(scenario), {1, 0, 0}, {0}};
        const WarpTrace trace = traceWarp(place);
        ASSERT_EQ(trace.failure, "") << scenario;
        const Kernel& kernel = kernelOf(scenarioNamed(scenario).kernel);
        const auto& stores = trace.byArray.at(outputIndex(kernel));
        ASSERT_EQ(stores.size(), 1u) << scenario;
        WarpStep traced = trace.steps.at(stores[0]);
        EXPECT_NE(traced.line, 0u);
        traced.line = 0;
        traced.rounds = 0;  // what the kernel says of itself knows no loops
        const WarpTrace said = outputOfWarp(place);
        ASSERT_EQ(said.steps.size(), 1u);
        EXPECT_EQ(traced, said.steps[0]) << scenario;
    }
}

TEST(TraceWarp, AWarpWithoutElementsHasNoOutput) {
    const Experiment experiment = complete({.scenario = "matadd-coalesced",
                                            .grid = Extents{4, 4, 1},
                                            .block = Extents{16, 16, 1},
                                            .set = {{"n", 16}}});
    EXPECT_TRUE(outputOfWarp({experiment, {3, 3, 0}, {0}}).steps.empty());
}

TEST(TraceWarp, KeepsTheFirstStepsAndCountsAll) {
    Experiment experiment = experimentOf("matmul-global");
    experiment.arguments.set("n", 40000);
    const WarpTrace trace = traceWarp({experiment, {}, {0}});
    ASSERT_EQ(trace.failure, "");
    EXPECT_EQ(trace.total, 80002u);
    EXPECT_EQ(trace.steps.size(), stepsKept);
    EXPECT_EQ(trace.byArray.at(0).size() + trace.byArray.at(1).size() + 1, stepsKept);
}

TEST(TraceWarp, TheStepsOfAllArraysAreInProgramOrder) {
    const WarpTrace trace = traceWarp({experimentOf("shared-banks"), {}, {0}});
    std::vector<StepKind> kinds;
    for (const WarpStep& step : trace.steps) kinds.push_back(step.kind);
    EXPECT_EQ(kinds,
              (std::vector<StepKind>{StepKind::branch, StepKind::load, StepKind::sharedStore,
                                     StepKind::branch, StepKind::sharedLoad, StepKind::store}));
}

TEST(TraceWarp, ALaunchTheKernelRefusesIsAReason) {
    Experiment experiment = experimentOf("matmul-tiled");
    experiment.launch.block = {8, 4, 1};
    const WarpTrace trace = traceWarp({experiment, {}, {0}});
    EXPECT_TRUE(trace.steps.empty());
    EXPECT_NE(trace.failure, "");
}

TEST(TraceWarp, AThreadOfVeryManyStepsIsNotTraced) {
    Experiment experiment = experimentOf("matmul-coalesced");
    experiment.arguments.set("rows", 1);
    experiment.arguments.set("cols", 1);
    experiment.arguments.set("inner", 1 << 30);
    EXPECT_EQ(traceWarp({experiment, {}, {0}}).failure, "more than 131,072 steps a thread");
}

}  // namespace
}  // namespace warplens
