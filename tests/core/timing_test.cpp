#include "core/measurement/timing.h"

#include <gtest/gtest.h>
#include <numeric>

#include "core/json/json.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

Timing timingOfRuns(std::vector<std::uint64_t> nanoseconds) {
    Timing timing{.cacheState = {}, .clocks = {}, .runNanoseconds = std::move(nanoseconds)};
    summarize(timing);
    return timing;
}

/// Runs of `median` ns on a clock of 32 ns, as a quiet H200 gives them.
std::vector<std::uint64_t> quietRuns(std::size_t count, std::uint64_t median) {
    std::vector<std::uint64_t> runs(count, median);
    for (std::size_t i = 0; i < count; i += 10) runs[i] = median - 32;
    for (std::size_t i = 5; i < count; i += 10) runs[i] = median + 33;
    return runs;
}

TEST(Timing, IsSummarizedByItsRuns) {
    const Timing timing = timingOfRuns({400, 100, 300, 200, 500});
    EXPECT_EQ(timing.runs, 5);
    EXPECT_DOUBLE_EQ(timing.medianSeconds, 300e-9);
    EXPECT_DOUBLE_EQ(timing.minimumSeconds, 100e-9);
    EXPECT_DOUBLE_EQ(timing.maximumSeconds, 500e-9);
    EXPECT_NEAR(timing.spreadPercent, 100 * 200.0 / 300, 1e-9);
    EXPECT_EQ(timing.runNanoseconds.front(), 400u) << "the order of the runs is kept";
    const Quartiles quartiles = quartilesOf(timing).value();
    EXPECT_DOUBLE_EQ(quartiles.lower, 200e-9);
    EXPECT_DOUBLE_EQ(quartiles.upper, 400e-9);
}

TEST(Timing, WithoutItsRunsHasNoDistribution) {
    const Timing timing{.runs = 200, .medianSeconds = 1e-6, .cacheState = {}, .clocks = {}};
    EXPECT_FALSE(quartilesOf(timing));
    EXPECT_FALSE(histogramOf(timing, 20));
    EXPECT_FALSE(noiseOf(timing));
}

TEST(Histogram, HoldsEveryRunOnce) {
    for (const std::size_t bins : {1u, 2u, 7u, 48u}) {
        const Histogram histogram = histogramOf(timingOfRuns(quietRuns(200, 1824)), bins).value();
        EXPECT_LE(histogram.counts.size(), bins);
        EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0u) +
                      histogram.slower,
                  200u);
        EXPECT_LE(histogram.from, 1792e-9);
    }
}

TEST(Histogram, HasNoBinNarrowerThanTheClocksStep) {
    const Histogram histogram = histogramOf(timingOfRuns(quietRuns(200, 1824)), 48).value();
    EXPECT_EQ(histogram.counts, (std::vector<std::uint32_t>{20, 160, 20}));
    EXPECT_NEAR(histogram.binWidth, 32e-9, 1.5e-9);
}

TEST(Histogram, TellsARunHeldUpAThousandfoldApart) {
    std::vector<std::uint64_t> runs = quietRuns(200, 1824);
    runs[17] = 1'824'000;
    const Histogram histogram = histogramOf(timingOfRuns(runs), 48).value();
    EXPECT_EQ(histogram.slower, 1u);
    EXPECT_LT(histogram.to(), 3e-6);
}

TEST(Histogram, OfOneTimeIsOneBin) {
    const Histogram histogram =
        histogramOf(timingOfRuns(std::vector<std::uint64_t>(20, 5000)), 48).value();
    EXPECT_EQ(histogram.counts, std::vector<std::uint32_t>{20});
}

TEST(Noise, IsNotSeenInAQuietRun) {
    EXPECT_EQ(noiseOf(timingOfRuns(quietRuns(200, 1824))), std::nullopt);
    // One step of the clock is a twentieth of so short a kernel, and no noise.
    EXPECT_EQ(noiseOf(timingOfRuns(quietRuns(200, 640))), std::nullopt);
}

TEST(Noise, IsSaidWhereTheMiddleHalfLiesApart) {
    std::vector<std::uint64_t> runs;
    for (std::uint64_t i = 0; i < 100; ++i) runs.push_back(1000 + 10 * (i * 37 % 100));
    EXPECT_EQ(noiseOf(timingOfRuns(runs)),
              "noisy: the middle half of the runs lies 33.1 % apart: smaller differences mean "
              "nothing");
}

TEST(Noise, IsSaidWhereTheRunsDrift) {
    std::vector<std::uint64_t> runs(100, 100'000);
    for (std::size_t i = 0; i < 30; ++i) runs[i] = 110'000;
    EXPECT_EQ(noiseOf(timingOfRuns(runs)),
              "noisy: the middle half of the runs lies 10.0 % apart: smaller differences mean "
              "nothing");
    runs.assign(100, 100'000);
    for (std::size_t i = 0; i < 24; ++i) runs[i] = 110'000;
    EXPECT_EQ(noiseOf(timingOfRuns(runs)),
              "noisy: the runs became faster by 10.0 % while they were timed: smaller differences "
              "mean nothing");
}

TEST(Noise, IsSaidWhereRunsAreHeldUp) {
    std::vector<std::uint64_t> runs = quietRuns(200, 1824);
    for (std::size_t i = 0; i < 200; i += 10) runs[i] = 9000;
    EXPECT_EQ(noiseOf(timingOfRuns(runs)), "noisy: 20 of 200 runs took over 1.5 times the median");
}

TEST(TimingJson, KeepsEveryRunAndWhatToldIt) {
    Measurement measurement =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matadd-coalesced")));
    Timing timing = timingOfRuns(quietRuns(20, 1824));
    timing.from = TimeFrom::events;
    timing.fromReason = "no CUPTI here";
    timing.cache = CacheBefore::cold;
    timing.clockState = ClockState::limited;
    measurement.timing = timing;
    EXPECT_EQ(fromJson<Measurement>(toJson(measurement)).timing, timing);
}

TEST(TimingJson, IsRefusedWhereTheRunsAreNotAsManyAsItSays) {
    Measurement measurement =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matadd-coalesced")));
    measurement.timing.runNanoseconds.assign(3, 1'000'000);
    EXPECT_THROW((void)fromJson<Measurement>(toJson(measurement)), MalformedJson);
}

}  // namespace
}  // namespace warplens
