#include "core/sweep/sweep.h"

#include <gtest/gtest.h>

#include "core/sweep/quantity.h"
#include "tests/support/refusal.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

Axis axisFrom(const std::string& text) {
    return std::get<Axis>(parseAxis("--over", text));
}

SweepPlan planOver(const std::string& scenario, const std::string& axis) {
    return planOf(initialExperiment(scenarioNamed(scenario)), true, axisFrom(axis));
}

std::string refusalOfPlan(const std::string& scenario, const std::string& axis) {
    return tests::refusal<InvalidRequest>([&] { (void)planOver(scenario, axis); });
}

Sweep strides(const std::string& range = "stride=1..4") {
    return sweepOf(planOver("access-stride", range));
}

TEST(SweepPlan, SetsTheArgumentAndWhatFollowsFromIt) {
    const std::vector<Experiment> tiles = experimentsOf(planOver("matmul-tiled", "tile=8,16,32"));
    ASSERT_EQ(tiles.size(), 3u);
    for (const Experiment& experiment : tiles) {
        const auto tile = static_cast<std::uint32_t>(experiment.arguments.at("tile"));
        EXPECT_EQ(experiment.launch.block, (Extents{tile, tile}));
        EXPECT_EQ(experiment.launch.grid, (Extents{512 / tile, 512 / tile}));
    }
    const auto dynamic = experimentsOf(planOver("shared-dynamic", "tile=8..32:x2"));
    EXPECT_EQ(dynamic.back().launch.dynamicSharedBytes, 2u * 4 * 32 * 32);
    const auto sums = experimentsOf(planOver("matadd-coalesced", "n=16..64:x2"));
    EXPECT_EQ(sums.back().launch.grid, (Extents{4, 4}));
}

TEST(SweepPlan, LeavesAGridGivenByHandAsItIs) {
    Experiment experiment = initialExperiment(scenarioNamed("matadd-coalesced"));
    experiment.launch.grid = {3, 5};
    for (const Experiment& point : experimentsOf(planOf(experiment, false, axisFrom("block=64")))) {
        EXPECT_EQ(point.launch.grid, (Extents{3, 5}));
    }
}

TEST(SweepPlan, IsTheSameWhereverOnTheAxisItStarts) {
    Experiment experiment = initialExperiment(scenarioNamed("access-stride"));
    const SweepPlan plan = planOf(experiment, true, axisFrom("stride=1..8"));
    experiment.arguments.set("stride", 5);
    EXPECT_EQ(planOf(experiment, true, axisFrom("stride=1..8")), plan);
    experiment.arguments.set("n", 1000);
    EXPECT_NE(planOf(experiment, true, axisFrom("stride=1..8")), plan);
}

TEST(SweepPlan, VariesTheArrayOffset) {
    const auto points = experimentsOf(planOver("access-aligned", "array-offset=0..63"));
    EXPECT_EQ(points.back().arrayOffset, 63u);
    EXPECT_EQ(refusalOfPlan("access-aligned", "array-offset=60..64"),
              "array offset = 64: from 0 to 63 elements");
    EXPECT_EQ(refusalOfPlan("access-aligned", "array-offset=-1..3"),
              "array offset = -1: from 0 to 63 elements");
}

TEST(SweepPlan, VariesTheBlocksOfTheGrid) {
    const SweepPlan plan = planOver("latency-hiding", "grid=132..1056:x2");
    EXPECT_FALSE(plan.gridCovers);
    const auto points = experimentsOf(plan);
    ASSERT_EQ(points.size(), 4u);
    EXPECT_EQ(points.back().launch.grid, (Extents{1056}));
    EXPECT_EQ(refusalOfPlan("latency-hiding", "grid=0..2"), "grid x = 0: from 1 to 2147483647");
    // A grid that usually covers the problem is varied all the same.
    EXPECT_EQ(experimentsOf(planOver("access-stride", "grid=1..3")).back().launch.grid,
              (Extents{3}));
}

TEST(SweepPlan, VariesTheThreadsOfTheBlockAlongX) {
    const auto points = experimentsOf(planOver("access-stride", "block.x=32..1024:x2"));
    ASSERT_EQ(points.size(), 6u);
    EXPECT_EQ(points.back().launch.block, (Extents{1024}));
    EXPECT_EQ(points.back().launch.grid, (Extents{(1 << 24) / 1024})) << "covers the problem";
    EXPECT_EQ(refusalOfPlan("access-stride", "block.x=1..1025:x1025"),
              "block x = 1025: from 1 to 1024");
    EXPECT_EQ(refusalOfPlan("matadd-coalesced", "block.x=64..128"),
              "threads per block = 65,16 = 1040: at most 1024");
}

