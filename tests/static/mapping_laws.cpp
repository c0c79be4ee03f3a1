// The laws judged by the compiler: that this file compiles is the test.
#include "tests/static/mapping_laws.h"

#include "core/launch/launch.h"
#include "core/launch/mapping.h"

namespace warplens::laws {
namespace {

constexpr bool allHoldForEveryBlock() {
    for (const Extents block : blocks) {
        if (!allHoldFor(block)) return false;
    }
    return true;
}
static_assert(allHoldForEveryBlock());
static_assert(blockRanksCountTheGrid({1}));
static_assert(blockRanksCountTheGrid({2, 3}));
static_assert(blockRanksCountTheGrid({5, 7, 3}));

// Worked by hand: thread (3,5,1) of a 5x7x3 block is 3 + 5*5 + 1*35 = 63, the last lane of warp 1.
static_assert(threadRankInBlock({3, 5, 1}, {5, 7, 3}).value == 63);
static_assert(warpRankInBlock({63}).value == 1 && laneIndex({63}).value == 31);
static_assert(warpCountPerBlock({33}) == 2 && idleLaneCount({33}) == 31);
static_assert(warpCountPerBlock({1024}) == 32 && idleLaneCount({1024}) == 0);

// The largest grid CUDA takes: ranks reach beyond 32 bits without loss.
constexpr Extents largestGrid = LaunchLimits{}.grid;
static_assert(largestGrid.count() == 2147483647ull * 65535 * 65535);
static_assert(blockRankInGrid({2147483646u, 65534u, 65534u}, largestGrid) ==
              largestGrid.count() - 1);
static_assert(blockIndexInGrid(largestGrid.count() - 1, largestGrid) ==
              Index3{2147483646u, 65534u, 65534u});

// Counts that no 64-bit number holds stop at the largest one instead of wrapping round.
static_assert(Extents{UINT32_MAX, UINT32_MAX, UINT32_MAX}.count() == UINT64_MAX);
static_assert(Launch{.grid = largestGrid, .block = {2}}.threadCount() == largestGrid.count() * 2);
static_assert(Launch{.grid = {UINT32_MAX, UINT32_MAX, 1}, .block = {1024}}.threadCount() ==
              UINT64_MAX);
static_assert(Extents{0, 5, 5}.count() == 0);

static_assert(coveringGrid({1000, 1000, 1}, {16, 16, 1}) == Extents{63, 63, 1});
static_assert(coveringGrid({76, 62, 1}, {16, 16, 1}) == Extents{5, 4, 1});
static_assert(coveringGrid({UINT32_MAX, 1, 1}, {1024, 1, 1}) == Extents{4194304, 1, 1});

}  // namespace
}  // namespace warplens::laws
