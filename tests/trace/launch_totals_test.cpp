// Adding up launches of tracers that are no kernels: where addresses follow from data, where kinds
// hide in the middle of a grid, and how it is stopped.

#include "core/trace/launch_totals.h"

#include <ctime>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

namespace warplens::trace {
namespace {

/// One warp a block that loads 32 values of 4 bytes once, the first of them at `place(block)`.
class OneLoad final : public BlockTracer {
  public:
    using Place = std::function<std::uint64_t(Index3)>;
    explicit OneLoad(Place place) : place_(std::move(place)) {}
    std::uint64_t trace(Index3 block, std::span<const ThreadRank> threads,
                        WarpObserver& observer) override {
        std::vector<std::uint64_t> addresses;
        const std::size_t lanes = threads.empty() ? 32 : threads.size();
        for (std::size_t i = 0; i < lanes; ++i) {
            const std::uint64_t lane = threads.empty() ? i : threads[i].value;
            addresses.push_back((std::uint64_t{1} << 40) + place_(block) + 4 * lane);
        }
        observer.onRequest({AccessKind::load, 0, 1, 4, ~0u, addresses});
        return lanes;
    }

  private:
    Place place_;
};

TracedLaunch launchOf(Extents grid, const OneLoad::Place& place) {
    return {.grid = grid, .block = {32, 1, 1}, .branches = {}, .tracer = [place] {
                return std::make_unique<OneLoad>(place);
            }};
}

TotalsOptions briefly() {
    TotalsOptions options;
    options.everyBlockUpTo = 0;
    options.threads = 2;
    return options;
}

std::uint64_t sectorsOf(const LaunchTotals& totals) {
    std::uint64_t sectors = 0;
    for (const LineTally& tally : totals.lines.sorted()) sectors += tally.cost.sectors;
    return sectors;
}

std::uint64_t sectorsOneByOne(Extents grid, const OneLoad::Place& place) {
    std::uint64_t sectors = 0;
    for (std::uint64_t i = 0; i < grid.count(); ++i) {
        sectors += place(blockIndexInGrid(i, grid)) % 32 == 0 ? 4 : 5;
    }
    return sectors;
}

TEST(LaunchTotals, ofAffineAddressesAreThoseOfEveryBlock) {
    const Extents grid{1001, 77, 5};
    const auto place = [](Index3 b) { return 4ull * (3 * b.x + 1000 * b.y + 77777ull * b.z); };
    const LaunchTotals totals = totalsOf(launchOf(grid, place), briefly());
    EXPECT_EQ(totals.kinds, 1u);
    EXPECT_FALSE(totals.sampled);
    EXPECT_LT(totals.blocksTraced, 400u);
    EXPECT_EQ(sectorsOf(totals), sectorsOneByOne(grid, place));
}

TEST(LaunchTotals, ofAddressesThatAreAffineInStepsAreThoseOfEveryBlock) {
    const Extents grid{10007, 30, 1};
    const auto place = [](Index3 b) { return 4ull * (b.x / 3 * 5 + b.y % 7); };
    const LaunchTotals totals = totalsOf(launchOf(grid, place), briefly());
    EXPECT_NE(totals.kinds, 0u);
    EXPECT_LT(totals.blocksTraced, 10000u);
    EXPECT_EQ(sectorsOf(totals), sectorsOneByOne(grid, place));
}

/// One that takes 3 ms of its processor's time for each load.
class SlowLoad final : public BlockTracer {
  public:
    explicit SlowLoad(OneLoad::Place place) : load_(std::move(place)) {}
    std::uint64_t trace(Index3 block, std::span<const ThreadRank> threads,
                        WarpObserver& observer) override {
        const std::clock_t end = std::clock() + 3 * CLOCKS_PER_SEC / 1000;
        while (std::clock() < end) {
        }
        return load_.trace(block, threads, observer);
    }

