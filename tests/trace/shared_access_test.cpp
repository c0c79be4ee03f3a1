#include "core/access/shared_access.h"

#include <bit>
#include <gtest/gtest.h>
#include <random>
#include <set>
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

TEST(SharedAccess, wideLoadsOfNeighboursAtOneAddressComeTwiceAsManyAtOnce) {
    std::vector<std::uint64_t> pairs(32);
    for (std::size_t lane = 0; lane < pairs.size(); ++lane) pairs[lane] = lane / 2 * 8;
    EXPECT_EQ(sharedCostOf(pairs, 8), (SharedCost{1, 1}));
    EXPECT_EQ(sharedCostOf(pairs, 8, SharedKind::store), (SharedCost{2, 2}));
    // Of lanes 1 to 31 each has another neighbour than in the list.
    const std::span<const std::uint64_t> rest = std::span<const std::uint64_t>(pairs).subspan(1);
    EXPECT_EQ(sharedCostOf(rest, 8, SharedKind::load, ~1u), (SharedCost{1, 1}));
    EXPECT_EQ(sharedCostOf(rest, 8), (SharedCost{2, 2}));
}

TEST(SharedAccess, fewLanesMayStillConflict) {
    EXPECT_EQ(sharedCostOf(std::vector<std::uint64_t>{0, 128}, 4), (SharedCost{2, 1}));
}

TEST(SharedAccess, atomicsAtOneWordTakeTurnsAndSoDoThoseAtOneBank) {
    EXPECT_EQ(sharedCostOf(wordsApart(0), 4, SharedKind::atomic).wavefronts, 32u);
    EXPECT_EQ(sharedCostOf(wordsApart(8), 4, SharedKind::atomic).wavefronts, 8u);
    EXPECT_EQ(
        sharedCostOf(std::vector<std::uint64_t>{0, 0, 4, 128}, 4, SharedKind::atomic).wavefronts,
        3u);
}

TEST(SharedAccess, narrowAccessesShareAWord) {
    EXPECT_EQ(sharedCostOf(std::vector<std::uint64_t>{0, 1, 2, 3, 129}, 1), (SharedCost{2, 1}));
}

TEST(BankWords, theLanesOfABankTakeTheirTurns) {
    const std::vector<BankWord> words =
        bankWordsOf(std::vector<std::uint64_t>{0, 128, 4, 0, 256}, 4);
    EXPECT_EQ(words, (std::vector<BankWord>{
                         {0, 0, 0b01001}, {1, 0, 0b00100}, {32, 1, 0b00010}, {64, 2, 0b10000}}));
}

TEST(BankWords, everyWidthHasAsManyWavefrontsAsItCosts) {
    std::mt19937 random(7);
    for (const std::uint32_t bytes : {4u, 8u, 16u}) {
        for (int round = 0; round < 500; ++round) {
            std::vector<std::uint64_t> addresses(1 + random() % 32);
            for (std::uint64_t& address : addresses) address = random() % 512 * bytes;
            const std::vector<BankWord> words = bankWordsOf(addresses, bytes);
            EXPECT_EQ(words.back().wavefront + 1, sharedCostOf(addresses, bytes).wavefronts);
            std::uint32_t lanes = 0;
            std::set<std::pair<std::uint32_t, std::uint32_t>> served;
            for (const BankWord& word : words) {
                lanes |= word.lanes;
                EXPECT_TRUE(served.insert({word.wavefront, word.bank()}).second)
                    << "a bank gives one word at a time";
            }
            EXPECT_EQ(std::popcount(lanes), static_cast<int>(addresses.size()));
        }
    }
}

}  // namespace
}  // namespace warplens
