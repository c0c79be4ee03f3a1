#include "core/access/warp_access.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace warplens {
namespace {

std::vector<std::uint64_t> lanesAt(std::uint64_t base, std::uint64_t step, int lanes = 32) {
    std::vector<std::uint64_t> addresses;
    for (int lane = 0; lane < lanes; ++lane) addresses.push_back(base + step * lane);
    return addresses;
}

TEST(WarpAccess, neighbouringFloatsOnABoundaryTakeFourSectors) {
    EXPECT_EQ(costOf(lanesAt(256, 4), 4), (AccessCost{4, 1, 4, 128, 128}));
}

TEST(WarpAccess, oneFloatOffTheBoundaryTakesAFifthSector) {
    EXPECT_EQ(costOf(lanesAt(260, 4), 4), (AccessCost{5, 2, 4, 128, 128}));
}

TEST(WarpAccess, strideTwoTakesEightSectors) {
    EXPECT_EQ(costOf(lanesAt(0, 8), 4).sectors, 8u);
}

TEST(WarpAccess, strideEightAndMoreTakesASectorForEachLane) {
    for (const std::uint64_t stride : {8, 9, 32, 1000}) {
        EXPECT_EQ(costOf(lanesAt(0, 4 * stride), 4).sectors, 32u) << stride;
    }
}

TEST(WarpAccess, broadcastUsesItsBytesOnce) {
    EXPECT_EQ(costOf(lanesAt(512, 0), 4), (AccessCost{1, 1, 1, 4, 128}));
}

TEST(WarpAccess, fourFloatsALaneAreSixteenSectorsAndIdeal) {
    EXPECT_EQ(costOf(lanesAt(0, 16), 16), (AccessCost{16, 4, 16, 512, 512}));
}

TEST(WarpAccess, oneLaneIsOneRequest) {
    EXPECT_EQ(costOf(lanesAt(4, 4, 1), 4), (AccessCost{1, 1, 1, 4, 4}));
}

TEST(WarpAccess, orderOfLanesDoesNotMatterAndCountsAreThoseOfSets) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 2000; ++round) {
        const std::uint32_t bytes = 1u << random() % 5;
        std::vector<std::uint64_t> addresses;
        const auto lanes = 1 + random() % 32;
        for (std::uint64_t lane = 0; lane < lanes; ++lane) {
            addresses.push_back(random() % 4096 / bytes * bytes);
        }
        std::set<std::uint64_t> sectors, lines, distinct;
        for (const std::uint64_t address : addresses) {
            sectors.insert(address / 32);
            lines.insert(address / 128);
            distinct.insert(address);
        }
        const AccessCost cost = costOf(addresses, bytes);
        EXPECT_EQ(cost.sectors, sectors.size());
        EXPECT_EQ(cost.lines, lines.size());
        EXPECT_EQ(cost.uniqueBytes, distinct.size() * bytes);
        EXPECT_LE(cost.uniqueBytes, cost.idealSectors * bytesPerSector);
        EXPECT_LE(cost.idealSectors, cost.sectors);
        std::ranges::shuffle(addresses, random);
        EXPECT_EQ(costOf(addresses, bytes), cost);
    }
}

}  // namespace
}  // namespace warplens
