#include "app/drawing/elements.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

Experiment experimentOf(const char* scenario, Extents block, std::int64_t n) {
    return complete({.scenario = scenario, .grid = {}, .block = block, .set = {{"n", n}}});
}

TEST(Elements, TheFormulaHoldsTheNumbersOfTheThread) {
    EXPECT_EQ(rankFormula({16, 16, 1}, {3, 5, 0}),
              "tid = x + y·Dx + z·Dx·Dy = 3 + 5·16 + 0·16·16 = 83");
    EXPECT_EQ(warpFormula({16, 16, 1}, {3, 5, 0}), "warp = tid / 32 = 83 / 32 = 2");
    EXPECT_EQ(laneFormula({16, 16, 1}, {3, 5, 0}), "lane = tid % 32 = 83 % 32 = 19");
}

TEST(Elements, AThreadIsNamedWithTheElementItWrites) {
    EXPECT_EQ(elementName(experimentOf("matadd-coalesced", {16, 16, 1}, 512), {}, {3, 5, 0}),
              "c[5][3]");
    EXPECT_EQ(elementName(experimentOf("matadd-swapped", {16, 16, 1}, 512), {}, {3, 5, 0}),
              "c[3][5]");
    EXPECT_EQ(elementName(experimentOf("matadd-coalesced", {16, 16, 1}, 4), {}, {3, 5, 0}), "");
}

TEST(Elements, TheMaskMarksTheThreadsOutsideTheProblem) {
    const OutsideMask mask = outsideMask(experimentOf("branch-odd-even", {64, 1, 1}, 40), {});
    EXPECT_EQ(mask[0], 0u);
    EXPECT_EQ(mask[1], 0xffffff00u);
}

TEST(Elements, AnAxisTheKernelDoesNotLookAtHasNoEdge) {
    const ProblemEdge edge = problemEdge(experimentOf("branch-odd-even", {64, 1, 1}, 40));
    EXPECT_EQ(edge.x, 40u);
    EXPECT_EQ(edge.y, UINT64_MAX);
    const ProblemEdge plane = problemEdge(experimentOf("matadd-coalesced", {16, 16, 1}, 500));
    EXPECT_EQ(plane.x, 500u);
    EXPECT_EQ(plane.y, 500u);
    EXPECT_EQ(plane.z, UINT64_MAX);
}

}  // namespace
}  // namespace warplens
