#include "core/trace/block_sample.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/launch/mapping.h"

namespace warplens::trace {
namespace {

std::uint64_t weightOf(const std::vector<SampledBlock>& sample) {
    std::uint64_t sum = 0;
    for (const SampledBlock& block : sample) sum += block.weight;
    return sum;
}

TEST(BlockSample, standsForEveryBlockOfTheGridOnce) {
    for (const Extents grid : {Extents{1, 1, 1}, Extents{2, 1, 1}, Extents{3, 1, 1},
                               Extents{94, 94, 1}, Extents{5, 7, 3}, Extents{2147483647, 2, 1}}) {
        for (const std::uint32_t perClass : {1u, 4u, 100u}) {
            EXPECT_EQ(weightOf(sampleBlocks(grid, perClass)), grid.count());
        }
    }
}

TEST(BlockSample, staysInsideTheGridWithoutRepeats) {
    const Extents grid{17, 5, 4};
    auto sample = sampleBlocks(grid, 8);
    for (const auto& [index, weight] : sample) {
        EXPECT_LT(index.x, grid.x);
        EXPECT_LT(index.y, grid.y);
        EXPECT_LT(index.z, grid.z);
    }
    std::vector<std::uint64_t> ranks;
    for (const auto& block : sample) ranks.push_back(blockRankInGrid(block.index, grid));
    std::ranges::sort(ranks);
    EXPECT_TRUE(std::ranges::adjacent_find(ranks) == ranks.end());
}

TEST(BlockSample, takesEveryBlockWhereThereAreFew) {
    EXPECT_EQ(sampleBlocks({4, 4, 1}, 1000).size(), 16u);
}

TEST(BlockSample, hasEveryCornerEdgeAndTheInterior) {
    const auto sample = sampleBlocks({94, 94, 1}, 1);
    EXPECT_EQ(sample.size(), 9u);
    EXPECT_TRUE(std::ranges::count(sample, SampledBlock{{0, 0, 0}, 1}) == 1);
    EXPECT_TRUE(std::ranges::count(sample, SampledBlock{{93, 93, 0}, 1}) == 1);
    EXPECT_TRUE(std::ranges::any_of(sample, [](auto& b) { return b.weight == 92u * 92u; }));
}

}  // namespace
}  // namespace warplens::trace
