#include "core/roofline/roofline.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/json/json.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

std::vector<Value> asking(double bytesPerSector, double loads, double stores) {
    const auto value = [](Metric metric, double number) {
        return Value{metric, "kernel", Source::predicted, Variant::none, number};
    };
    return {value(Metric::requestedBytesPerSector, bytesPerSector),
            value(Metric::globalLoadSectors, loads), value(Metric::globalStoreSectors, stores)};
}

TEST(Ceilings, BoundBelowTheRidgeByBytesAndAboveItByArithmetic) {
    const Ceilings textbook = textbookCeilings();
    EXPECT_DOUBLE_EQ(textbook.at(0.25), 50e9) << "one FLOP for each access of 4 bytes";
    EXPECT_DOUBLE_EQ(textbook.ridge(), 7.5);
    EXPECT_DOUBLE_EQ(textbook.at(7.5), 1500e9);
    EXPECT_DOUBLE_EQ(textbook.at(1000), 1500e9);
}

TEST(Ceilings, AreTheDevicesOwnWhereBothWereTimed) {
    Device device = tests::scriptedMeasurement({}).device;
    EXPECT_FALSE(ceilingsOf(device));
    device.fp32Rate = 3e10;
    const auto ceilings = ceilingsOf(device);
    ASSERT_TRUE(ceilings);
    EXPECT_EQ(ceilings->device, "scripted worker");
    EXPECT_DOUBLE_EQ(ceilings->ridge(), 30);
    device.copyRate.reset();
    EXPECT_FALSE(ceilingsOf(device));
}

TEST(RoofPoint, HasTheRatioOfOperationsToAccesses) {
    const Experiment product = initialExperiment(scenarioNamed("matmul-global"));
    const double n = 512;
    // Two values for each multiply-add, and one for each element of the product.
    const double accesses = 2 * n * n * n + n * n;
    const std::vector<Value> values = asking(32, accesses * 4 / 32 - 1000, 1000);
    const RoofPoint point = roofPointOf(product, &values, true, nullptr);
    EXPECT_DOUBLE_EQ(point.flops, 2 * n * n * n);
    EXPECT_NEAR(*point.flopsPerAccess(), 1, 1e-3);
    EXPECT_NEAR(*point.flopsPerRequestedByte(), 0.25, 1e-3);
    EXPECT_FALSE(point.flopsPerDramByte());
    EXPECT_FALSE(point.flopRate());
}

TEST(RoofPoint, TakesDramBytesAndTimeFromTheMeasurement) {
    Measurement measured =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matmul-global")));
    RoofPoint point = roofPointOf(measured.experiment, nullptr, false, &measured);
    EXPECT_FALSE(point.dramBytes) << "said to be unavailable";
    EXPECT_DOUBLE_EQ(*point.flopRate(), point.flops / 0.001);
    measured.values.push_back(
        {Metric::dramBandwidth, "kernel", Source::counted, Variant::none, 4e9});
    std::erase_if(measured.values, [](const Value& value) {
        return value.metric == Metric::dramBandwidth && value.number() == nullptr;
    });
    point = roofPointOf(measured.experiment, nullptr, false, &measured);
    EXPECT_FALSE(point.cached);
    EXPECT_DOUBLE_EQ(*point.dramBytes, 4e6);
    EXPECT_DOUBLE_EQ(*point.flopsPerDramByte(), point.flops / 4e6);
}

TEST(RoofPoint, HasNoRatioToDramWhereItsArraysStayInTheCache) {
    Measurement measured =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matmul-global")));
    for (Value& value : measured.values) {
        if (value.metric == Metric::dramBandwidth) value.content = 1e9;  // 1 MB of 3 MiB
    }
    const RoofPoint point = roofPointOf(measured.experiment, nullptr, false, &measured);
    EXPECT_TRUE(point.cached);
    EXPECT_FALSE(point.flopsPerDramByte());
}

TEST(Roofline, ComparesProductsThatCanBeRun) {
    const std::vector<Experiment> experiments = rooflineExperiments();
    EXPECT_EQ(experiments.size(), 6u);
    for (const Experiment& experiment : experiments) {
        EXPECT_TRUE(hasRoofPoint(experiment));
        EXPECT_TRUE(validateRun(experiment).empty()) << experiment.scenario;
    }
    EXPECT_FALSE(hasRoofPoint(initialExperiment(scenarioNamed("warp-grouping"))));
}

TEST(RooflineJson, NamesTheSourceOfEachNumber) {
    const Measurement measured =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matmul-global")));
    const std::vector<Value> values = asking(32, 1000, 10);
    Roofline roofline;
    roofline.points.push_back(roofPointOf(measured.experiment, &values, true, &measured));
    const auto json = nlohmann::json::parse(toJson(roofline));
    EXPECT_TRUE(json.at("ceilings").is_null());
    EXPECT_EQ(json.at("textbook").at("ridge").at("value"), 7.5);
    const auto& point = json.at("points").at(0);
    EXPECT_EQ(point.at("scenario"), "matmul-global");
    EXPECT_EQ(point.at("flops_per_access").at("source"), "predicted");
    EXPECT_EQ(point.at("flop_rate").at("source"), "timed");
    EXPECT_FALSE(point.contains("dram_bytes"));
}

}  // namespace
}  // namespace warplens
