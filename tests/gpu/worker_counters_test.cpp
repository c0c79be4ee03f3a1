// What becomes of counters that cannot be read, through the process that measures: everything else
// is measured, and the values they would give are missing with the reason.
#include <string>

#include "app/worker/worker_client.h"
#include "core/scenario/scenario.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/support/final_event.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

class WorkerCountersTest : public GpuTest {
  protected:
    /// A launch measured by the worker in this environment, which is shell text; twice, because one
    /// without counters must not cost the next.
    static Measurement measuredIn(const std::string& environment) {
        WorkerClient client({.command = environment + " '" REAL_WORKER "'", .deadline = 30s});
        Measurement measurement;
        for (int request = 0; request < 2; ++request) {
            const WorkerEvent event = tests::finalEvent(
                client, client.measure({complete({"matadd-coalesced", {}, {}, {{"n", 512}}})}),
                40s);
            const auto* answer = std::get_if<Measurement>(&event.body);
            const auto* failure = std::get_if<Failure>(&event.body);
            EXPECT_NE(answer, nullptr) << (failure != nullptr ? failure->message : "");
            if (answer != nullptr) measurement = *answer;
        }
        const WorkerEvent event = tests::finalEvent(client, client.describe());
        const auto* description = std::get_if<Description>(&event.body);
        EXPECT_NE(description, nullptr);
        if (description != nullptr) {
            EXPECT_EQ(description->countersAvailable, measurement.counting.has_value());
            EXPECT_EQ(description->countersReason, reasonOf(measurement));
        }
        return measurement;
    }
    /// Why the sectors of loads were not counted; empty where they were.
    static std::string reasonOf(const Measurement& measurement) {
        const Value* const sectors =
            findValue(measurement.values, Metric::globalLoadSectors, Source::counted);
        const auto* missing =
            sectors != nullptr ? std::get_if<Unavailable>(&sectors->content) : nullptr;
        return missing != nullptr ? missing->reason : "";
    }
    /// That nothing was counted, for one reason, and all else is there.
    static void expectOnlyCountersMissing(const Measurement& measurement) {
        EXPECT_FALSE(measurement.counting);
        EXPECT_GT(measurement.timing.medianSeconds, 0);
        EXPECT_GT(measurement.check.checked, 0u);
        const Value* const compiled =
            findValue(measurement.values, Metric::globalLoadSectors, Source::compiled);
        EXPECT_TRUE(compiled != nullptr && compiled->number() != nullptr);
        const std::variant<double, Unavailable> missing = Unavailable{reasonOf(measurement)};
        int counted = 0;
        for (const Value& value : measurement.values) {
            // The mapping is read back without counters.
            if (value.source != Source::counted || value.metric == Metric::mappingMismatches)
                continue;
            ++counted;
            EXPECT_EQ(value.content, missing) << metricInfo(value.metric).id;
        }
        EXPECT_GT(counted, 10);
    }
};

TEST_F(WorkerCountersTest, aMissingCuptiIsNamedAndAllElseMeasured) {
    const Measurement measurement =
        measuredIn("STAND_IN_MISSING=libcupti LD_PRELOAD='" WITHOUT_LIBRARY "'");
    expectOnlyCountersMissing(measurement);
    EXPECT_EQ(reasonOf(measurement),
              "libcupti.so.13 not found; install the CUDA Toolkit's CUPTI, or "
              "nvidia-cuda-cupti==13.0.* with pip, or set CUDA_PATH to the toolkit's folder");
}

#ifdef LOCKED_CUDA_PATH
TEST_F(WorkerCountersTest, lockedCountersAreNamedAndAllElseMeasured) {
    const Measurement measurement = measuredIn("CUDA_PATH='" LOCKED_CUDA_PATH "'");
    expectOnlyCountersMissing(measurement);
    EXPECT_TRUE(reasonOf(measurement)
                    .starts_with("cuptiProfilerGetCounterAvailability: this account may not read "
                                 "the GPU's counters, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35). "
                                 "Run as root, or have the administrator put"))
        << reasonOf(measurement);
}
#endif

/// Before this process holds the counters itself.
TEST_F(WorkerCountersTest, areThereWithoutAFault) {
    const Measurement measurement = measuredIn("");
    if (!measurement.counting) {
        ASSERT_NE(reasonOf(measurement), "");
        GTEST_SKIP() << "nobody can count here: " << reasonOf(measurement);
    }
    EXPECT_EQ(reasonOf(measurement), "");
}

/// Who has counted holds the counters until it ends.
TEST_F(WorkerCountersTest, thatAnotherProgramHoldsAreNamedAndAllElseMeasured) {
    const Measurement here = measuring().measure(
        {complete({"matadd-coalesced", {}, {}, {{"n", 512}}})}, [](const Progress&) {}, {});
    if (!here.counting) GTEST_SKIP() << "this process has no counters: " << reasonOf(here);
    const Measurement measurement = measuredIn("");
    expectOnlyCountersMissing(measurement);
    EXPECT_TRUE(reasonOf(measurement)
                    .starts_with("cuptiProfilerGetCounterAvailability: another program holds the "
                                 "GPU's counters, CUPTI_ERROR_HARDWARE_BUSY (26). Close Nsight"))
        << reasonOf(measurement);
}

}  // namespace
}  // namespace warplens