TEST(SweepPlan, RefusesWhatTheKernelHasNotOrCannotRun) {
    EXPECT_EQ(refusalOfPlan("access-stride", "k=1..3"), "k = 1: this kernel has only n stride");
    EXPECT_EQ(refusalOfPlan("access-stride", "stride=0..3"), "stride = 0: at least 1");
    EXPECT_EQ(refusalOfPlan("matmul-tiled", "tile=8..32:8"), "tile = 24: 8, 16 or 32");
    EXPECT_EQ(refusalOfPlan("warp-grouping", "n=1..3"),
              "n = 1: this kernel has no problem size to set");
}

TEST(SweepPlan, LeavesOutShapesThatNoDeviceLaunches) {
    const auto deep = experimentsOf(planOver("warp-grouping", "block=256:z"));
    EXPECT_EQ(deep.size(), 45u - 3);  // z = 128 twice and z = 256 are beyond 64
    for (const Experiment& experiment : deep) EXPECT_LE(experiment.launch.block.z, 64u);
    EXPECT_EQ(experimentsOf(planOver("matadd-coalesced", "block=256")).size(), 9u);
    EXPECT_EQ(experimentsOf(planOver("matadd-coalesced", "block=1024")).size(), 11u);
}

TEST(SweepPlan, LeavesOutShapesThatTheKernelDoesNotRunWith) {
    const auto sums = experimentsOf(planOver("reduce-sequential", "block=256"));
    ASSERT_EQ(sums.size(), 1u);
    EXPECT_EQ(sums[0].launch.block, (Extents{256}));
    const auto tiles = experimentsOf(planOver("matmul-tiled", "block=256"));
    ASSERT_EQ(tiles.size(), 1u);
    EXPECT_EQ(tiles[0].launch.block, (Extents{16, 16}));
    EXPECT_EQ(refusalOfPlan("matmul-tiled", "block=512").substr(0, 14), "block = 1,512:");
}

TEST(Sweep, GoesOnAtTheFirstPointOfWhichNothingIsKnown) {
    Sweep sweep = strides();
    EXPECT_EQ(sweep.nextToMeasure(), 0u);
    sweep.points[0].measured = tests::scriptedMeasurement(sweep.points[0].experiment);
    sweep.points[2].measured = tests::scriptedMeasurement(sweep.points[2].experiment);
    EXPECT_EQ(sweep.nextToMeasure(), 1u);
    EXPECT_EQ(sweep.measuredCount(), 2u);
    sweep.points[1].measured = Failure{FailureKind::wrongResult, "differs"};
    EXPECT_EQ(sweep.nextToMeasure(), 3u);
    EXPECT_EQ(sweep.failedCount(), 1u);
    forgetFailures(sweep);
    EXPECT_EQ(sweep.nextToMeasure(), 1u);
}

TEST(Sweep, TakesMeasurementsOfOneDeviceOnly) {
    Sweep sweep = strides();
    Measurement measurement = tests::scriptedMeasurement(sweep.points[0].experiment);
    EXPECT_EQ(incompatibilityReason(sweep, measurement), "");
    sweep.points[0].measured = measurement;
    measurement.device.name = "another";
    EXPECT_EQ(incompatibilityReason(sweep, measurement),
              "the points so far were measured on scripted worker, this one on another: two "
              "devices make no one curve");
}

