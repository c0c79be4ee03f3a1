#include <gtest/gtest.h>

#include "core/launch/mapping.h"

namespace warplens {
namespace {

TEST(Coverage, CountsThreadsWithoutAnElement) {
    const Extents work{1000, 1000};
    const Launch launch{.grid = coveringGrid(work, {16, 16}), .block = {16, 16}};
    EXPECT_EQ(launch.grid, (Extents{63, 63}));
    const Coverage coverage = coverageOf(launch, work);
    EXPECT_EQ(coverage.launched, 1008u * 1008u);
    EXPECT_EQ(coverage.useful, 1000000u);
    EXPECT_EQ(coverage.wasted(), 16064u);
    EXPECT_EQ(coverage.missed, 0u);
}

TEST(Coverage, CoversAPictureOf76By62With5By4Blocks) {
    EXPECT_EQ(coveringGrid({76, 62}, {16, 16}), (Extents{5, 4}));
}

TEST(Coverage, CountsElementsNoThreadReaches) {
    const Coverage coverage = coverageOf({.grid = {2}, .block = {32}}, {100});
    EXPECT_EQ(coverage, (Coverage{.launched = 64, .useful = 64, .missed = 36}));
}

TEST(Coverage, CountsLayersBeyondTheProblemAsWasted) {
    const Coverage coverage = coverageOf({.grid = {1, 1, 3}, .block = {4, 4}}, {4, 4});
    EXPECT_EQ(coverage, (Coverage{.launched = 48, .useful = 16, .missed = 0}));
}

TEST(Coverage, LosesNothingAtTheLargestSizes) {
    const Extents work{2147483647u, 65535u, 1};
    const Coverage coverage =
        coverageOf({.grid = coveringGrid(work, {1024}), .block = {1024}}, work);
    EXPECT_EQ(coverage.useful, work.count());
    EXPECT_EQ(coverage.missed, 0u);
    const Extents beyond{UINT32_MAX, UINT32_MAX, 4};  // 2^66 elements
    EXPECT_EQ(coverageOf({.grid = coveringGrid(beyond, {1024}), .block = {1024}}, beyond),
              (Coverage{.launched = UINT64_MAX, .useful = UINT64_MAX, .missed = 0}));
}

}  // namespace
}  // namespace warplens
