#include "core/access/line_cost.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace warplens {
namespace {

LineCost loadOf(const std::vector<std::uint64_t>& addresses, std::uint32_t bytes) {
    return costOf(AccessKind::load, addresses, bytes);
}

void expectLoad(const LineCost& cost, std::uint64_t sectors, std::uint64_t lines,
                std::uint64_t ideal, std::uint64_t unique, std::uint64_t requested) {
    EXPECT_EQ(cost.requests, 1u);
    EXPECT_EQ(cost.sectors, sectors);
    EXPECT_EQ(cost.cacheLines, lines);
    EXPECT_EQ(cost.idealSectors, ideal);
    EXPECT_EQ(cost.uniqueBytes, unique);
    EXPECT_EQ(cost.requestedBytes, requested);
    EXPECT_EQ(cost.wavefronts, 0u);
}

LineCost sharedOf(const std::vector<std::uint64_t>& addresses, std::uint32_t bytes,
                  bool atomic = false) {
    return costOf(atomic ? AccessKind::sharedAtomic : AccessKind::sharedLoad, addresses, bytes);
}

void expectShared(const LineCost& cost, std::uint64_t wavefronts, std::uint64_t ideal) {
    EXPECT_EQ(cost.wavefronts, wavefronts);
    EXPECT_EQ(cost.idealWavefronts, ideal);
    EXPECT_EQ(cost.sectors, 0u);
}

std::vector<std::uint64_t> lanesAt(std::uint64_t base, std::uint64_t step, int lanes = 32) {
    std::vector<std::uint64_t> addresses;
    for (int lane = 0; lane < lanes; ++lane) addresses.push_back(base + step * lane);
    return addresses;
}

TEST(WarpAccess, neighbouringFloatsOnABoundaryTakeFourSectors) {
    expectLoad(loadOf(lanesAt(256, 4), 4), 4, 1, 4, 128, 128);
}

TEST(WarpAccess, oneFloatOffTheBoundaryTakesAFifthSector) {
    expectLoad(loadOf(lanesAt(260, 4), 4), 5, 2, 4, 128, 128);
}

TEST(WarpAccess, strideTwoTakesEightSectors) {
    EXPECT_EQ(loadOf(lanesAt(0, 8), 4).sectors, 8u);
}

TEST(WarpAccess, strideEightAndMoreTakesASectorForEachLane) {
    for (const std::uint64_t stride : {8, 9, 32, 1000}) {
        EXPECT_EQ(loadOf(lanesAt(0, 4 * stride), 4).sectors, 32u) << stride;
    }
}

TEST(WarpAccess, broadcastUsesItsBytesOnce) {
    expectLoad(loadOf(lanesAt(512, 0), 4), 1, 1, 1, 4, 128);
}

TEST(WarpAccess, fourFloatsALaneAreSixteenSectorsAndIdeal) {
    expectLoad(loadOf(lanesAt(0, 16), 16), 16, 4, 16, 512, 512);
}

TEST(WarpAccess, oneLaneIsOneRequest) {
    expectLoad(loadOf(lanesAt(4, 4, 1), 4), 1, 1, 1, 4, 4);
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
        const LineCost cost = loadOf(addresses, bytes);
        EXPECT_EQ(cost.sectors, sectors.size());
        EXPECT_EQ(cost.cacheLines, lines.size());
        EXPECT_EQ(cost.uniqueBytes, distinct.size() * bytes);
        EXPECT_LE(cost.uniqueBytes, cost.idealSectors * bytesPerSector);
        EXPECT_LE(cost.idealSectors, cost.sectors);
        std::ranges::shuffle(addresses, random);
        EXPECT_EQ(loadOf(addresses, bytes), cost);
    }
}

std::vector<std::uint64_t> wordsApart(std::uint64_t words, int lanes = 32) {
    std::vector<std::uint64_t> addresses;
    for (int lane = 0; lane < lanes; ++lane) addresses.push_back(4 * words * lane);
    return addresses;
}

TEST(SharedAccess, neighbouringWordsTakeOneWavefront) {
    expectShared(sharedOf(wordsApart(1), 4), 1, 1);
}

TEST(SharedAccess, oneWordForAllLanesIsShared) {
    expectShared(sharedOf(wordsApart(0), 4), 1, 1);
}

