#include <gtest/gtest.h>
#include <random>

#include "core/launch/mapping.h"

namespace warplens {
namespace {

TEST(BlockCase, APictureOf76By62Under16By16HasAllFour) {
    const auto counts = countBlockCases(guardOf({76, 62}, {16, 16}), {5, 4});
    ASSERT_EQ(counts.size(), 4u);
    EXPECT_EQ(counts[0], (BlockCaseCount{{}, 12, 0}));
    EXPECT_EQ(counts[1], (BlockCaseCount{{.x = true}, 3, 3 * 4 * 16}));
    EXPECT_EQ(counts[2], (BlockCaseCount{{.y = true}, 4, 4 * 2 * 16}));
    EXPECT_EQ(counts[3], (BlockCaseCount{{.x = true, .y = true}, 1, 256 - 12 * 14}));
}

TEST(BlockCase, OneThatFitsHasOnlyBlocksInside) {
    const auto counts = countBlockCases(guardOf({64, 64}, {16, 16}), {4, 4});
    ASSERT_EQ(counts.size(), 1u);
    EXPECT_EQ(counts[0], (BlockCaseCount{{}, 16, 0}));
}

TEST(BlockCase, LayersOfALineRepeatItsElements) {
    const BlockGuard guard = guardOf({100}, {32, 2});
    EXPECT_FALSE(guard.wastes({0, 0, 0}, {31, 0, 0}));
    EXPECT_TRUE(guard.wastes({0, 0, 0}, {0, 1, 0}));
    EXPECT_TRUE(guard.wastes({0, 1, 0}, {0, 0, 0}));
    EXPECT_TRUE(guard.wastes({3, 0, 0}, {4, 0, 0}));
    EXPECT_FALSE(guard.wastes({3, 0, 0}, {3, 0, 0}));
}

TEST(BlockCase, CasesWasteTogetherWhatCoverageSays) {
    std::mt19937 random(11);
    const auto upTo = [&](std::uint32_t most) {
        return 1 + static_cast<std::uint32_t>(random() % most);
    };
    for (int i = 0; i < 2000; ++i) {
        const Extents work{upTo(90), upTo(50), upTo(9)};
        const Launch launch{.grid = {upTo(12), upTo(9), upTo(4)},
                            .block = {upTo(16), upTo(8), upTo(4)}};
        const BlockGuard guard = guardOf(work, launch.block);
        std::uint64_t blocks = 0;
        std::uint64_t wasted = 0;
        for (const BlockCaseCount& count : countBlockCases(guard, launch.grid)) {
            blocks += count.blocks;
            wasted += count.wasted;
        }
        ASSERT_EQ(blocks, launch.grid.count());
        ASSERT_EQ(wasted, coverageOf(launch, work).wasted());
    }
}

TEST(BlockCase, AThreadIsWastedExactlyWhereItsPositionIsBeyondTheProblem) {
    const Extents work{10, 7, 3};
    const Extents block{4, 3, 2};
    const BlockGuard guard = guardOf(work, block);
    for (std::uint32_t x = 0; x < 20; ++x) {
        for (std::uint32_t y = 0; y < 15; ++y) {
            for (std::uint32_t z = 0; z < 6; ++z) {
                const Index3 at{x / block.x, y / block.y, z / block.z};
                const Index3 thread{x % block.x, y % block.y, z % block.z};
                ASSERT_EQ(guard.wastes(at, thread), x >= work.x || y >= work.y || z >= work.z);
            }
        }
    }
}

TEST(BlockCase, TheLargestGridIsCountedWithoutOverflow) {
    const Extents grid{2147483647u, 65535, 65535};
    const auto counts = countBlockCases(guardOf({1}, {1024}), grid);
    std::uint64_t blocks = 0;
    for (const BlockCaseCount& count : counts) blocks += count.blocks;
    EXPECT_EQ(blocks, grid.count());
    EXPECT_EQ(counts.back().wasted, UINT64_MAX);
}

}  // namespace
}  // namespace warplens
