#include "app/window/state/comparison.h"

#include <gtest/gtest.h>

#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

Value timeOf(double seconds) {
    return {Metric::time, "kernel", Source::timed, Variant::none, seconds};
}

TEST(Compare, SaysHowMuchSlower) {
    const Experiment experiment = initialExperiment(scenarioNamed("matadd-coalesced"));
    Measurement a = tests::scriptedMeasurement(experiment);
    Measurement b = a;
    a.values = {timeOf(1e-6)};
    b.values = {timeOf(12.4e-6)};
    const auto lines = compare({a, false}, {b, false});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].ratio, "12.4× slower");
    EXPECT_EQ(lines[0].verdict, -1);
    EXPECT_EQ(compare({a, false}, {a, false})[0].ratio, "same");
}

TEST(Compare, CallsNoneFasterThatDoesLessWork) {
    Measurement a =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("branch-long-arms")));
    Measurement b = tests::scriptedMeasurement(initialExperiment(scenarioNamed("branch-by-warp")));
    a.values = {timeOf(48.9e-6)};
    b.values = {timeOf(704e-9)};
    const Comparison time = compare({a, false}, {b, false})[0];
    EXPECT_EQ(time.ratio, "not the same work");
    EXPECT_EQ(time.verdict, 0);
}

TEST(Compare, NamesWhatSharedMemoryAndAtomicsTakeWhereTheyAreUsed) {
    const auto valueOf = [](Metric metric, double number) {
        return Value{metric, "kernel", Source::counted, Variant::none, number};
    };
    Measurement a = tests::scriptedMeasurement(initialExperiment(scenarioNamed("shared-banks")));
    Measurement b = a;
    a.values = {valueOf(Metric::sharedWavefrontsPerRequest, 16.5), valueOf(Metric::atomicTurns, 0)};
    b.values = {valueOf(Metric::sharedWavefrontsPerRequest, 1), valueOf(Metric::atomicTurns, 0)};
    const auto lines = compare({a, false}, {b, false});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].name + ' ' + lines[0].ratio, "Wavefronts per request 16.5× fewer");
    EXPECT_EQ(lines[0].verdict, 1);
}

TEST(Compare, MakesNothingOfTimesThatDifferLessThanTheirRuns) {
    Measurement a =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matadd-coalesced")));
    Measurement b = a;
    a.values = {timeOf(1.00e-6)};
    b.values = {timeOf(1.04e-6)};
    a.timing.spreadPercent = 1;
    b.timing.spreadPercent = 5;
    Comparison time = compare({a, false}, {b, false})[0];
    EXPECT_EQ(time.ratio, "within the spread");
    EXPECT_EQ(time.verdict, 0);
    b.timing.spreadPercent = 3;
    time = compare({a, false}, {b, false})[0];
    EXPECT_EQ(time.ratio, "1.04× slower");
    EXPECT_EQ(time.verdict, -1);
}

}  // namespace
}  // namespace warplens::window
