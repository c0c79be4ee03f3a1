#include "kernels/bodies/block_fibers.h"

#include <gtest/gtest.h>
#include <string>

namespace warplens {
namespace {

const auto nothing = [](std::uint32_t) {};

TEST(BlockFibers, runsAllThreadsToABarrierBeforeAnyGoesOn) {
    std::string story;
    BlockFibers block(3, [&](std::uint32_t thread) {
        story += static_cast<char>('a' + thread);
        BlockFibers::waitAtBarrier(7);
        story += static_cast<char>('A' + thread);
    });
    EXPECT_TRUE(block.advance(nothing, nothing));
    EXPECT_EQ(story, "abc");
    EXPECT_FALSE(block.advance(nothing, nothing));
    EXPECT_EQ(story, "abcABC");
}

TEST(BlockFibers, aBarrierNotReachedByAllIsReportedAndNotHung) {
    BlockFibers block(64, [&](std::uint32_t thread) {
        if (thread < 60) BlockFibers::waitAtBarrier(12);
    });
    try {
        block.advance(nothing, nothing);
        FAIL() << "not noticed";
    } catch (const BarrierMismatch& mismatch) {
        EXPECT_EQ(mismatch.thread, 0u);
        EXPECT_EQ(mismatch.line, 12u);
        EXPECT_EQ(mismatch.likewise, 60u);
        EXPECT_GE(mismatch.otherThread, 60u);
        EXPECT_EQ(mismatch.otherLine, BarrierMismatch::ended);
    }
}

TEST(BlockFibers, twoDifferentBarriersAreAMismatchToo) {
    BlockFibers block(2, [&](std::uint32_t thread) { BlockFibers::waitAtBarrier(10 + thread); });
    EXPECT_THROW(block.advance(nothing, nothing), BarrierMismatch);
}

TEST(BlockFibers, whatABodyThrowsArrivesAtTheCaller) {
    BlockFibers block(2, [](std::uint32_t thread) {
        BlockFibers::waitAtBarrier(1);
        if (thread == 1) throw std::runtime_error("fault");
    });
    EXPECT_TRUE(block.advance(nothing, nothing));
    EXPECT_THROW(block.advance(nothing, nothing), std::runtime_error);
}

TEST(BlockFibers, noBlockRunsOutsideOfIt) {
    EXPECT_FALSE(BlockFibers::waitAtBarrier(1));
}

}  // namespace
}  // namespace warplens
