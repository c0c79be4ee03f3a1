#include "app/drawing/elements.h"

#include <bit>
#include <gtest/gtest.h>

namespace warplens {
namespace {

Experiment experimentOf(const char* scenario, Extents block, std::int64_t n) {
    return complete({.scenario = scenario, .grid = {}, .block = block, .set = {{"n", n}}});
}

TEST(Elements, TheFormulaHoldsTheNumbersOfTheThread) {
    EXPECT_EQ(rankFormula({16, 16, 1}, {3, 5, 0}),
              "rank = x + y·Dx + z·Dx·Dy = 3 + 5·16 + 0·16·16 = 83");
    EXPECT_EQ(warpFormula({16, 16, 1}, {3, 5, 0}), "warp = rank / 32 = 83 / 32 = 2");
    EXPECT_EQ(laneFormula({16, 16, 1}, {3, 5, 0}), "lane = rank % 32 = 83 % 32 = 19");
}

TEST(Elements, AThreadIsNamedWithTheElementItWrites) {
    EXPECT_EQ(elementName(experimentOf("matadd-coalesced", {16, 16, 1}, 512), {}, {3, 5, 0}),
              "c[5][3]");
    EXPECT_EQ(elementName(experimentOf("matadd-swapped", {16, 16, 1}, 512), {}, {3, 5, 0}),
              "c[3][5]");
    EXPECT_EQ(elementName(experimentOf("matadd-coalesced", {16, 16, 1}, 4), {}, {3, 5, 0}), "");
    EXPECT_EQ(elementName(experimentOf("matadd-coalesced", {16, 16, 1}, 1), {}, {0, 0, 0}), "c[0]")
        << "one row";
}

WastedMask wastedIn(const Experiment& experiment, Index3 block) {
    return wastedMask(blockGuard(experiment), block);
}

TEST(Elements, TheMaskMarksTheThreadsOutsideTheProblem) {
    const WastedMask mask = wastedIn(experimentOf("branch-odd-even", {64, 1, 1}, 40), {});
    EXPECT_EQ(mask[0], 0u);
    EXPECT_EQ(mask[1], 0xffffff00u);
}

TEST(Elements, TheMaskMarksTheThreadsThatRepeatOthers) {
    // The kernel looks at x alone: the second row does what the first does.
    const Experiment rows = experimentOf("branch-odd-even", {32, 2, 1}, 40);
    EXPECT_EQ(wastedIn(rows, {})[0], 0u);
    EXPECT_EQ(wastedIn(rows, {})[1], 0xffffffffu);
    EXPECT_EQ(wastedIn(rows, {0, 1, 0})[0], 0xffffffffu);
}

TEST(Elements, TheMasksOfAllBlocksCountWhatTheCoverageCallsWasted) {
    for (const Extents block : {Extents{33, 1, 1}, {7, 5, 1}, {4, 2, 8}, {5, 7, 3}}) {
        for (const char* scenario : {"branch-odd-even", "matadd-coalesced"}) {
            Experiment experiment = experimentOf(scenario, block, 40);
            experiment.launch.grid = {6, 2, 2};
            std::uint64_t wasted = 0;
            for (std::uint32_t i = 0; i < 24; ++i) {
                for (const std::uint32_t lanes : wastedIn(experiment, {i % 6, i / 6 % 2, i / 12})) {
                    wasted += static_cast<std::uint64_t>(std::popcount(lanes));
                }
            }
            const Kernel& kernel = kernelOf(scenarioNamed(scenario).kernel);
            EXPECT_EQ(wasted,
                      coverageOf(experiment.launch, kernel.work(experiment.arguments)).wasted())
                << scenario << ' ' << toString(block);
        }
    }
}

}  // namespace
}  // namespace warplens
