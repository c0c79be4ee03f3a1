#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "kernels/library/predict.h"
#include "kernels/library/traced_kernel.h"
#include "tests/support/random_experiment.h"
#include "tests/support/refusal.h"
#include "tests/support/tally_observer.h"
#include "tests/trace/reference.h"

namespace warplens {
namespace {

Experiment experimentOf(const char* scenario, Extents block, Arguments set = {}) {
    return complete({.scenario = scenario, .grid = {}, .block = block, .set = std::move(set)});
}

double valueOf(const LaunchReport& prediction, Metric metric, Variant variant = Variant::none,
               const char* subject = "kernel") {
    const Value* value = findValue(prediction.values, metric, Source::predicted, variant, subject);
    return value != nullptr && value->number() != nullptr ? *value->number() : -1;
}

class Nothing final : public trace::WarpObserver {
    void onRequest(const trace::WarpRequest&) override {}
    void onBranch(const trace::WarpBranch&) override {}
};

TEST(Prediction, matrixAddOf16x16BlocksNeedsFourSectorsAndSwappedSixteen) {
    for (const auto& [scenario, sectors] :
         {std::pair("matadd-coalesced", 4.0), std::pair("matadd-swapped", 16.0)}) {
        const LaunchReport p = predict(experimentOf(scenario, {16, 16, 1}, {{"n", 512}}));
        EXPECT_TRUE(p.exact);
        EXPECT_EQ(valueOf(p, Metric::sectorsPerRequest, Variant::load), sectors);
        EXPECT_EQ(valueOf(p, Metric::sectorsPerRequest, Variant::store), sectors);
        EXPECT_EQ(valueOf(p, Metric::globalLoadRequests), 16384);
        EXPECT_EQ(valueOf(p, Metric::globalLoadRequests, Variant::none, "a"), 8192);
    }
}

TEST(Prediction, aRequestUsesWhatItsActiveLanesAskFor) {
    for (const auto& [scenario, n, bytes] :
         {std::tuple("access-aligned", 1024, 128.0), std::tuple("access-float4", 256, 512.0),
          std::tuple("access-aligned", 16, 64.0)}) {
        const LaunchReport p = predict(experimentOf(scenario, {32, 1, 1}, {{"n", n}}));
        EXPECT_EQ(valueOf(p, Metric::usedBytesPerRequest, Variant::load), bytes);
        EXPECT_EQ(valueOf(p, Metric::usedBytesPerRequest, Variant::store, "out"), bytes);
    }
}

// Counted on an H200 for the same launch: 2,256,000,000 requests in both, 5,628,000,000 sectors
// against 37,128,000,000.
TEST(Prediction, largeProductEqualsTheHardwareCounters) {
    const LaunchReport good = predict(experimentOf("matmul-coalesced", {32, 32, 1}));
    const LaunchReport bad = predict(experimentOf("matmul-swapped", {32, 32, 1}));
    EXPECT_TRUE(good.exact);
    EXPECT_EQ(good.kinds, 4u);
    EXPECT_LT(good.blocksTraced, good.blocks / 10);
    EXPECT_EQ(valueOf(good, Metric::globalLoadRequests), 2256000000.0);
    EXPECT_EQ(valueOf(bad, Metric::globalLoadRequests), 2256000000.0);
    EXPECT_EQ(valueOf(good, Metric::globalLoadSectors), 5628000000.0);
    EXPECT_EQ(valueOf(bad, Metric::globalLoadSectors), 37128000000.0);
}

TEST(Prediction, branchDivergesInEveryWarpWithOddAndEvenThreads) {
    const LaunchReport mixed = predict(experimentOf("branch-odd-even", {64, 1, 1}, {{"n", 6400}}));
    EXPECT_EQ(valueOf(mixed, Metric::divergentBranches, Variant::none, "even"), 200);
    const LaunchReport whole = predict(experimentOf("branch-by-warp", {64, 1, 1}, {{"n", 6400}}));
    EXPECT_EQ(valueOf(whole, Metric::divergentBranches, Variant::none, "even_warp"), 0);
}

TEST(Prediction, aConditionOfTwoPartsIsOneBranch) {
    const LaunchReport p = predict(experimentOf("matmul-tiled", {16, 16, 1}, {{"n", 512}}));
    // 8,192 warps, 32 tiles.
    EXPECT_EQ(valueOf(p, Metric::branches, Variant::none, "inside_a"), 8192 * 32);
    EXPECT_EQ(valueOf(p, Metric::branches, Variant::none, "inside"), 8192);
}

TEST(Prediction, longArmsDivergeForEveryShiftBelowFive) {
    for (std::int64_t shift = 0; shift <= 5; ++shift) {
        const LaunchReport p = predict(experimentOf(
            "branch-long-arms", {256, 1, 1}, {{"n", 4096}, {"shift", shift}, {"repeats", 2}}));
        EXPECT_EQ(valueOf(p, Metric::divergentBranches, Variant::none, "odd"), shift < 5 ? 128 : 0);
    }
}

TEST(Prediction, guardDivergesOnlyInTheWarpThatStraddlesTheEnd) {
    const LaunchReport p = predict(experimentOf("access-stride", {256, 1, 1}, {{"n", 1000}}));
    EXPECT_EQ(valueOf(p, Metric::divergentBranches), 1);
    EXPECT_EQ(valueOf(p, Metric::globalStoreRequests), 32);
}

TEST(Prediction, transposeWithoutPaddingPutsAWarpOnOneBank) {
    const LaunchReport plain = predict(experimentOf("shared-banks", {32, 32, 1}, {{"n", 256}}));
    const LaunchReport padded =
        predict(experimentOf("shared-banks-padded", {32, 32, 1}, {{"n", 256}}));
    // 64 blocks of 32 warps: one store in one wavefront each, one load in 32 or in one.
    EXPECT_EQ(valueOf(plain, Metric::bankConflicts), 64 * 32 * 31);
    EXPECT_EQ(valueOf(plain, Metric::sharedWavefrontsPerRequest), 16.5);
    EXPECT_EQ(valueOf(padded, Metric::bankConflicts), 0);
    EXPECT_EQ(valueOf(padded, Metric::sharedWavefrontsPerRequest, Variant::none, "tile"), 1);
}

TEST(Prediction, tilesCutGlobalLoadSectorsByTheTilesWidth) {
    const LaunchReport global = predict(experimentOf("matmul-global", {16, 16, 1}, {{"n", 128}}));
    const LaunchReport tiled = predict(experimentOf("matmul-tiled", {16, 16, 1}, {{"n", 128}}));
    EXPECT_EQ(valueOf(global, Metric::globalLoadRequests),
              16 * valueOf(tiled, Metric::globalLoadRequests));
}

TEST(Prediction, loopOfUnequalTripsKeepsTheWarpGoingUntilItsLastLane) {
    const LaunchReport p =
        predict(experimentOf("branch-loop-trips", {32, 1, 1}, {{"n", 32}, {"trips", 32}}));
    // Lane i goes round i times: 31 rounds with someone in them, 32 questions, all but the first
    // answered both ways but the last, which is unanimous.
    EXPECT_EQ(valueOf(p, Metric::globalLoadRequests), 31);
    EXPECT_EQ(valueOf(p, Metric::branches, Variant::none, "again"), 32);
    EXPECT_EQ(valueOf(p, Metric::divergentBranches, Variant::none, "again"), 31);
}

TEST(Prediction, isTheSameOnOneThreadAndOnMany) {
    const Experiment e = experimentOf("access-offset", {96, 1, 1}, {{"n", 30000}, {"offset", 3}});
    PredictOptions one;
    one.threads = 1;
    PredictOptions many;
    many.threads = 7;
    EXPECT_EQ(predict(e, one).values, predict(e, many).values);
}

TEST(Prediction, canBeStopped) {
    std::stop_source stop;
    PredictOptions options;
    options.stop = stop.get_token();
    options.progress = [&](double) { stop.request_stop(); };
    EXPECT_THROW((void)predict(experimentOf("access-stride", {256, 1, 1}), options),
                 PredictionStopped);
}

// The sums that a trace leaves out decide nothing.
TEST(TracedKernel, doesTheSameWhetherItComputesOrNot) {
    std::mt19937_64 random(20261122);
    for (const Scenario& scenario : allScenarios()) {
        const Experiment e = randomExperiment(scenario, random);
        const Kernel& kernel = kernelOf(scenario.kernel);
        TracedKernel computing(e, std::make_shared<library::ArrayMemory>(e, true));
        TracedKernel tracing(e);
        TallyObserver one(kernel);
        TallyObserver other(kernel);
        for (std::uint64_t block = 0; block < e.launch.grid.count(); ++block) {
            computing.runBlock(blockIndexInGrid(block, e.launch.grid), one);
            tracing.runBlock(blockIndexInGrid(block, e.launch.grid), other);
        }
        EXPECT_EQ(one.take().lines.sorted(), other.take().lines.sorted()) << scenario.id;
    }
}

TEST(HostResult, isWhatTheReferenceSaysForEveryScenario) {
    std::set<std::string_view> kernels;
    for (const Scenario& scenario : allScenarios()) {
        Experiment e = initialExperiment(scenario);
        for (const char* name : {"n", "rows", "inner", "cols", "width", "height", "depth"}) {
            if (e.arguments.contains(name)) e.arguments.set(name, name[0] == 'n' ? 77 : 50);
        }
        e.launch.grid = coveringGrid(e);
        const Kernel& kernel = kernelOf(scenario.kernel);
        if (!tests::referenceOf(kernel, e, 0)) continue;
        kernels.insert(kernel.name);
        const HostResult result = hostResultOf(e, UINT64_MAX);
        EXPECT_EQ(result.warps, result.warpsOfGrid) << scenario.id;
        const auto output = std::ranges::find(kernel.arrays, ArrayRole::output, &KernelArray::role);
        EXPECT_EQ(result.words.size(),
                  output->length(e.arguments, e.launch) * byteCount(output->type) / 4)
            << scenario.id;
        for (const HostWord& word : result.words) {
            const tests::Reference expected = *tests::referenceOf(kernel, e, word.place);
            const double stored = output->type == ElementType::int32
                                      ? static_cast<std::int32_t>(word.bits)
                                      : static_cast<double>(std::bit_cast<float>(word.bits));
            ASSERT_NEAR(stored, expected.value, expected.tolerance * std::abs(expected.value))
                << scenario.id << " element " << word.place;
        }
    }
    EXPECT_GE(kernels.size(), 30u);
}

TEST(HostResult, ofALargeLaunchIsOfWarpsFromTheFirstToTheLast) {
    const Experiment e = experimentOf("matadd-coalesced", {16, 16, 1}, {{"n", 512}});
    const HostResult result = hostResultOf(e, 10'000);
    EXPECT_LT(result.warps, result.warpsOfGrid);
    EXPECT_EQ(result.words.size(), 32 * result.warps);
    EXPECT_EQ(result.words.front().place, 0u);
    EXPECT_EQ(result.words.back().place, 512u * 512 - 1);
}

TEST(TracedKernel, refusesAThreadWithMoreStepsThanCanBeHeld) {
    const Experiment e = experimentOf("matmul-coalesced", {1, 1, 1},
                                      {{"rows", 1}, {"inner", 2147483647}, {"cols", 1}});
    const std::string why = tests::refusal<TraceFault>([&] { (void)predict(e); });
    EXPECT_NE(why.find("too many to trace"), std::string::npos) << why;
}

TEST(TracedKernel, namesTheAccessThatIsOutOfBounds) {
    // A launch whose last thread writes past the array: the array's length follows the launch, so
    // the trace is given another one.
    Experiment e = experimentOf("access-offset", {32, 1, 1}, {{"n", 32}});
    e.arguments.set("offset", -5);
    TracedKernel traced(e);
    Nothing nobody;
    const std::string why = tests::refusal<TraceFault>([&] { (void)traced.runBlock({}, nobody); });
    const std::string text = why;
    EXPECT_NE(text.find("copyOffset"), std::string::npos) << text;
    EXPECT_NE(text.find("in[-5]"), std::string::npos) << text;
    EXPECT_NE(text.find("thread (0,0,0)"), std::string::npos) << text;
}

}  // namespace
}  // namespace warplens