TEST(SharedAccess, aStrideOfThirtyTwoWordsPutsAllLanesOnOneBank) {
    expectShared(sharedOf(wordsApart(32), 4), 32, 1);
    expectShared(sharedOf(wordsApart(33), 4), 1, 1);
}

TEST(SharedAccess, theStridesCommonFactorWithTheBanksIsTheConflict) {
    EXPECT_EQ(sharedOf(wordsApart(2), 4).wavefronts, 2u);
    EXPECT_EQ(sharedOf(wordsApart(12), 4).wavefronts, 4u);
    EXPECT_EQ(sharedOf(wordsApart(7), 4).wavefronts, 1u);
}

TEST(SharedAccess, sixteenBytesALaneNeedFourWavefrontsAndHaveNoConflict) {
    expectShared(sharedOf(wordsApart(4), 16), 4, 4);
    expectShared(sharedOf(wordsApart(2), 8), 2, 2);
}

TEST(SharedAccess, wideLoadsOfNeighboursAtOneAddressComeTwiceAsManyAtOnce) {
    std::vector<std::uint64_t> pairs(32);
    for (std::size_t lane = 0; lane < pairs.size(); ++lane) pairs[lane] = lane / 2 * 8;
    const auto wavefronts = [](AccessKind kind, std::span<const std::uint64_t> addresses,
                               std::uint32_t lanes = 0) {
        return costOf(kind, addresses, 8, lanes).wavefronts;
    };
    EXPECT_EQ(wavefronts(AccessKind::sharedLoad, pairs), 1u);
    EXPECT_EQ(wavefronts(AccessKind::sharedStore, pairs), 2u);
    // Of lanes 1 to 31 each has another neighbour than in the list.
    const std::span<const std::uint64_t> rest = std::span<const std::uint64_t>(pairs).subspan(1);
    EXPECT_EQ(wavefronts(AccessKind::sharedLoad, rest, ~1u), 1u);
    EXPECT_EQ(wavefronts(AccessKind::sharedLoad, rest), 2u);
}

/// Every step-th lane takes 8 bytes, lane t those of element t / pack.
TEST(SharedAccess, eightBytesOfSomeLanesTakeWhatAnH200Counted) {
    struct Request final {
        std::uint32_t step, pack;
        std::uint64_t load;
    };
    // Of stores the counter said 2 each time: half-warps come one after the other.
    for (const auto& [step, pack, load] : {Request{1, 1, 2},
                                           {2, 1, 2},
                                           {2, 2, 1},
                                           {4, 1, 2},
                                           {4, 2, 1},
                                           {4, 4, 1},
                                           {8, 1, 2},
                                           {8, 8, 1}}) {
        std::vector<std::uint64_t> addresses;
        std::uint32_t lanes = 0;
        for (std::uint32_t lane = 0; lane < 32; lane += step) {
            addresses.push_back(lane / pack * 8);
            lanes |= 1u << lane;
        }
        EXPECT_EQ(costOf(AccessKind::sharedLoad, addresses, 8, lanes).wavefronts, load)
            << step << ' ' << pack;
        EXPECT_EQ(costOf(AccessKind::sharedStore, addresses, 8, lanes).wavefronts, 2u)
            << step << ' ' << pack;
    }
}

TEST(SharedAccess, fewLanesMayStillConflict) {
    expectShared(sharedOf(std::vector<std::uint64_t>{0, 128}, 4), 2, 1);
}

TEST(SharedAccess, atomicsAtOneWordTakeTurnsAndSoDoThoseAtOneBank) {
    EXPECT_EQ(sharedOf(wordsApart(0), 4, true).wavefronts, 32u);
    EXPECT_EQ(sharedOf(wordsApart(8), 4, true).wavefronts, 8u);
    EXPECT_EQ(sharedOf(std::vector<std::uint64_t>{0, 0, 4, 128}, 4, true).wavefronts, 3u);
}

TEST(SharedAccess, narrowAccessesShareAWord) {
    expectShared(sharedOf(std::vector<std::uint64_t>{0, 1, 2, 3, 129}, 1), 2, 1);
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
            EXPECT_EQ(words.back().wavefront + 1, sharedOf(addresses, bytes).wavefronts);
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
