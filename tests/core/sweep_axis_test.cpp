#include <array>
#include <gtest/gtest.h>
#include <set>

#include "core/sweep/axis.h"

namespace warplens {
namespace {

std::vector<std::int64_t> valuesOf(const std::string& text) {
    return std::get<ArgumentAxis>(std::get<Axis>(parseAxis("--over", text))).values;
}

std::string refusalOfAxis(const std::string& text) {
    const auto axis = parseAxis("--over", text);
    const auto* violation = std::get_if<LimitViolation>(&axis);
    return violation == nullptr ? "accepted" : toString(*violation);
}

TEST(Axis, ReadsRangesStepsFactorsAndLists) {
    EXPECT_EQ(valuesOf("k=1..4"), (std::vector<std::int64_t>{1, 2, 3, 4}));
    EXPECT_EQ(valuesOf("k=0..7:3"), (std::vector<std::int64_t>{0, 3, 6}));
    EXPECT_EQ(valuesOf("k=8..32:x2"), (std::vector<std::int64_t>{8, 16, 32}));
    EXPECT_EQ(valuesOf("k=8,16,24"), (std::vector<std::int64_t>{8, 16, 24}));
    EXPECT_EQ(valuesOf("k=-2..1"), (std::vector<std::int64_t>{-2, -1, 0, 1}));
    EXPECT_EQ(valuesOf("k=5..5"), (std::vector<std::int64_t>{5}));
    EXPECT_EQ(valuesOf("stride=1..128").size(), 128u);
}

TEST(Axis, EndsAtTheLargestNumberWithoutOverflow) {
    EXPECT_EQ(valuesOf("k=9223372036854775806..9223372036854775807").size(), 2u);
    EXPECT_EQ(valuesOf("k=4611686018427387904..9223372036854775807:x2").size(), 1u);
    EXPECT_EQ(valuesOf("k=-9223372036854775808..9223372036854775807:9223372036854775807").size(),
              3u);
}

TEST(Axis, SaysWhatIsWrongWithTheValueAndTheLimit) {
    const std::string shape =
        ": name=first..last[:step] as in stride=1..128, or block=256 for its shapes";
    EXPECT_EQ(refusalOfAxis(""), "--over = ''" + shape);
    EXPECT_EQ(refusalOfAxis("stride"), "--over = 'stride'" + shape);
    EXPECT_EQ(refusalOfAxis("=1..2"), "--over = '=1..2'" + shape);
    EXPECT_EQ(refusalOfAxis("k="), "--over = 'k='" + shape);
    EXPECT_EQ(refusalOfAxis("k=1.."), "--over = 'k=1..'" + shape);
    EXPECT_EQ(refusalOfAxis("k=a..b"), "--over = 'k=a..b'" + shape);
    EXPECT_EQ(refusalOfAxis("k=1 ..2"), "--over = 'k=1 ..2'" + shape);
    EXPECT_EQ(refusalOfAxis("k=1..99999999999999999999"),
              "--over = 'k=1..99999999999999999999'" + shape);
    EXPECT_EQ(refusalOfAxis("k=1,"), "--over = 'k=1,'" + shape);
    EXPECT_EQ(refusalOfAxis("k=1:2..3"), "--over = 'k=1:2..3'" + shape);
    EXPECT_EQ(refusalOfAxis("k=2..1"), "--over = 'k=2..1': a first value of at most the last");
    EXPECT_EQ(refusalOfAxis("k=1..9:0"), "--over = 'k=1..9:0': a step of at least 1");
    EXPECT_EQ(refusalOfAxis("k=1..9:-1"), "--over = 'k=1..9:-1': a step of at least 1");
    EXPECT_EQ(refusalOfAxis("k=1..9:x1"), "--over = 'k=1..9:x1': a factor of at least 2");
    EXPECT_EQ(refusalOfAxis("k=0..9:x2"),
              "--over = 'k=0..9:x2': a first value of at least 1 for :x");
    EXPECT_EQ(refusalOfAxis("k=1..9:"),
              "--over = 'k=1..9:': a step as in :2, or a factor as in :x2");
    EXPECT_EQ(refusalOfAxis("k=1..1024"), "accepted");
    EXPECT_EQ(refusalOfAxis("k=1..1025"), "--over = 'k=1..1025': at most 1024 points");
    EXPECT_EQ(refusalOfAxis("k=2,1"), "--over = 'k=2,1': values that rise, each once");
    EXPECT_EQ(refusalOfAxis("k=1,1"), "--over = 'k=1,1': values that rise, each once");
}

TEST(Axis, QuotesOnlyTheBeginningOfALongText) {
    const std::string violation = refusalOfAxis("k=1,0" + std::string(100'000, '0'));
    EXPECT_LT(violation.size(), 250u);
    EXPECT_EQ(violation.substr(0, 20), "--over = 'k=1,000000");
    EXPECT_NE(violation.find("...': values that rise, each once"), std::string::npos) << violation;
}

TEST(Axis, SaysWhatIsWrongWithShapesOfBlocks) {
    EXPECT_EQ(refusalOfAxis("block=0"), "threads of a block = 0: from 1 to 1024");
    EXPECT_EQ(refusalOfAxis("block=1025"), "threads of a block = 1025: from 1 to 1024");
    EXPECT_EQ(refusalOfAxis("block=32..2048"), "threads of a block = 2048: from 1 to 1024");
    EXPECT_EQ(refusalOfAxis("block=16x16"),
              "--over = 'block=16x16': block=256, block=256:z or "
              "block=32..1024");
    EXPECT_EQ(refusalOfAxis("block=256:2"),
              "--over = 'block=256:2': block=256, block=256:z or "
              "block=32..1024");
    EXPECT_EQ(refusalOfAxis("block=64..32"),
              "--over = 'block=64..32': the first number of threads at most the last");
    EXPECT_EQ(refusalOfAxis("block=32..64:z"),
              "--over = 'block=32..64:z': one number of threads for :z");
    EXPECT_EQ(refusalOfAxis("block=33..63"),
              "--over = 'block=33..63': a range that holds a power of two");
}

TEST(Axis, IsWrittenAsItIsRead) {
    for (const char* text : {"stride=1..128", "k=0..6:3", "tile=8..32:x2", "k=1,2", "k=1,2,5",
                             "k=7", "k=-2..3", "k=3..12:x2", "array-offset=0..63", "block=256",
                             "block=96", "block=256:z", "block=32..1024"}) {
        EXPECT_EQ(toString(std::get<Axis>(parseAxis("--over", text))), text);
    }
    EXPECT_EQ(toString(std::get<Axis>(parseAxis("--over", "k=0..7:3"))), "k=0..6:3");
}

TEST(ShapesOfBlocks, AreAllProductsThatMakeTheThreadsEachOnce) {
    for (const std::uint32_t threads : {1u, 31u, 96u, 256u, 1024u}) {
        for (const bool deep : {false, true}) {
            const std::vector<Extents> shapes = shapesOf({threads, threads, deep});
            std::set<std::array<std::uint32_t, 3>> seen;
            for (const Extents s : shapes) {
                EXPECT_EQ(s.count(), threads);
                EXPECT_TRUE(seen.insert({s.x, s.y, s.z}).second) << toString(s);
            }
            std::size_t products = 0;
            for (std::uint32_t x = 1; x <= threads; ++x) {
                for (std::uint32_t y = 1; x * y <= threads; ++y) {
                    const bool whole = deep ? threads % (x * y) == 0 : x * y == threads;
                    products += whole ? 1 : 0;
                }
            }
            EXPECT_EQ(shapes.size(), products) << threads << (deep ? " deep" : "");
        }
    }
}

TEST(ShapesOfBlocks, OfARangeAreThoseOfItsPowersOfTwo) {
    const std::vector<Extents> shapes = shapesOf({32, 1024, false});
    EXPECT_EQ(shapes.size(), 6u + 7 + 8 + 9 + 10 + 11);
    for (const Extents s : shapes) EXPECT_EQ(s.z, 1u);
}

}  // namespace
}  // namespace warplens
