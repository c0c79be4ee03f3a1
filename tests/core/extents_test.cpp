#include <gtest/gtest.h>

#include "core/launch/launch.h"

namespace warplens {
namespace {

Extents parsed(std::string_view text) {
    const auto result = parseExtents("grid", text);
    EXPECT_TRUE(std::holds_alternative<Extents>(result)) << text;
    return std::holds_alternative<Extents>(result) ? std::get<Extents>(result) : Extents{9, 9, 9};
}

TEST(ParseExtents, FillsMissingExtentsWithOne) {
    EXPECT_EQ(parsed("16"), (Extents{16, 1, 1}));
    EXPECT_EQ(parsed("16,8"), (Extents{16, 8, 1}));
    EXPECT_EQ(parsed("5,7,3"), (Extents{5, 7, 3}));
}

TEST(ParseExtents, TakesCommasAndCrossesAlike) {
    EXPECT_EQ(parsed("16x8x2"), (Extents{16, 8, 2}));
    EXPECT_EQ(parsed("16x8,2"), (Extents{16, 8, 2}));
}

TEST(ParseExtents, ReadsZeroAndTheLargestNumber) {
    EXPECT_EQ(parsed("0"), (Extents{0, 1, 1}));
    EXPECT_EQ(parsed("4294967295"), (Extents{4294967295u, 1, 1}));
}

class Malformed : public testing::TestWithParam<const char*> {};

TEST_P(Malformed, ExtentsAreRefusedWithNameAndText) {
    const auto result = parseExtents("block", GetParam());
    ASSERT_TRUE(std::holds_alternative<LimitViolation>(result));
    const LimitViolation& violation = std::get<LimitViolation>(result);
    EXPECT_EQ(violation.name, "block");
    EXPECT_EQ(violation.value, "'" + std::string(GetParam()) + "'");
    EXPECT_FALSE(violation.limit.empty());
}

INSTANTIATE_TEST_SUITE_P(ParseExtents, Malformed,
                         testing::Values("", " ", "a", "1,", ",1", "1,,2", "x", "1x", "-1", "+1",
                                         " 1", "1 ", "1, 2", "1.5", "1e3", "1,2,3,4", "1;2",
                                         "4294967296", "99999999999999999999999", "1,-2"));

TEST(ExtentsText, LeavesTrailingOnesOut) {
    EXPECT_EQ(toString(Extents{1}), "1");
    EXPECT_EQ(toString(Extents{16, 16}), "16,16");
    EXPECT_EQ(toString(Extents{5, 7, 3}), "5,7,3");
    EXPECT_EQ(toString(Extents{1, 1, 64}), "1,1,64");
}

TEST(ExtentsText, ReadsBackAsItWasWritten) {
    for (const Extents extents : {Extents{1}, Extents{7, 5}, Extents{1, 1, 64}, Extents{3, 1, 2}}) {
        EXPECT_EQ(parsed(toString(extents)), extents);
    }
}

}  // namespace
}  // namespace warplens
