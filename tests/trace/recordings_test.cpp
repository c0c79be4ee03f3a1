// What tracing on this machine predicts, against what GPUs counted and probed when the recordings
// were taken: agreement without a GPU.

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "app/recordings/library.h"
#include "core/library/kernel_file.h"
#include "core/measurement/worker_protocol.h"
#include "core/text/format.h"
#include "kernels/library/predict.h"
#include "tests/support/increment_wavefronts.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

/// Divergent branches that the counters should have seen: those of the marks that were still
/// branches in the compiled code.
double divergenceLeft(const LaunchReport& prediction, const Measurement& measurement) {
    double divergent = 0;
    for (const CompiledBranch& mark : measurement.compiledBranches) {
        if (mark.form != BranchForm::branch) continue;
        divergent += *findValue(prediction.values, Metric::divergentBranches, Source::predicted,
                                Variant::none, mark.branch)
                          ->number();
    }
    return divergent;
}

double predictedNumber(const LaunchReport& prediction, Metric metric,
                       Variant variant = Variant::none) {
    const Value* value = findValue(prediction.values, metric, Source::predicted, variant);
    return value != nullptr && value->number() != nullptr ? *value->number() : 0;
}
double sectorsPredicted(const LaunchReport& prediction) {
    return predictedNumber(prediction, Metric::globalLoadSectors) +
           predictedNumber(prediction, Metric::globalStoreSectors);
}
/// That loads and stores use, by what each request does.
double bytesPredicted(const LaunchReport& prediction) {
    const auto of = [&](Metric requests, Variant variant) {
        return predictedNumber(prediction, requests) *
               predictedNumber(prediction, Metric::usedBytesPerRequest, variant);
    };
    return of(Metric::globalLoadRequests, Variant::load) +
           of(Metric::globalStoreRequests, Variant::store);
}

/// docs/agreement.md, "Exceptions": what the counters count otherwise than the source says.
bool countedOtherwise(const std::string& scenario, Metric metric) {
    return metric == Metric::divergentBranches &&
           (scenario == "row-sum" || scenario == "row-sum-unrolled" ||
            scenario == "histogram-shared");
}

bool ofBranches(Metric metric) {
    return metric == Metric::branches || metric == Metric::divergentBranches ||
           metric == Metric::branchEfficiency;
}

/// Whether what the compiler made has a branch for every one that is named, and no copies of them:
/// branches are predicted by statement and probed by PTX.
bool oneBranchForEach(const Measurement& measured) {
    const std::string& scenario = measured.experiment.scenario;
    if (scenario == "latency-hiding" || scenario == "block-placement" ||
        scenario == "histogram-shared") {
        return false;
    }
    return std::ranges::none_of(measured.values, [](const Value& value) {
        return value.source == Source::compiled && value.metric == Metric::branches &&
               value.number() == nullptr;
    });
}

class RecordedAgreement : public testing::TestWithParam<std::string> {};

