#include <gtest/gtest.h>

#include "core/program/line_costs.h"

namespace warplens {
namespace {

ProgramLine lineAt(std::uint32_t line, AccessKind kind, Source source, std::uint64_t requests,
                   std::uint64_t units) {
    ProgramLine made;
    made.place = {"a.cu", line, 1};
    made.kind = kind;
    made.source = source;
    made.requests = requests;
    made.sectors = made.wavefronts = made.divergent = units;
    return made;
}

TEST(LineComparison, SumColumnsOfALineAndKind) {
    const auto comparisons = compareLines({lineAt(3, AccessKind::load, Source::predicted, 2, 8),
                                           lineAt(3, AccessKind::load, Source::predicted, 1, 5),
                                           lineAt(3, AccessKind::store, Source::predicted, 1, 4)},
                                          {lineAt(3, AccessKind::load, Source::counted, 2, 9)});
    ASSERT_EQ(comparisons.size(), 2u);
    EXPECT_EQ(comparisons[0].kind, AccessKind::load);
    EXPECT_EQ(comparisons[0].counts[0]->requests, 3u);
    EXPECT_EQ(comparisons[0].counts[0]->sectors, 13u);
    EXPECT_EQ(comparisons[0].counts[1], std::nullopt) << "nobody has run the compiled code";
    EXPECT_EQ(comparisons[0].counts[2]->sectors, 9u);
    EXPECT_EQ(comparisons[1].counts[2], LineCost{}) << "looked at, and there was none";
}

TEST(LineComparison, CountOfEachKindWhatItCosts) {
    for (const auto& [kind, unit] : {std::pair{AccessKind::load, "sectors"},
                                     {AccessKind::sharedStore, "wavefronts"},
                                     {AccessKind::branch, "divergent"}}) {
        EXPECT_EQ(unitOf(kind), unit);
        const auto comparisons = compareLines({lineAt(1, kind, Source::predicted, 4, 7)}, {});
        EXPECT_EQ(comparisons[0].counts[0]->requests, 4u);
        EXPECT_EQ(unitsOf(kind, *comparisons[0].counts[0]), 7u);
    }
    EXPECT_TRUE(compareLines({}, {}).empty());
}

TEST(LineCosts, OfBranchesAreThoseOfAllOfThemInAllLaunches) {
    const auto branch = [](std::uint32_t column, std::uint64_t divergent, std::uint64_t times) {
        ProgramLine line;
        line.place = {"f.cu", 4, column};
        line.kind = AccessKind::branch;
        line.divergent = divergent;
        line.requests = times;
        return line;
    };
    LineCosts costs;
    for (const ProgramLine& line : {branch(5, 836, 1440), branch(9, 40, 1440),  // a launch
                                    branch(5, 780, 1600), branch(9, 806, 1600)})
        costs.add(line);
    EXPECT_EQ(costs.branch.divergent, 836u + 40u + 780u + 806u);
    EXPECT_EQ(costs.branch.requests, 2 * (1440u + 1600u));
}

}  // namespace
}  // namespace warplens
