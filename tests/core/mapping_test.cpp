#include "core/launch/mapping.h"

#include <gtest/gtest.h>

#include "tests/static/mapping_laws.h"

namespace warplens {
namespace {

TEST(Mapping, KeepsItsLawsForEveryBlockOnTheHost) {
    for (const Extents block : laws::blocks) {
        EXPECT_TRUE(laws::ranksFollowXThenYThenZ(block)) << toString(block);
        EXPECT_TRUE(laws::indexAndRankAreInverse(block)) << toString(block);
        EXPECT_TRUE(laws::lanesWrapIntoWarps(block)) << toString(block);
        EXPECT_TRUE(laws::warpsHoldEveryThread(block)) << toString(block);
    }
}

TEST(Mapping, KeepsItsLawsForEveryLegalBlockOfUpTo64Threads) {
    for (std::uint32_t x = 1; x <= 64; ++x) {
        for (std::uint32_t y = 1; x * y <= 64; ++y) {
            for (std::uint32_t z = 1; x * y * z <= 64; ++z) {
                EXPECT_TRUE(laws::allHoldFor({x, y, z})) << toString(Extents{x, y, z});
            }
        }
    }
}

TEST(WarpRankInBlock, RoundsA33ThreadBlockUpToTwoWarps) {
    EXPECT_EQ(warpCountPerBlock({33}), 2u);
    EXPECT_EQ(threadCountInWarp({1}, {33}), 1u);
}

}  // namespace
}  // namespace warplens
