#include "core/trace/axis_runs.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace warplens::trace {
namespace {

using Runs = std::vector<AxisRun>;

TEST(AxisRuns, blocksAllAlikeAreOneRun) {
    EXPECT_EQ(runsAlong(1, 8, {}, [](std::uint32_t) { return 7; }), (Runs{{0, 1, 1}}));
    EXPECT_EQ(runsAlong(2147483647u, 8, {}, [](std::uint32_t) { return 7; }),
              (Runs{{0, 2147483647u, 1}}));
}

TEST(AxisRuns, endWhereLanesDropOutWithoutLookingAtEveryBlock) {
    std::uint64_t looks = 0;
    const auto runs = runsAlong(8000000, 8, {}, [&](std::uint32_t x) {
        ++looks;
        return x < 390 ? 1 : x == 390 ? 2 : 3;
    });
    EXPECT_EQ(runs, (Runs{{0, 390, 1}, {390, 1, 1}, {391, 7999609, 1}}));
    EXPECT_LT(looks, 200u);
}

TEST(AxisRuns, findPeriodsWithinTheWindowOnly) {
    const auto kindAt = [](std::uint32_t x) { return x % 64 < 30 ? 1 : 2 + x % 64; };
    EXPECT_EQ(runsAlong(100000, 8, {}, kindAt), std::nullopt);
    EXPECT_EQ(runsAlong(100000, 32, {}, kindAt), std::nullopt);
    EXPECT_EQ(runsAlong(100000, 128, {}, kindAt), (Runs{{0, 100000, 64}}));
}

TEST(AxisRuns, refuseWhatRepeatsNothing) {
    EXPECT_EQ(runsAlong(100000, 128, {}, [](std::uint32_t x) { return x; }), std::nullopt);
}

TEST(AxisRuns, areCutAtASuspectThatIsOfAnotherKind) {
    const auto kindAt = [](std::uint32_t x) { return x == 123456 ? 1 : 0; };
    EXPECT_EQ(runsAlong(1000000, 8, {}, kindAt), (Runs{{0, 1000000, 1}}));
    const std::uint32_t suspect[] = {123456};
    EXPECT_EQ(runsAlong(1000000, 8, suspect, kindAt),
              (Runs{{0, 123456, 1}, {123456, 1, 1}, {123457, 876543, 1}}));
}

TEST(AxisRuns, commonOnesAreAlikeInBoth) {
    EXPECT_EQ(commonRuns({{0, 10, 2}, {10, 90, 1}}, {{0, 100, 3}}),
              (Runs{{0, 10, 6}, {10, 90, 3}}));
}

TEST(AxisRuns, partsHoldEachBlockOnce) {
    const std::vector<AxisPart> parts = partsOf({{0, 10, 4}, {10, 1, 1}, {11, 5, 8}});
    for (std::uint32_t x = 0; x < 16; ++x) {
        EXPECT_EQ(std::ranges::count_if(parts, [&](const AxisPart& p) { return p.holds(x); }), 1)
            << x;
    }
    EXPECT_EQ(parts[1], (AxisPart{1, 4, 3}));
}

}  // namespace
}  // namespace warplens::trace