TEST(Sweep, IsFilledFromTheDeviceThatHasMostOfItsPoints) {
    Sweep sweep = strides();
    std::vector<Measurement> recorded;
    for (const std::size_t point : {0u, 1u, 3u}) {
        recorded.push_back(tests::scriptedMeasurement(sweep.points[point].experiment));
        recorded.back().device.name = point == 0 ? "one" : "two";
    }
    recorded.push_back(
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matmul-global"))));
    std::vector<const Measurement*> all;
    for (const Measurement& measurement : recorded) all.push_back(&measurement);
    fillFrom(sweep, all);
    EXPECT_EQ(sweep.measuredCount(), 2u);
    EXPECT_EQ(sweep.points[0].measurement(), nullptr);
    EXPECT_EQ(sweep.points[3].measurement()->device.name, "two");

    Sweep own = strides();
    Measurement onOne = tests::scriptedMeasurement(own.points[2].experiment);
    onOne.device.name = "one";
    own.points[2].measured = std::move(onOne);
    fillFrom(own, all);
    EXPECT_EQ(own.measuredCount(), 2u);
    EXPECT_EQ(own.points[0].measurement()->device.name, "one");
}

// --- what is plotted -----------------------------------------------------------------------------

PredictedPoint predictedCopy(double loadSectors, double storeSectors, double bytes) {
    const auto value = [](Metric metric, double number, Variant variant = Variant::none) {
        return Value{metric, "kernel", Source::predicted, variant, number};
    };
    return {true,
            1,
            1,
            {value(Metric::globalLoadSectors, loadSectors),
             value(Metric::globalStoreSectors, storeSectors),
             value(Metric::sectorsPerRequest, loadSectors / 100, Variant::load),
             value(Metric::requestedBytesPerSector, bytes / (loadSectors + storeSectors))}};
}

const Series* seriesFrom(const std::vector<Series>& all, Source source, bool model) {
    for (const Series& series : all) {
        if (series.source == source && series.model == model) return &series;
    }
    return nullptr;
}

TEST(SweepQuantities, HaveTheirNumbersBySource) {
    Sweep sweep = strides();
    sweep.points[1].measured = tests::scriptedMeasurement(sweep.points[1].experiment);
    const auto times = seriesOf(sweep, *findQuantity("time"));
    ASSERT_EQ(times.size(), 1u);
    EXPECT_EQ(times[0].source, Source::timed);
    ASSERT_EQ(times[0].readings.size(), 1u);
    EXPECT_EQ(times[0].readings[0].point, 1u);
    EXPECT_DOUBLE_EQ(times[0].readings[0].number, 0.001);
    EXPECT_DOUBLE_EQ(times[0].readings[0].low, 0.0009);
    EXPECT_DOUBLE_EQ(times[0].readings[0].high, 0.0012);
    const auto rates = seriesOf(sweep, *findQuantity("effective_bandwidth"));
    EXPECT_DOUBLE_EQ(rates[0].readings[0].high, 5e8 / 0.9);
    EXPECT_DOUBLE_EQ(rates[0].readings[0].low, 5e8 / 1.2);
    // Said to be unavailable: no number.
    EXPECT_TRUE(seriesOf(sweep, *findQuantity("dram_bandwidth")).empty());
}

TEST(SweepQuantities, ModelEverySectorOnceAtTheCopyRate) {
    Sweep sweep = strides();
    const double bytes = 8.0 * (1 << 24);  // one read and one write of each of the n values
    sweep.points[0].predicted = predictedCopy(bytes / 64, bytes / 64, bytes);
    sweep.points[1].predicted = predictedCopy(bytes / 32, bytes / 64, bytes);
    const Quantity rate = *findQuantity("effective_bandwidth");
    EXPECT_TRUE(seriesOf(sweep, rate).empty()) << "no device, no copy rate";
    sweep.points[3].measured = tests::scriptedMeasurement(sweep.points[3].experiment);
    const auto all = seriesOf(sweep, rate);
    const Series* const model = seriesFrom(all, Source::predicted, true);
    ASSERT_NE(model, nullptr);
    ASSERT_EQ(model->readings.size(), 2u);
    EXPECT_NEAR(model->readings[0].number, 1e9, 1);
    EXPECT_NEAR(model->readings[1].number, 1e9 / 1.5, 1);
    const Series* const times =
        seriesFrom(seriesOf(sweep, *findQuantity("time")), Source::predicted, true);
    EXPECT_NE(times, nullptr);
}

TEST(SweepQuantities, HaveNoModelWhereBytesAreAskedForAgain) {
    Sweep sweep = strides();
    const double bytes = 8.0 * (1 << 24);
    sweep.points[0].predicted = predictedCopy(bytes / 8, bytes / 64, 4 * bytes);
    sweep.points[1].measured = tests::scriptedMeasurement(sweep.points[1].experiment);
    EXPECT_EQ(
        seriesFrom(seriesOf(sweep, *findQuantity("effective_bandwidth")), Source::predicted, true),
        nullptr);
}

TEST(SweepQuantities, ThatTellAreACauseThatVariesAndItsEffect) {
    Sweep sweep = strides();
    EXPECT_TRUE(tellingQuantities(sweep).empty());
    const double bytes = 8.0 * (1 << 24);
    for (std::size_t i = 0; i < 4; ++i) {
        const double more = static_cast<double>(i + 1);
        sweep.points[i].predicted = predictedCopy(bytes / 64 * more, bytes / 64, bytes);
    }
    const auto predicted = tellingQuantities(sweep);
    ASSERT_EQ(predicted.size(), 1u);
    EXPECT_EQ(predicted[0].id, "sectors_per_load_request");
    sweep.points[3].measured = tests::scriptedMeasurement(sweep.points[3].experiment);
    const auto both = tellingQuantities(sweep);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0].id, "sectors_per_load_request");
    EXPECT_EQ(both[1].id, "effective_bandwidth");
}

}  // namespace
}  // namespace warplens
