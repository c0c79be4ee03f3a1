#include "app/window/panels/figures.h"

#include <gtest/gtest.h>

#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

Value valueOf(Metric metric, Source source, double number, Variant variant = Variant::none) {
    return {metric, "kernel", source, variant, number};
}

TEST(Evidence, TheMostTrustworthyNumberWins) {
    Evidence evidence;
    evidence.values = {valueOf(Metric::branchEfficiency, Source::predicted, 90),
                       valueOf(Metric::branchEfficiency, Source::probed, 91)};
    EXPECT_EQ(evidence.best(Metric::branchEfficiency)->source, Source::probed);
    evidence.values.push_back({Metric::branchEfficiency, "kernel", Source::counted, Variant::none,
                               Unavailable{"locked"}});
    EXPECT_EQ(evidence.best(Metric::branchEfficiency)->source, Source::probed);
}

TEST(Evidence, AMissingNumberKeepsItsReason) {
    Evidence evidence;
    evidence.recorded = true;
    evidence.values = {{Metric::branches, "kernel", Source::counted, Variant::none,
                        Unavailable{"the counters are locked"}}};
    const auto row = rowOf(evidence, "Branches", Metric::branches);
    ASSERT_TRUE(row);
    EXPECT_EQ(compact(*row->cells[2]), "n/a");
    EXPECT_EQ(reasonsIn(evidence, {*row}),
              std::vector<std::string>{"recorded · counted: the counters are locked"});
    EXPECT_FALSE(rowOf(evidence, "Time", Metric::time));
}

TEST(Compact, LargeCountsAreShortened) {
    EXPECT_EQ(compact(valueOf(Metric::globalLoadSectors, Source::probed, 262144)), "262,144");
    EXPECT_EQ(compact(valueOf(Metric::globalLoadSectors, Source::probed, 5628000000.0)), "5.63 G");
    EXPECT_EQ(compact(valueOf(Metric::globalLoadSectors, Source::probed, 0)), "0");
    EXPECT_EQ(compact(valueOf(Metric::sectorsPerRequest, Source::probed, 4)), "4.00");
}

TEST(Compare, SaysHowMuchSlower) {
    const Experiment experiment = initialExperiment(scenarioNamed("matadd-coalesced"));
    Measurement a = tests::scriptedMeasurement(experiment);
    Measurement b = a;
    a.values = {valueOf(Metric::time, Source::timed, 1e-6)};
    b.values = {valueOf(Metric::time, Source::timed, 12.4e-6)};
    const auto lines = compare({a, false}, {b, false});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].ratio, "12.4× slower");
    EXPECT_EQ(lines[0].verdict, -1);
    EXPECT_EQ(compare({a, false}, {a, false})[0].ratio, "same");
}

}  // namespace
}  // namespace warplens::window
