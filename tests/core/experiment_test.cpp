#include <gtest/gtest.h>

#include "core/scenario/scenario.h"
#include "tests/support/refusal.h"

namespace warplens {
namespace {

std::string refusalOfRequest(const ExperimentRequest& request) {
    return tests::refusal<InvalidRequest>([&] { (void)complete(request); });
}

TEST(Complete, FillsWhatIsLeftOpenFromTheScenario) {
    const Experiment experiment = complete({.scenario = "matadd-swapped"});
    EXPECT_EQ(experiment, initialExperiment(scenarioNamed("matadd-swapped")));
    EXPECT_EQ(experiment.launch.grid, (Extents{1024, 1024}));
}

TEST(Complete, CoversTheProblemWhenNoGridIsGiven) {
    const Experiment experiment = complete({.scenario = "matadd-coalesced",
                                            .grid = {},
                                            .block = Extents{32, 8},
                                            .set = {{"n", 1000}}});
    EXPECT_EQ(experiment.launch.grid, (Extents{32, 125}));
}

TEST(Complete, TakesAGivenGridAsItStands) {
    const Experiment experiment = complete({.scenario = "matadd-coalesced", .grid = Extents{1}});
    EXPECT_EQ(experiment.launch.grid, (Extents{1}));
}

TEST(Complete, NamesTheScenariosThatMayBeMeant) {
    const std::string unknown = ": one of those that `warplens list` shows";
    EXPECT_EQ(
        refusalOfRequest({.scenario = "matadd"}),
        "scenario = 'matadd'" + unknown + "; did you mean 'matadd-coalesced' or 'matadd-swapped'?");
    EXPECT_EQ(refusalOfRequest({.scenario = "reduce-shufle"}),
              "scenario = 'reduce-shufle'" + unknown + "; did you mean 'reduce-shuffle'?");
    EXPECT_EQ(refusalOfRequest({.scenario = "shufle"}),
              "scenario = 'shufle'" + unknown + "; did you mean 'reduce-shuffle'?");
    EXPECT_EQ(refusalOfRequest({.scenario = "transpos"}),
              "scenario = 'transpos'" + unknown +
                  "; did you mean 'shared-banks' or 'shared-banks-padded'?");
    EXPECT_EQ(refusalOfRequest({.scenario = "quicksort"}), "scenario = 'quicksort'" + unknown);
}

TEST(Complete, NamesEveryViolationOfLaunchAndSizes) {
    EXPECT_EQ(refusalOfRequest({.scenario = "access-stride",
                                .grid = Extents{0},
                                .block = Extents{2000},
                                .set = {{"n", 0}, {"stride", -1}, {"rows", 3}}}),
              "grid x = 0: at least 1; block x = 2000: at most 1024; "
              "threads per block = 2000: at most 1024; n = 0: at least 1; "
              "stride = -1: at least 1; rows = 3: this kernel has only n stride");
}

TEST(Complete, TakesSizesUpToTheirBounds) {
    EXPECT_EQ(refusalOfRequest(
                  {.scenario = "matadd-coalesced", .grid = {}, .block = {}, .set = {{"n", 46340}}}),
              "accepted");
    EXPECT_EQ(refusalOfRequest(
                  {.scenario = "matadd-coalesced", .grid = {}, .block = {}, .set = {{"n", 46341}}}),
              "n = 46341: at most 46340");
}

TEST(Complete, RefusesACoveringGridNoDeviceAccepts) {
    EXPECT_EQ(refusalOfRequest({.scenario = "matmul-coalesced",
                                .grid = {},
                                .block = Extents{1, 1},
                                .set = {{"rows", 65536}}}),
              "grid y = 65536: at most 65535");
}

TEST(ValidateRun, RefusesWhatTheKernelsIndicesCannotReach) {
    Experiment experiment = complete({.scenario = "matmul-coalesced",
                                      .grid = Extents{1},
                                      .block = {},
                                      .set = {{"rows", 46341}, {"inner", 1}, {"cols", 46341}}});
    EXPECT_TRUE(toString(validateRun(experiment)).starts_with("elements of out = 2147488281"));
    experiment =
        complete({.scenario = "warp-grouping", .grid = Extents{2097152}, .block = Extents{1024}});
    EXPECT_FALSE(validateRun(experiment).empty());
}

}  // namespace
}  // namespace warplens