  private:
    OneLoad load_;
};

TEST(LaunchTotals, doNotDependOnHowFastTheHostIs) {
    const auto place = [](Index3 b) { return 128ull * b.x; };
    TracedLaunch launch = launchOf({64, 1, 1}, place);
    TotalsOptions options = briefly();
    options.timeLimit = std::chrono::milliseconds(10);
    const LaunchTotals quick = totalsOf(launch, options);
    launch.tracer = [place] { return std::make_unique<SlowLoad>(place); };
    const LaunchTotals slow = totalsOf(launch, options);
    EXPECT_EQ(quick.kinds, 1u);
    EXPECT_EQ(slow.kinds, quick.kinds);
    EXPECT_EQ(slow.blocksTraced, quick.blocksTraced);
}

// Seen from the first blocks alone the grid is of one kind.
TEST(LaunchTotals, findKindsThatOnlyLaterRowsShow) {
    const Extents grid{3000, 400, 1};
    const auto place = [](Index3 b) { return b.y < 200 ? 0ull : 4ull * (b.x / 1000); };
    const LaunchTotals totals = totalsOf(launchOf(grid, place), briefly());
    EXPECT_FALSE(totals.sampled);
    EXPECT_EQ(sectorsOf(totals), sectorsOneByOne(grid, place));
}

TEST(LaunchTotals, ofAddressesThatFollowFromDataAreThoseOfEveryBlockWhereTimeAllows) {
    const Extents grid{20000, 1, 1};
    const auto place = [](Index3 b) { return 4ull * (b.x * 2654435761u % 1000003u); };
    const LaunchTotals totals = totalsOf(launchOf(grid, place), briefly());
    EXPECT_EQ(totals.kinds, 0u);
    EXPECT_FALSE(totals.sampled);
    EXPECT_EQ(totals.blocksTraced, 20000u);
    EXPECT_EQ(sectorsOf(totals), sectorsOneByOne(grid, place));
}

TEST(LaunchTotals, ofASampleLieWithinTheirErrorAndSaySo) {
    const Extents grid{3000000, 1, 1};
    const auto place = [](Index3 b) { return 4ull * (b.x * 2654435761u % 1000003u); };
    TotalsOptions options = briefly();
    options.timeLimit = std::chrono::milliseconds(1);
    const LaunchTotals totals = totalsOf(launchOf(grid, place), options);
    EXPECT_TRUE(totals.sampled);
    EXPECT_GT(totals.errorPercent, 0);
    EXPECT_LT(totals.errorPercent, 5);
    const auto truth = static_cast<double>(sectorsOneByOne(grid, place));
    // Twice what holds 95 times out of 100 holds nearly always.
    EXPECT_NEAR(static_cast<double>(sectorsOf(totals)), truth,
                2 * totals.errorPercent / 100 * truth);
    EXPECT_EQ(totals.lines.sorted().front().cost.requests, grid.count());
}

/// Reads of array 0 in blocks 100 to 60099, all of which look alike but one; of array 1 elsewhere.
TracedLaunch launchWithData(Extents grid) {
    class DataLoad final : public BlockTracer {
        std::uint64_t trace(Index3 block, std::span<const ThreadRank> threads,
                            WarpObserver& observer) override {
            const bool data = block.x >= 100 && block.x < 60'100;
            std::vector<std::uint64_t> addresses;
            const std::size_t lanes = threads.empty() ? 32 : threads.size();
            for (std::size_t i = 0; i < lanes; ++i) {
                const std::uint64_t lane = threads.empty() ? i : threads[i].value;
                addresses.push_back(baseAddress(0) + 4 * lane * (block.x == 54'321 ? 8 : 1));
            }
            const auto array = static_cast<std::uint16_t>(data ? 0 : 1);
            observer.onRequest({AccessKind::load, array, 1, 4, ~0u, addresses});
            return lanes;
        }
    };
    return {.grid = grid,
            .block = {32, 1, 1},
            .branches = {},
            .tracer = [] { return std::make_unique<DataLoad>(); },
            .dataArrays = {0},
            .readsBlockIndex = {true, false, false}};
}

TEST(LaunchTotals, traceEveryBlockThatReadsDataAndNoOther) {
    const LaunchTotals totals = totalsOf(launchWithData({1'000'000, 10, 1}), briefly());
    EXPECT_FALSE(totals.sampled);
    EXPECT_EQ(sectorsOf(totals), 10u * (1'000'000 * 4 + 28));
    EXPECT_GE(totals.blocksTraced, 60'000u);
    EXPECT_LT(totals.blocksTraced, 62'000u);
    EXPECT_EQ(totals.kinds, 60'000u + 2);
}

TEST(LaunchTotals, areNeverSaidToBeExactWhereNotAllDataWasRead) {
    TotalsOptions options = briefly();
    options.timeLimit = std::chrono::milliseconds(30);
    const LaunchTotals totals = totalsOf(launchWithData({1'000'000, 10, 1}), options);
    EXPECT_TRUE(totals.sampled);
    EXPECT_NEAR(static_cast<double>(sectorsOf(totals)), 10 * (1'000'000 * 4 + 28), 300);
    // However alike they are, a few would tell nothing.
    EXPECT_GE(totals.blocksTraced, 1024u);
}

TEST(LaunchTotals, ofEveryBlockAreMadeWhenAsked) {
    const Extents grid{5000, 1, 1};
    const auto place = [](Index3 b) { return 4ull * b.x; };
    TotalsOptions options = briefly();
    options.everyBlock = true;
    const LaunchTotals totals = totalsOf(launchOf(grid, place), options);
    EXPECT_EQ(totals.blocksTraced, 5000u);
    EXPECT_EQ(totals.kinds, 0u);
    EXPECT_EQ(sectorsOf(totals), sectorsOneByOne(grid, place));
}

TEST(LaunchTotals, endWhenTheyAreNoLongerWanted) {
    std::stop_source stop;
    TotalsOptions options = briefly();
    options.stop = stop.get_token();
    options.everyBlock = true;
    double last = 0;
    options.progress = [&](double fraction) {
        EXPECT_GE(fraction, last);
        last = fraction;
        if (fraction > 0.1) stop.request_stop();
    };
    EXPECT_THROW(
        (void)totalsOf(launchOf({1 << 22, 1, 1}, [](Index3 b) { return 4ull * b.x; }), options),
        TraceStopped);
    EXPECT_LT(last, 0.9);
}

}  // namespace
}  // namespace warplens::trace
