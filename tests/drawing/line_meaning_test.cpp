#include "app/drawing/line_meaning.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

ProgramLine lineOf(AccessKind kind, const char* array, std::uint64_t requests,
                   std::uint64_t sectors, std::uint64_t ideal) {
    ProgramLine line{LineCost{.requests = requests, .sectors = sectors, .idealSectors = ideal}};
    line.kind = kind;
    line.array = array;
    return line;
}

const ProgramLine load = lineOf(AccessKind::load, "a", 10, 40, 40);
const ProgramLine same = lineOf(AccessKind::load, "b", 20, 80, 80);
const ProgramLine store = lineOf(AccessKind::store, "out", 10, 320, 40);

TEST(EachOf, IsOneNumberWhereAllTakeTheSame) {
    EXPECT_EQ(eachOf({store}), "32.00 of 4.00");
    EXPECT_EQ(eachOf({load, same}), "4.00 of 4.00");
    EXPECT_EQ(eachApart({store}), "");
    EXPECT_EQ(eachApart({load, same}), "");
    EXPECT_EQ(eachApart({}), "");
}

TEST(EachOf, IsNoMeanWhereTheyDiffer) {
    EXPECT_EQ(eachOf({load, store}), "4 | 32 of 4");
    EXPECT_EQ(eachApart({load, store}), "loads 4, stores 32 a request");
    const ProgramLine one = lineOf(AccessKind::load, "b", 8, 8, 8);
    const ProgramLine rows = lineOf(AccessKind::load, "a", 8, 226, 32);
    EXPECT_EQ(eachOf({rows, one}), "28.25 | 1 of 4 | 1");
    EXPECT_EQ(eachApart({rows, one}), "loads of a 28.25, loads of b 1 a request");
}

TEST(EachOfAll, IsWhatALineTakesThroughAllItsRequests) {
    EXPECT_EQ(eachOfAll({load, store}), "18.00 of 4.00");
    EXPECT_EQ(eachOfAll({load, same, store}), "11.00 of 4.00");
}

TEST(MemoryCosts, HaveTheTurnsOfAtomicsThatMeet) {
    const auto least = [](const std::string& words) { return " of " + words; };
    ProgramLine atomic = lineOf(AccessKind::atomic, "bins", 10, 10, 10);
    atomic.sameAddress = 10;
    LineCosts costs;
    costs.add(load);
    costs.add(atomic);
    EXPECT_EQ(memoryCosts(costs, least),
              (std::vector<std::string>{"50 sectors of 50", "loads 4, atomics 1 a request"}));
    atomic.sameAddress = 310;
    costs.add(atomic);
    EXPECT_EQ(costs.wastedTurns(), 300U);
    EXPECT_EQ(memoryCosts(costs, least).back(), "320 turns of 20");
}

}  // namespace
}  // namespace warplens
