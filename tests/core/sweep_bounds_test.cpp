#include <ctime>
#include <gtest/gtest.h>

#include "core/sweep/sweep.h"
#include "tests/support/refusal.h"

/// What a sweep costs, whatever a file or a person asks for.
namespace warplens {
namespace {

Axis axisOf(const std::string& text) {
    return std::get<Axis>(parseAxis("--over", text));
}

Sweep sweepOver(const std::string& scenario, const std::string& axis) {
    return sweepOf(planOf(initialExperiment(scenarioNamed(scenario)), true, axisOf(axis)));
}

TEST(SweepPlan, NamesAnArgumentThatTheKernelHasNotOnceWhateverElseIsWrong) {
    Experiment experiment = initialExperiment(scenarioNamed("access-stride"));
    experiment.arguments.set("k", 1);
    experiment.arguments.set("n", 0);
    for (const char* axis : {"stride=1..1024", "block=256", "grid=1..8"}) {
        const std::string why =
            tests::refusal<InvalidRequest>([&] { (void)planOf(experiment, true, axisOf(axis)); });
        EXPECT_EQ(why, "n = 0: at least 1; k = 1: this kernel has only n stride");
    }
}

TEST(SweepPlan, IsRefusedAtTheFirstPointThatNamesWhatTheKernelHasNot) {
    // As a file may have it: 200 names of 60,000 letters would be 12 GB at a thousand points.
    Experiment experiment = initialExperiment(scenarioNamed("access-stride"));
    for (int i = 0; i < 200; ++i) {
        experiment.arguments.set(std::string(60'000, 'k') + std::to_string(i), i);
    }
    const std::clock_t start = std::clock();
    EXPECT_THROW((void)planOf(experiment, true, axisOf("stride=1..1024")), InvalidRequest);
    EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC);
}

TEST(Sweep, FindsEachOfItsPointsAndNoOther) {
    for (const auto& [scenario, axis] :
         {std::pair{"access-stride", "stride=1..128"}, std::pair{"access-stride", "stride=3,5,9"},
          std::pair{"access-stride", "grid=1..40"}, std::pair{"access-stride", "block.x=1..64"},
          std::pair{"access-aligned", "array-offset=0..63"},
          std::pair{"matmul-tiled", "tile=8..32:x2"}, std::pair{"matadd-swapped", "block=32..1024"},
          std::pair{"warp-grouping", "block=720:z"}}) {
        Sweep sweep = sweepOver(scenario, axis);
        for (std::size_t i = 0; i < sweep.points.size(); ++i) {
            Experiment experiment = sweep.points[i].experiment;
            EXPECT_EQ(sweep.indexOf(experiment), i) << axis;
            EXPECT_EQ(sweep.find(experiment), &sweep.points[i]) << axis;
            experiment.launch.grid.z = 7;
            EXPECT_FALSE(sweep.indexOf(experiment)) << axis;
        }
        Experiment other = sweep.points.front().experiment;
        other.arguments = {};
        if (!sweep.points.front().experiment.arguments.entries().empty()) {
            EXPECT_FALSE(sweep.indexOf(other)) << axis;
        }
        other = sweep.points.back().experiment;
        other.scenario = "occupancy";
        EXPECT_EQ(sweep.find(other), nullptr) << axis;
    }
    EXPECT_FALSE(Sweep{}.indexOf(initialExperiment(scenarioNamed("access-stride"))));
}

TEST(Sweep, FindsItsLastPointAboutAsFastAsItsFirst) {
    const Sweep sweep = sweepOver("access-stride", "n=1..1024");
    const auto ticksFor = [&](std::size_t point) {
        const Experiment experiment = sweep.points[point].experiment;
        const std::clock_t start = std::clock();
        std::size_t found = 0;
        for (int i = 0; i < 5000; ++i) found += sweep.indexOf(experiment) == point ? 1 : 0;
        EXPECT_EQ(found, 5000u);
        return std::clock() - start;
    };
    const std::clock_t first = ticksFor(0);
    EXPECT_LT(ticksFor(1023), 20 * first + CLOCKS_PER_SEC / 500);
}

}  // namespace
}  // namespace warplens
