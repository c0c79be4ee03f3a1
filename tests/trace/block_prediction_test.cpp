#include <gtest/gtest.h>

#include "kernels/library/predict.h"
#include "kernels/library/traced_kernel.h"
#include "tests/support/random_experiment.h"
#include "tests/support/tally_observer.h"

namespace warplens {
namespace {

BlockOptions within(std::chrono::steady_clock::duration time) {
    BlockOptions options;
    options.time = time;
    return options;
}

Index3 randomBlock(const Extents& grid, std::mt19937_64& random) {
    return blockIndexInGrid(random() % grid.count(), grid);
}

// Holds every kernel to what TracedKernel::runBlock asks of it: that no warp's accesses and
// branches follow from what another warp left in shared memory.
TEST(BlockPrediction, warpsTracedAloneAddUpToTheBlockTracedWhole) {
    std::mt19937_64 random(20261121);
    for (const Scenario& scenario : allScenarios()) {
        for (int i = 0; i < 12; ++i) {
            const Experiment e = randomExperiment(scenario, random);
            const Index3 block = randomBlock(e.launch.grid, random);
            TracedKernel traced(e);
            TallyObserver whole(traced.kernel());
            traced.runBlock(block, whole);
            const LaunchReport prediction = predictBlock(e, block, within(std::chrono::hours(1)));
            EXPECT_TRUE(prediction.exact);
            EXPECT_EQ(prediction.values, whole.take().values(kernelOf(e)))
                << e.scenario << ' ' << toLaunchSyntax(e.launch) << ' ' << sizesOf(e);
        }
    }
}

TEST(BlockPrediction, withNoTimeTracesTheFirstWarpAndSaysSo) {
    const Experiment e = initialExperiment(scenarioNamed("matadd-swapped"));
    const LaunchReport prediction = predictBlock(e, {3, 5, 0}, within({}));
    EXPECT_EQ(prediction.block->warpsTraced, 1u);
    EXPECT_EQ(prediction.block->warps, 8u);
    EXPECT_FALSE(prediction.exact);
    const Value* requests =
        findValue(prediction.values, Metric::globalLoadRequests, Source::predicted);
    ASSERT_NE(requests, nullptr);
    EXPECT_EQ(*requests->number(), 2);
}

TEST(BlockPrediction, endsWhenItIsNoLongerWanted) {
    std::stop_source stop;
    stop.request_stop();
    BlockOptions options;
    options.stop = stop.get_token();
    EXPECT_THROW(
        (void)predictBlock(initialExperiment(scenarioNamed("matadd-swapped")), {}, options),
        PredictionStopped);
}

TEST(Prediction, arraysThatStartBetweenSectorsNeedOneMoreForEachRequest) {
    Experiment e = initialExperiment(scenarioNamed("access-aligned"));
    const auto sectors = [&](std::uint32_t offset) {
        e.arrayOffset = offset;
        const LaunchReport prediction = predict(e);
        return *findValue(prediction.values, Metric::sectorsPerRequest, Source::predicted,
                          Variant::load)
                    ->number();
    };
    EXPECT_EQ(sectors(0), 4);
    EXPECT_EQ(sectors(1), 5);
    EXPECT_EQ(sectors(7), 5);
    EXPECT_EQ(sectors(8), 4);
    EXPECT_EQ(sectors(mostArrayOffset), 5);
}

}  // namespace
}  // namespace warplens