TEST_P(RecordedAgreement, predictionEqualsProbeAndCounters) {
    const RecordingLibrary library = recordingsWith(SOURCE_FOLDER "/assets/recordings/h100");
    ASSERT_TRUE(library.problems.empty()) << library.problems.front();
    if (std::ranges::none_of(library.recordings, [](const Recording& recording) {
            return recording.measurement.experiment.scenario == GetParam();
        })) {
        GTEST_SKIP() << GetParam() << " has no recording yet";
    }
    int compared = 0;
    for (const Recording& recording : library.recordings) {
        const Measurement& measured = recording.measurement;
        if (measured.experiment.scenario != GetParam()) continue;
        const LaunchReport prediction = predict(measured.experiment);
        ASSERT_TRUE(prediction.exact) << recording.name;
        const auto expectEqual = [&](double expected, const Value& value, const char* who) {
            ASSERT_NE(value.number(), nullptr) << recording.name;
            EXPECT_EQ(*value.number(), expected) << recording.name << ' ' << value.subject << ' '
                                                 << metricInfo(value.metric).id << ' ' << who;
            ++compared;
        };
        for (const Value& predicted : prediction.values) {
            if (predicted.number() == nullptr) continue;
            const Value* probed = findValue(measured.values, predicted.metric, Source::compiled,
                                            predicted.variant, predicted.subject);
            // Not told when they were taken; what was counted of it is compared below.
            if (predicted.metric == Metric::usedBytesPerRequest && probed == nullptr) continue;
            ASSERT_NE(probed, nullptr) << recording.name;
            if (ofBranches(predicted.metric) && !oneBranchForEach(measured)) continue;
            expectEqual(*predicted.number(), *probed, "probed");
        }
        for (const Metric metric :
             {Metric::globalLoadRequests, Metric::globalStoreRequests, Metric::globalLoadSectors,
              Metric::globalStoreSectors, Metric::sharedWavefronts}) {
            const Value* counted = findValue(measured.values, metric, Source::counted);
            const Value* conflicts =
                findValue(measured.values, Metric::bankConflicts, Source::counted);
            // Where the compiler merged shared loads the counters see other requests.
            if (metric == Metric::sharedWavefronts && conflicts->number() == nullptr) continue;
            if (countedOtherwise(GetParam(), metric)) continue;
            ASSERT_NE(counted, nullptr) << recording.name;
            if (metric == Metric::sharedWavefronts && GetParam() == "histogram-shared") {
                const std::uint64_t expected = wavefrontsWithIncrements(measured.experiment);
                expectEqual(static_cast<double>(expected), *counted, "counted");
                continue;
            }
            expectEqual(*findValue(prediction.values, metric, Source::predicted)->number(),
                        *counted, "counted");
        }
        // The counters behind it count a byte that lanes share once.
        const Value* perSector =
            findValue(measured.values, Metric::requestedBytesPerSector, Source::counted);
        if (perSector != nullptr && perSector->number() != nullptr) {
            EXPECT_NEAR(bytesPredicted(prediction) / sectorsPredicted(prediction),
                        *perSector->number(), 1e-9 * *perSector->number())
                << recording.name;
            ++compared;
        }
        const Value* divergent =
            findValue(measured.values, Metric::divergentBranches, Source::counted);
        if (countedOtherwise(GetParam(), Metric::divergentBranches)) continue;
        expectEqual(divergenceLeft(prediction, measured), *divergent, "counted");
    }
    EXPECT_GT(compared, 0) << "no recording of " << GetParam();
}

std::vector<std::string> recordedScenarios() {
    std::vector<std::string> ids;
    for (const Scenario& scenario : allScenarios()) ids.emplace_back(scenario.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Scenario, RecordedAgreement, testing::ValuesIn(recordedScenarios()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::erase(name, '-');
                             return name;
                         });

/// What real devices found must not be taken for what cannot be.
TEST(BuiltInRecordings, areBelievedAsIfTheyCameFromAWorkerNow) {
    RecordingLibrary library = recordingsWith(SOURCE_FOLDER "/assets/recordings/h100");
    addBuiltInSweeps(library);
    const std::vector<const Measurement*> all = measurementsIn(library);
    EXPECT_GT(all.size(), 400u);
    for (const Measurement* recorded : all) {
        Measurement sent = *recorded;
        sent.version = version();
        std::erase_if(sent.values, [](const Value& value) {  // added by this program
            return value.source == Source::predicted &&
                   value.metric != Metric::theoreticalOccupancy;
        });
        const auto problem = implausibility(sent, timeFromUtc(sent.takenAt).value());
        EXPECT_FALSE(problem) << sent.experiment.scenario << ": " << problem->message;
    }
}

TEST(RecordingsFolder, labelsWhatWasRecordedWithAnotherSourceOfTheKernel) {
    const tests::TemporaryFolder folder;
    Measurement measurement = builtInRecordings().recordings.front().measurement;
    const Scenario& scenario = scenarioNamed(measurement.experiment.scenario);
    const std::string label =
        "recorded with another source of this kernel than this version has; record it again";
    for (const auto& [digest, labelled] :
         {std::pair{std::string(), false},  // of format 1, which does not say
          {kernelDigest(kernelOf(scenario.kernel)), false},
          {std::string("0123456789abcdef"), true}}) {
        measurement.kernelDigest = digest;
        save(measurement, folder.path() / "one.json");
        const RecordingLibrary library = recordingsWith(folder.path());
        const std::vector<std::string>& notes = library.recordings.front().measurement.notes;
        EXPECT_EQ(std::ranges::count(notes, label), labelled ? 1 : 0) << digest;
    }
}

TEST(KernelDigest, isOfEachKernelsOwnCode) {
    std::set<std::string> digests;
    for (const Kernel& kernel : allKernels()) {
        EXPECT_EQ(kernelDigest(kernel).size(), 16u) << kernel.name;
        digests.insert(kernelDigest(kernel));
    }
    EXPECT_EQ(digests.size(), allKernels().size()) << "no two are alike";
}

}  // namespace
}  // namespace warplens
