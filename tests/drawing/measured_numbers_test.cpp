#include <algorithm>
#include <gtest/gtest.h>

#include "app/drawing/evidence.h"

namespace warplens {
namespace {

Value valueOf(Metric metric, Source source, double number, Variant variant = Variant::none) {
    return {metric, "kernel", source, variant, number};
}

TEST(Evidence, TheMostTrustworthyNumberWins) {
    Evidence evidence;
    evidence.values = {valueOf(Metric::branchEfficiency, Source::predicted, 90),
                       valueOf(Metric::branchEfficiency, Source::compiled, 91)};
    EXPECT_EQ(evidence.best(Metric::branchEfficiency)->source, Source::compiled);
    evidence.values.push_back({Metric::branchEfficiency, "kernel", Source::counted, Variant::none,
                               Unavailable{"locked"}});
    EXPECT_EQ(evidence.best(Metric::branchEfficiency)->source, Source::compiled);
}

TEST(Evidence, EachSourceHasItsOwnFewestWhereTheyAskForOthers) {
    constexpr Metric metric = Metric::sectorsPerRequest;
    Evidence evidence;
    evidence.values = {valueOf(metric, Source::predicted, 4, Variant::load),
                       valueOf(metric, Source::predicted, 2, Variant::loadIdeal),
                       valueOf(metric, Source::compiled, 4, Variant::load),
                       valueOf(metric, Source::compiled, 2, Variant::loadIdeal)};
    const auto row = [&] { return *rowOf(evidence, "Sectors", metric, Variant::load); };
    EXPECT_EQ(row().ideal, "2.00");
    evidence.values.back() = valueOf(metric, Source::compiled, 4, Variant::loadIdeal);
    EXPECT_EQ(row().ideal, "2.00 predicted, 4.00 compiled");
}

TEST(Evidence, AMissingNumberKeepsItsReason) {
    Evidence evidence;
    evidence.recorded = true;
    evidence.values = {{Metric::branches, "kernel", Source::counted, Variant::none,
                        Unavailable{"the counters are locked"}}};
    const auto row = rowOf(evidence, "Branches", Metric::branches);
    ASSERT_TRUE(row);
    EXPECT_EQ(compact(*row->cell(Source::counted)), "n/a");
    EXPECT_EQ(remarksOn({*row}), std::vector<std::string>{"n/a counted: the counters are locked"});
    EXPECT_FALSE(rowOf(evidence, "Time", Metric::time));
}

TEST(Remarks, OneReasonOfAllSourcesIsSaidOnce) {
    Evidence evidence;
    for (const Source source : {Source::predicted, Source::compiled, Source::counted}) {
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
                       valueOf(Metric::globalLoadSectors, Source::compiled, 37128000000.0)};
    const auto sectors = [&] {
        return *rowOf(evidence, "Load sectors", Metric::globalLoadSectors);
    };
    EXPECT_EQ(agreementOf(sectors()), Agreement::equal);
    EXPECT_TRUE(remarksOn({sectors()}).empty());
    evidence.values.push_back(valueOf(Metric::globalLoadSectors, Source::counted, 37128000064.0));
    EXPECT_EQ(agreementOf(sectors()), Agreement::different);
    EXPECT_EQ(remarksOn({sectors()}),
              std::vector<std::string>{"≠  Load sectors: counted 37,128,000,064, "
                                       "compiled and predicted 37,128,000,000"});
    auto explained = sectors();
    explained.explained = true;
    EXPECT_TRUE(remarksOn({explained}).empty()) << "where it is said elsewhere";
}

TEST(Agreement, ASampleThatIsOffIsSaidOnceForAllRows) {
    Evidence evidence;
    evidence.sampled = true;
    for (const Metric metric : {Metric::globalLoadSectors, Metric::globalStoreSectors}) {
        evidence.values.push_back(valueOf(metric, Source::predicted, 101));
        evidence.values.push_back(valueOf(metric, Source::compiled, 100));
        evidence.values.push_back(valueOf(metric, Source::counted, 100));
    }
    EXPECT_EQ(remarksOn({*rowOf(evidence, "Load sectors", Metric::globalLoadSectors),
                         *rowOf(evidence, "Store sectors", Metric::globalStoreSectors)}),
              std::vector<std::string>{"≠  Predicted from a sample of the blocks, compiled and "
                                       "counted in all of them"});
}

TEST(Agreement, BranchesThatTheCompilerRemovedAreExplained) {
    Evidence evidence;
    evidence.values = {valueOf(Metric::divergentBranches, Source::compiled, 2),
                       valueOf(Metric::divergentBranches, Source::counted, 0)};
    const auto row = rowOf(evidence, "Divergent", Metric::divergentBranches);
    ASSERT_EQ(remarksOn({*row}).size(), 1u);
    EXPECT_NE(remarksOn({*row})[0].find("the compiler predicates short ones"), std::string::npos);
}

Value divergentAt(std::string mark, Source source, double number) {
    return {Metric::divergentBranches, std::move(mark), source, Variant::none, number};
}

TEST(Agreement, CountedDivergenceIsThatOfTheMarksLeftAsBranches) {
    Evidence evidence;
    evidence.values = {
        divergentAt("kernel", Source::predicted, 35), divergentAt("even", Source::predicted, 32),
        divergentAt("odd", Source::predicted, 3), divergentAt("kernel", Source::compiled, 35),
        divergentAt("kernel", Source::counted, 3)};
    const auto row = [&] { return *rowOf(evidence, "Divergent", Metric::divergentBranches); };
    EXPECT_EQ(agreementOf(row()), Agreement::different);
    EXPECT_FALSE(divergenceLeft(evidence));
    evidence.compiled = {{"even", BranchForm::predicated}, {"odd", BranchForm::branch}};
    EXPECT_EQ(divergenceLeft(evidence), 3);
    EXPECT_EQ(agreementOf(row()), Agreement::equal);
    EXPECT_TRUE(remarksOn({row()}).empty());
    evidence.compiled[0].form = BranchForm::branch;
    EXPECT_EQ(agreementOf(row()), Agreement::different);
    EXPECT_EQ(remarksOn({row()}),
              std::vector<std::string>{"≠  Divergent: the marks left as branches make 35, counted "
                                       "3, compiled and predicted 35"});
}

TEST(Agreement, PredictedMustStillEqualProbed) {
    Evidence evidence;
    evidence.values = {
        divergentAt("kernel", Source::predicted, 2), divergentAt("even", Source::predicted, 2),
        divergentAt("kernel", Source::compiled, 1), divergentAt("kernel", Source::counted, 0)};
    evidence.compiled = {{"even", BranchForm::predicated}};
    EXPECT_EQ(agreementOf(*rowOf(evidence, "Divergent", Metric::divergentBranches)),
              Agreement::different);
}

TEST(CompiledMarks, EachIsSaidInWords) {
    Evidence evidence;
    EXPECT_TRUE(compiledMarks(evidence).empty());
    evidence.values = {
        divergentAt("inside", Source::predicted, 0), divergentAt("even", Source::predicted, 2),
        divergentAt("odd", Source::predicted, 4), divergentAt("first", Source::predicted, 0)};
    evidence.compiled = {{"inside", BranchForm::exit},
                         {"even", BranchForm::predicated},
                         {"odd", BranchForm::branch},
                         {"first", BranchForm::branch},
                         {"unheard", BranchForm::branch}};
    const auto lines = compiledMarks(evidence);
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(lines[0].words, "threads outside leave by a predicated EXIT, no branch");
    EXPECT_EQ(lines[1].words,
              "predicated, no branch in the machine code, so its 2 divergences are not counted");
    EXPECT_FALSE(lines[1].diverges);
    EXPECT_EQ(lines[2].words, "a branch, warps diverge here");
    EXPECT_TRUE(lines[2].diverges);
    EXPECT_EQ(lines[3].words, "a branch, no warp diverges here");
    EXPECT_EQ(lines[4].words, "a branch, warps can diverge here");
}

TEST(Conflicts, TheHeadlineSaysHowManyWays) {
    Evidence evidence;
    EXPECT_FALSE(conflictsOf(evidence));
    evidence.values = {valueOf(Metric::sharedWavefronts, Source::predicted, 1024),
                       valueOf(Metric::bankConflicts, Source::predicted, 0)};
    EXPECT_EQ(conflictsOf(evidence)->words, "no conflicts");
    evidence.values.push_back(valueOf(Metric::sharedWavefronts, Source::counted, 33));
    evidence.values.push_back(valueOf(Metric::bankConflicts, Source::counted, 31));
    EXPECT_EQ(conflictsOf(evidence)->words, "16.5-way conflict");
    EXPECT_EQ(conflictsOf(evidence)->source, Source::counted);
    // Counters that cannot tell the conflicts leave the word to the probe's or the prediction.
    evidence.values.back().content = Unavailable{"merged"};
    EXPECT_EQ(conflictsOf(evidence)->source, Source::predicted);
}

TEST(Parts, ASinglePartIsNotRepeated) {
    Evidence evidence;
    evidence.values = {{Metric::sectorsPerRequest, "in", Source::compiled, Variant::load, 4.0},
                       {Metric::sectorsPerRequest, "out", Source::compiled, Variant::store, 4.0}};
    EXPECT_TRUE(partsOf(evidence, " / load", Metric::sectorsPerRequest, Variant::load).empty());
    evidence.values.push_back(
        {Metric::sectorsPerRequest, "more", Source::compiled, Variant::load, 8.0});
    EXPECT_EQ(partsOf(evidence, " / load", Metric::sectorsPerRequest, Variant::load).size(), 2u);
}

TEST(Compact, CountsAreWrittenInEveryDigit) {
    EXPECT_EQ(compact(valueOf(Metric::globalLoadSectors, Source::compiled, 262144)), "262,144");
    EXPECT_EQ(compact(valueOf(Metric::globalLoadSectors, Source::compiled, 5628000000.0)),
              "5,628,000,000");
    EXPECT_EQ(compact(valueOf(Metric::globalLoadSectors, Source::compiled, 0)), "0");
    EXPECT_EQ(compact(valueOf(Metric::sectorsPerRequest, Source::compiled, 4)), "4.00");
}

TEST(Groups, HaveARowForEveryMetricThereIs) {
    Evidence evidence;
    for (const MetricInfo& metric : allMetrics()) {
        evidence.values.push_back(valueOf(metric.metric, Source::counted, metric.range.most));
        evidence.values.push_back(valueOf(metric.metric, Source::compiled, metric.range.most));
    }
    const std::vector<NumberGroup> groups = groupsOf(evidence);
    EXPECT_TRUE(std::ranges::is_sorted(groups, std::ranges::less{}, &NumberGroup::group));
    for (const MetricInfo& metric : allMetrics()) {
        const auto group = std::ranges::find(groups, metric.group, &NumberGroup::group);
        ASSERT_NE(group, groups.end()) << metric.title;
        EXPECT_EQ(std::ranges::count(group->rows, metric.title, &NumberRow::name), 1)
            << metric.title;
        EXPECT_NE(titleOf(metric.group), "") << metric.title;
    }
}

TEST(Groups, NameTheVariantAndThePartAndSetTheIdealBeside) {
    Evidence evidence;
    evidence.values = {
        {Metric::laneEfficiency, "kernel", Source::counted, Variant::active, 90.0},
        {Metric::sectorsPerRequest, "kernel", Source::compiled, Variant::load, 8.0},
        {Metric::sectorsPerRequest, "kernel", Source::compiled, Variant::loadIdeal, 4.0},
        {Metric::sectorsPerRequest, "in", Source::compiled, Variant::load, 8.0},
        {Metric::sectorsPerRequest, "kernel", Source::predicted, Variant::load, 8.0}};
    const std::vector<NumberGroup> groups = groupsOf(evidence);
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(titleOf(groups[0].group), "Coalescing");
    ASSERT_EQ(groups[0].rows.size(), 2u);
    EXPECT_EQ(groups[0].rows[0].name, "Sectors per request, loads");
    EXPECT_EQ(groups[0].rows[0].ideal, "4.00");
    EXPECT_EQ(agreementOf(groups[0].rows[0]), Agreement::equal);
    EXPECT_EQ(groups[0].rows[1].name, "Sectors per request, loads: in");
    EXPECT_EQ(groups[1].rows[0].name, "Lane efficiency, active");
}

}  // namespace
}  // namespace warplens
