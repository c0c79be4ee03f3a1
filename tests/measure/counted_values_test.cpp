#include <algorithm>
#include <gtest/gtest.h>

#include "kernels/measure/counters/range_profiler.h"

namespace warplens {
namespace {

/// Readings of a made-up kernel whose every counter is known.
CounterReadings completeReadings() {
    CounterReadings readings{.values = {}, .passes = 5, .repeats = 1};
    for (const CounterRow& row : counterTable()) readings.values[row.counter] = {64};
    return readings;
}

const Value& valueIn(const std::vector<Value>& values, Metric metric,
                     Variant variant = Variant::none) {
    const Value* found = findValue(values, metric, Source::counted, variant);
    if (found == nullptr) throw std::runtime_error("no such value");
    return *found;
}

std::string reasonOf(const Value& value) {
    return std::get<Unavailable>(value.content).reason;
}

TEST(CountedValues, areAllNumbersWhereEveryCounterIsKnown) {
    std::vector<std::string> notes;
    for (const Value& value : countedValues(completeReadings(), 1, false, false, notes)) {
        EXPECT_NE(value.number(), nullptr) << metricInfo(value.metric).id;
    }
    EXPECT_TRUE(notes.empty());
}

TEST(CountedValues, aMissingCounterIsAReasonAndNeverZero) {
    for (const CounterRow& row : counterTable()) {
        CounterReadings readings = completeReadings();
        readings.values.erase(row.counter);
        std::vector<std::string> notes;
        const std::vector<Value> values = countedValues(readings, 1, false, false, notes);
        const auto missing = std::ranges::count_if(
            values, [](const Value& value) { return value.number() == nullptr; });
        EXPECT_GE(missing, 1) << row.names.front();
        for (const Value& value : values) {
            if (value.number() == nullptr) {
                EXPECT_EQ(reasonOf(value), row.missing);
            }
        }
    }
}

TEST(CountedValues, aKernelWithoutBranchesHasNoBranchEfficiency) {
    CounterReadings readings = completeReadings();
    readings.values[Counter::branchTargets] = {0};
    readings.values[Counter::divergentBranches] = {0};
    std::vector<std::string> notes;
    const auto values = countedValues(readings, 1, false, false, notes);
    EXPECT_EQ(reasonOf(valueIn(values, Metric::branchEfficiency)), "no branches");
    EXPECT_EQ(*valueIn(values, Metric::branches).number(), 0);
}

TEST(CountedValues, repeatsThatDisagreeAreNotedAndTheMedianIsShown) {
    CounterReadings readings = completeReadings();
    readings.values[Counter::storeSectors] = {131072, 131231, 131072};
    std::vector<std::string> notes;
    const auto values = countedValues(readings, 1, false, false, notes);
    EXPECT_EQ(*valueIn(values, Metric::globalStoreSectors).number(), 131072);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find("131,072 to 131,231"), std::string::npos) << notes[0];
}

TEST(CountedValues, bytesRequestedAreNotCountedWhereLanesShareThem) {
    const std::vector<ProgramLine> compiled{ProgramLine{
        LineCost{.requests = 1, .sectors = 1, .uniqueBytes = 4, .requestedBytes = 128}}};
    std::vector<std::string> notes;
    const auto values =
        countedValues(completeReadings(), 1, haveSharedBytes(compiled), false, notes);
    EXPECT_NE(reasonOf(valueIn(values, Metric::requestedBytesPerSector)).find("share bytes"),
              std::string::npos);
    EXPECT_NE(valueIn(values, Metric::coalescingEfficiency).number(), nullptr);
}

TEST(CountedValues, bytesPerRequestAreThoseOfLoadsAndOfStores) {
    CounterReadings readings = completeReadings();
    readings.values[Counter::loadBytesUsed] = {64 * 512};
    readings.values[Counter::storeBytesUsed] = {0};
    readings.values[Counter::storeRequests] = {0};
    std::vector<std::string> notes;
    const auto values = countedValues(readings, 1, false, false, notes);
    EXPECT_EQ(*valueIn(values, Metric::usedBytesPerRequest, Variant::load).number(), 512);
    EXPECT_EQ(reasonOf(valueIn(values, Metric::usedBytesPerRequest, Variant::store)),
              "no global stores");
}

TEST(CountedValues, bankConflictsAreTheWavefrontsBeyondOneARequest) {
    CounterReadings readings = completeReadings();
    readings.values[Counter::sharedWavefronts] = {1056};
    readings.values[Counter::sharedLoadRequests] = {32};
    readings.values[Counter::sharedStoreRequests] = {32};
    readings.values[Counter::sharedAtomicRequests] = {0};
    std::vector<std::string> notes;
    const auto values = countedValues(readings, 1, false, false, notes);
    EXPECT_EQ(*valueIn(values, Metric::bankConflicts).number(), 992);
    const auto merged = countedValues(readings, 1, false, true, notes);
    EXPECT_NE(reasonOf(valueIn(merged, Metric::bankConflicts)).find("merged"), std::string::npos);
}

TEST(CountedValues, atomicsAreRequestsToSharedMemoryToo) {
    CounterReadings readings = completeReadings();
    readings.values[Counter::sharedWavefronts] = {1056};
    readings.values[Counter::sharedLoadRequests] = {32};
    readings.values[Counter::sharedStoreRequests] = {32};
    readings.values[Counter::sharedAtomicRequests] = {288};
    std::vector<std::string> notes;
    const auto values = countedValues(readings, 1, false, false, notes);
    EXPECT_EQ(*valueIn(values, Metric::bankConflicts).number(), 704);
    EXPECT_EQ(*valueIn(values, Metric::sharedWavefrontsPerRequest).number(), 3);
}

TEST(CountedValues, allMissingForOneReasonListsTheSameMetrics) {
    std::vector<std::string> notes;
    const auto present = countedValues(completeReadings(), 1, false, false, notes);
    const auto missing = countedValuesMissing("locked");
    ASSERT_EQ(present.size(), missing.size());
    for (std::size_t i = 0; i < present.size(); ++i) {
        EXPECT_EQ(present[i].metric, missing[i].metric);
        EXPECT_EQ(present[i].variant, missing[i].variant);
        EXPECT_EQ(reasonOf(missing[i]), "locked");
    }
}

}  // namespace
}  // namespace warplens
