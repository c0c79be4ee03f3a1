#include "app/window/panels/figures.h"

#include <gtest/gtest.h>

#include "app/window/panels/comparison.h"
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
    EXPECT_EQ(remarksOn({*row}), std::vector<std::string>{"n/a counted: the counters are locked"});
    EXPECT_FALSE(rowOf(evidence, "Time", Metric::time));
}

TEST(Remarks, OneReasonOfAllSourcesIsSaidOnce) {
    Evidence evidence;
    for (const Source source : {Source::predicted, Source::probed, Source::counted}) {
        evidence.values.push_back({Metric::branchEfficiency, "kernel", source, Variant::none,
                                   Unavailable{"no branches"}});
    }
    const auto row = rowOf(evidence, "Branch efficiency", Metric::branchEfficiency);
    EXPECT_EQ(remarksOn({*row, *row}), std::vector<std::string>{"n/a: no branches"});
    EXPECT_EQ(agreementOf(*row), Agreement::alone);
}

TEST(Agreement, EqualNumbersAgreeAndOneMoreDoesNot) {
    Evidence evidence;
    evidence.values = {valueOf(Metric::globalLoadSectors, Source::predicted, 37128000000.0),
                       valueOf(Metric::globalLoadSectors, Source::probed, 37128000000.0)};
    const auto sectors = [&] {
        return *rowOf(evidence, "Load sectors", Metric::globalLoadSectors);
    };
    EXPECT_EQ(agreementOf(sectors()), Agreement::equal);
    EXPECT_TRUE(remarksOn({sectors()}).empty());
    evidence.values.push_back(valueOf(Metric::globalLoadSectors, Source::counted, 37128000064.0));
    EXPECT_EQ(agreementOf(sectors()), Agreement::different);
    EXPECT_EQ(remarksOn({sectors()}),
              std::vector<std::string>{"≠  Load sectors: counted 37,128,000,064, "
                                       "probed and predicted 37,128,000,000"});
}

TEST(Agreement, ASampleThatIsOffIsSaidOnceForAllRows) {
    Evidence evidence;
    evidence.sampled = true;
    for (const Metric metric : {Metric::globalLoadSectors, Metric::globalStoreSectors}) {
        evidence.values.push_back(valueOf(metric, Source::predicted, 101));
        evidence.values.push_back(valueOf(metric, Source::probed, 100));
        evidence.values.push_back(valueOf(metric, Source::counted, 100));
    }
    EXPECT_EQ(remarksOn({*rowOf(evidence, "Load sectors", Metric::globalLoadSectors),
                         *rowOf(evidence, "Store sectors", Metric::globalStoreSectors)}),
              std::vector<std::string>{"≠  Predicted from a sample of the blocks, probed and "
                                       "counted in all of them"});
}

TEST(Agreement, BranchesThatTheCompilerRemovedAreExplained) {
    Evidence evidence;
    evidence.values = {valueOf(Metric::divergentBranches, Source::probed, 2),
                       valueOf(Metric::divergentBranches, Source::counted, 0)};
    const auto row = rowOf(evidence, "Divergent", Metric::divergentBranches);
    ASSERT_EQ(remarksOn({*row}).size(), 1u);
    EXPECT_NE(remarksOn({*row})[0].find("the compiler predicates short ones"), std::string::npos);
}

TEST(Parts, ASinglePartIsNotRepeated) {
    Evidence evidence;
    evidence.values = {{Metric::sectorsPerRequest, "in", Source::probed, Variant::load, 4.0},
                       {Metric::sectorsPerRequest, "out", Source::probed, Variant::store, 4.0}};
    EXPECT_TRUE(partsOf(evidence, " / load", Metric::sectorsPerRequest, Variant::load).empty());
    evidence.values.push_back(
        {Metric::sectorsPerRequest, "more", Source::probed, Variant::load, 8.0});
    EXPECT_EQ(partsOf(evidence, " / load", Metric::sectorsPerRequest, Variant::load).size(), 2u);
}

TEST(Compact, CountsAreWrittenInEveryDigit) {
    EXPECT_EQ(compact(valueOf(Metric::globalLoadSectors, Source::probed, 262144)), "262,144");
    EXPECT_EQ(compact(valueOf(Metric::globalLoadSectors, Source::probed, 5628000000.0)),
              "5,628,000,000");
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
