#include "core/access/shared_access.h"

#include <gtest/gtest.h>
#include <vector>

namespace warplens {
namespace {

std::vector<std::uint64_t> wordsApart(std::uint64_t words, int lanes = 32) {
    std::vector<std::uint64_t> addresses;
    for (int lane = 0; lane < lanes; ++lane) addresses.push_back(4 * words * lane);
    return addresses;
}

TEST(SharedAccess, neighbouringWordsTakeOneWavefront) {
    EXPECT_EQ(sharedCostOf(wordsApart(1), 4), (SharedCost{1, 1}));
}

TEST(SharedAccess, oneWordForAllLanesIsShared) {
    EXPECT_EQ(sharedCostOf(wordsApart(0), 4), (SharedCost{1, 1}));
}

TEST(SharedAccess, aStrideOfThirtyTwoWordsPutsAllLanesOnOneBank) {
    EXPECT_EQ(sharedCostOf(wordsApart(32), 4), (SharedCost{32, 1}));
    EXPECT_EQ(sharedCostOf(wordsApart(33), 4), (SharedCost{1, 1}));
}

TEST(SharedAccess, theStridesCommonFactorWithTheBanksIsTheConflict) {
    EXPECT_EQ(sharedCostOf(wordsApart(2), 4).wavefronts, 2u);
    EXPECT_EQ(sharedCostOf(wordsApart(12), 4).wavefronts, 4u);
    EXPECT_EQ(sharedCostOf(wordsApart(7), 4).wavefronts, 1u);
}

TEST(SharedAccess, sixteenBytesALaneNeedFourWavefrontsAndHaveNoConflict) {
    EXPECT_EQ(sharedCostOf(wordsApart(4), 16), (SharedCost{4, 4}));
    EXPECT_EQ(sharedCostOf(wordsApart(2), 8), (SharedCost{2, 2}));
}

TEST(SharedAccess, fewLanesMayStillConflict) {
    EXPECT_EQ(sharedCostOf(std::vector<std::uint64_t>{0, 128}, 4), (SharedCost{2, 1}));
}

}  // namespace
}  // namespace warplens
