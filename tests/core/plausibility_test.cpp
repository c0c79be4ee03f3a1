#include <gtest/gtest.h>

#include "core/measurement/worker_protocol.h"
#include "core/text/format.h"
#include "tests/support/faults_document.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using namespace std::chrono;

const std::string moment = "2026-11-22T09:30:00Z";

Measurement aSentMeasurement() {
    Measurement measurement =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matadd-swapped")));
    measurement.takenAt = moment;
    measurement.version = version();
    return measurement;
}

std::string problemOf(const Measurement& measurement) {
    const auto problem = implausibility(measurement, *timeFromUtc(moment));
    return problem ? problem->message : "";
}

std::string problemOf(const std::string& lie) {
    return problemOf(tests::implausible(aSentMeasurement(), lie));
}

TEST(TimeFromUtc, ReadsTheOneWayItIsWritten) {
    EXPECT_EQ(timeFromUtc("1970-01-02T00:00:01Z"), sys_seconds(days(1) + seconds(1)));
    EXPECT_EQ(timeFromUtc("2024-02-29T23:59:60Z"), timeFromUtc("2024-03-01T00:00:00Z"));
    for (const char* text :
         {"", "yesterday", "2026-11-22", "2026-11-22T09:30:00", "2026-11-22 09:30:00Z",
          "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-22T24:00:00Z",
          "2026-11-22T00:60:00Z", "2026-11-22T00:00:61Z", "-026-11-22T00:00:00Z",
          "2026-11-22T00:00:00Z ", "2026-11-2aT00:00:00Z"}) {
        EXPECT_FALSE(timeFromUtc(text)) << text;
    }
}

TEST(Implausibility, BelievesWhatMayBe) {
    EXPECT_EQ(problemOf(aSentMeasurement()), "");
    Measurement other = aSentMeasurement();
    other.values.push_back(
        {Metric::theoreticalOccupancy, "kernel", Source::predicted, Variant::none, 75.0});
    other.values.push_back(
        {Metric::laneEfficiency, "kernel", Source::counted, Variant::notPredicatedOff, 100.4});
    other.values.push_back({Metric::branches, "a", Source::counted, Variant::none, 3.0});
    other.values.push_back({Metric::divergentBranches, "b", Source::counted, Variant::none, 9.0});
    EXPECT_EQ(problemOf(other), "") << "passes of counters differ a little, subjects are apart";
    other.takenAt = "2026-11-21T09:30:00Z";
    EXPECT_EQ(problemOf(other), "") << "a clock may be a day off";
}

TEST(Implausibility, NamesTheValueAndItsLimit) {
    const std::string cannot = "the worker's result cannot be: ";
    EXPECT_EQ(problemOf("negative-requests"),
              cannot + "global_load_requests of kernel, compiled = -16384: at least 0");
    EXPECT_TRUE(tests::isDocumented(problemOf("negative-requests")));
    EXPECT_EQ(problemOf("efficiency"),
              cannot + "coalescing_efficiency of kernel, compiled = 400: at most 100");
    EXPECT_EQ(problemOf("few-sectors"),
              cannot +
                  "global_load_sectors of kernel, compiled = 7: at least 100, its "
                  "global_load_requests");
    EXPECT_EQ(problemOf("negative-time"),
              cannot +
                  "time of kernel, timed = -4.432e-06: from the minimum, 0.0009, to the "
                  "maximum, 0.0012");
    EXPECT_EQ(problemOf("predicted"), cannot +
                                          "global_store_sectors of kernel, predicted: a "
                                          "worker measures, it does not predict");
    EXPECT_EQ(problemOf("twice"), cannot + "global_load_requests of kernel, compiled: there twice");
    EXPECT_EQ(problemOf("minimum"),
              cannot + "minimum 1 s, median 0.001 s, maximum 0.0012 s: in rising order");
    EXPECT_EQ(problemOf("other-runs"), cannot + "minimum_s = 0.0009: 5e-09, as its run_ns have it");
    EXPECT_EQ(problemOf("no-runs"), cannot + "a median of 0 runs");
    EXPECT_EQ(problemOf("yesterday"),
              cannot + "taken_at = 'yesterday': a time in UTC as in 2026-11-21T09:30:00Z");
    EXPECT_EQ(problemOf("long-ago"),
              cannot +
                  "taken_at = '2000-01-01T00:00:00Z': within a day of this machine's clock; "
                  "set the clock that is wrong");
    EXPECT_EQ(problemOf("checked"), cannot + "checked = 2: at most 1, all elements");
}

TEST(Implausibility, OfEveryLieIsFound) {
    for (const std::string& lie : tests::lies()) EXPECT_NE(problemOf(lie), "") << lie;
}

TEST(Implausibility, OfAFailedCheckIsAWrongResult) {
    const auto problem =
        implausibility(tests::implausible(aSentMeasurement(), "error"), *timeFromUtc(moment));
    ASSERT_TRUE(problem);
    EXPECT_EQ(*problem, (Failure{FailureKind::wrongResult,
                                 "the kernel's result differs from the host's by 5, more than the "
                                 "tolerance, 0"}));
    EXPECT_TRUE(tests::isDocumented(problem->message));
}

TEST(Implausibility, IsFoundAtBothEndsOfEveryRange) {
    for (const MetricInfo& metric : allMetrics()) {
        EXPECT_LT(metric.range.least, metric.range.most) << metric.id;
        for (const double number : {metric.range.least * 0.9 - 1, metric.range.most * 1.1 + 1}) {
            Measurement measurement = aSentMeasurement();
            measurement.values = {
                {metric.metric, "kernel", Source::compiled, Variant::none, number}};
            EXPECT_NE(problemOf(measurement), "") << metric.id << " = " << number;
        }
    }
}

TEST(Implausibility, LooksAtNoMoreValuesThanThereCanBe) {
    Measurement measurement = aSentMeasurement();
    measurement.values.assign(20'000, measurement.values.front());
    EXPECT_EQ(problemOf(measurement), "the worker's result cannot be: 20000 values: at most 10000");
}

}  // namespace
}  // namespace warplens
