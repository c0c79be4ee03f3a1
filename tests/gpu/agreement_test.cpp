// Prediction, compiled code and hardware counters of the same launches, side by side. With the
// environment variable WARPLENS_AGREEMENT_REPORT the comparison is also written to that file.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <map>
#include <random>
#include <sstream>

#include "core/text/format.h"
#include "kernels/library/predict.h"
#include "kernels/measure/measuring.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/gpu/known_differences.h"
#include "tests/support/increment_wavefronts.h"
#include "tests/support/random_experiment.h"

namespace warplens {
namespace {

constexpr int launchesPerScenario = 24;

std::uint64_t seed() {
    if (const char* given = std::getenv("WARPLENS_SEED")) return std::strtoull(given, nullptr, 10);
    return std::random_device{}();
}

double numberOf(const std::vector<Value>& values, Metric metric, Source source,
                const std::string& subject = "kernel") {
    const Value* value = findValue(values, metric, source, Variant::none, subject);
    return value != nullptr && value->number() != nullptr ? *value->number() : -1;
}

/// Divergent branches that the counters should see: those of the marks that are still branches in
/// the compiled code.
double divergenceLeft(const std::vector<Value>& predicted,
                      const std::vector<CompiledBranch>& compiled) {
    double divergent = 0;
    for (const CompiledBranch& mark : compiled) {
        if (mark.form != BranchForm::branch) continue;
        divergent += numberOf(predicted, Metric::divergentBranches, Source::predicted, mark.branch);
    }
    return divergent;
}

/// Of the branches that the PTX has: the others are not counted, and the report says so.
double compiledDivergence(const std::vector<Value>& predicted, const std::vector<Value>& measured,
                          const Scenario& scenario) {
    double divergent = 0;
    for (const KernelBranch& branch : kernelOf(scenario.kernel).branches) {
        const std::string name(branch.name);
        if (numberOf(measured, Metric::divergentBranches, Source::compiled, name) < 0) continue;
        divergent += numberOf(predicted, Metric::divergentBranches, Source::predicted, name);
    }
    return divergent;
}

bool isBranch(Metric metric) {
    return metric == Metric::branches || metric == Metric::divergentBranches ||
           metric == Metric::branchEfficiency;
}

bool isShared(Metric metric) {
    return metric == Metric::sharedWavefronts || metric == Metric::sharedWavefrontsPerRequest ||
           metric == Metric::bankConflicts;
}

/// The exception of tests/measure/compiled_kernel_test.cpp: merged loads, whose requests are other
/// ones than the source's.
bool sharedLoadsMerged(const Measurement& measured) {
    const Value* conflicts = findValue(measured.values, Metric::bankConflicts, Source::counted);
    return conflicts != nullptr && conflicts->number() == nullptr;
}

/// Adding 1 in shared memory became an instruction of its own
/// (tests/measure/compiled_kernel_test.cpp).
bool incrementsShared(const Measurement& measured) {
    return std::ranges::any_of(measured.notes, [](const std::string& note) {
        return note.find("ATOMS.POPC.INC") != std::string::npos;
    });
}

/// What the counters should then see.
double countedWithIncrements(Metric metric, const Experiment& e,
                             const std::vector<Value>& predicted) {
    const double requests = numberOf(predicted, Metric::sharedWavefronts, Source::predicted) -
                            numberOf(predicted, Metric::bankConflicts, Source::predicted);
    const auto wavefronts = static_cast<double>(wavefrontsWithIncrements(e));
    if (metric == Metric::sharedWavefronts) return wavefronts;
    return metric == Metric::bankConflicts ? wavefronts - requests : wavefronts / requests;
}

/// Differences found in one metric over all launches of one scenario.
struct Row {
    int launches = 0;
    int compiledDiffer = 0;
    int countedDiffer = 0;
};

/// How often each known difference showed.
class Shown final {
  public:
    /// Adds to the prediction what the cause of a known difference adds; the prediction itself
    /// where none is known, and -1 where nobody can tell.
    double expected(const Experiment& e, Metric metric, Source source, const std::string& subject,
                    double predicted) {
        const KnownDifference* known = knownDifference(e, metric, source, subject);
        if (known == nullptr) return predicted;
        const double more = known->more(e);
        times_[known] += more != 0;
        return predicted + more;
    }
    [[nodiscard]] int times(const KnownDifference& known) const {
        const auto found = times_.find(&known);
        return found == times_.end() ? 0 : found->second;
    }

  private:
    std::map<const KnownDifference*, int> times_;
};

using AgreementTest = GpuTest;

TEST_F(AgreementTest, predictionCompiledCodeAndCountersAgreeOnRandomLaunches) {
    const std::uint64_t chosen = seed();
    std::mt19937_64 random(chosen);
    const Description description = measuring().describe();
    const bool counters = description.countersAvailable;
    PredictOptions whole;
    whole.everyBlock = true;
    const std::time_t now = std::time(nullptr);
    std::ostringstream report;
    report << "Agreement of prediction, compiled code and hardware counters\n"
           << "device " << description.device->name << ", compute capability "
           << description.device->computeCapability << ", driver CUDA "
           << description.device->driver << ", Warplens " << version() << ", seed " << chosen
           << ", " << std::put_time(std::gmtime(&now), "%Y-%m-%d") << "\ncounters "
           << (counters ? "read" : "not available: " + description.countersReason) << "\n\n";

    constexpr std::array metrics{Metric::globalLoadRequests, Metric::globalStoreRequests,
                                 Metric::globalLoadSectors,  Metric::globalStoreSectors,
                                 Metric::sharedWavefronts,   Metric::sharedWavefrontsPerRequest,
                                 Metric::bankConflicts,      Metric::divergentBranches};
    int launches = 0;
    Shown shown;
    for (const Scenario& scenario : allScenarios()) {
        std::array<Row, metrics.size()> rows{};
        bool merged = false;
        bool increments = false;
        int otherValues = 0;
        int otherDiffer = 0;
        for (int i = 0; i < launchesPerScenario; ++i, ++launches) {
            const Experiment e = randomExperiment(scenario, random);
            const std::string where =
                e.scenario + ' ' + toLaunchSyntax(e.launch) + ' ' + sizesOf(e);
            const std::vector<Value> predicted = predict(e, whole).values;
            const Measurement measured =
                measuring().measure({.experiment = e}, [](const Progress&) {}, {});
            EXPECT_EQ(numberOf(measured.values, Metric::mappingMismatches, Source::counted), 0)
                << where;
            for (std::size_t m = 0; m < metrics.size(); ++m) {
                double expected = numberOf(predicted, metrics[m], Source::predicted);
                const double compiled = numberOf(measured.values, metrics[m], Source::compiled);
                const double counted = numberOf(measured.values, metrics[m], Source::counted);
                ++rows[m].launches;
                if (metrics[m] == Metric::divergentBranches) {
                    expected = compiledDivergence(predicted, measured.values, scenario);
                }
                rows[m].compiledDiffer += compiled != expected;
                EXPECT_EQ(compiled, expected) << where << ' ' << metricInfo(metrics[m]).id;
                if (!counters) continue;
                if (isShared(metrics[m]) && sharedLoadsMerged(measured)) {
                    merged = true;
                    continue;
                }
                if (metrics[m] == Metric::divergentBranches) {
                    expected = divergenceLeft(predicted, measured.compiledBranches);
                }
                if (isShared(metrics[m]) && incrementsShared(measured)) {
                    increments = true;
                    expected = countedWithIncrements(metrics[m], e, predicted);
                }
                rows[m].countedDiffer += counted != expected;
                EXPECT_EQ(counted,
                          shown.expected(e, metrics[m], Source::counted, "kernel", expected))
                    << where << ' ' << metricInfo(metrics[m]).id;
            }
            // Everything else that both predict and count, for every array and branch.
            for (const Value& value : predicted) {
                const Value* compiled = findValue(measured.values, value.metric, Source::compiled,
                                                  value.variant, value.subject);
                const bool hasNone = compiled != nullptr && compiled->number() == nullptr;
                // A branch that the compiler made a choice of values; the kernel's sum lacks it.
                if (isBranch(value.metric) && (hasNone || value.subject == "kernel")) continue;
                ++otherValues;
                const bool same = compiled != nullptr && compiled->content == value.content;
                otherDiffer += !same;
                if (value.metric == Metric::branches) {
                    EXPECT_EQ(
                        numberOf(measured.values, value.metric, Source::compiled, value.subject),
                        shown.expected(e, value.metric, Source::compiled, value.subject,
                                       *value.number()))
                        << where << ' ' << value.subject;
                    continue;
                }
                // What follows from the branches and the divergent ones.
                if (value.metric == Metric::branchEfficiency &&
                    knownDifference(e, Metric::branches, Source::compiled, value.subject)) {
                    continue;
                }
                EXPECT_TRUE(same) << where << ' ' << value.subject << ' '
                                  << metricInfo(value.metric).id;
            }
        }
        report << scenario.id << ": " << otherValues << " values predicted and compiled, "
               << otherDiffer << " differ\n";
        for (const KnownDifference& known : knownDifferences()) {
            if (known.scenario != scenario.id) continue;
            report << "  known: " << toString(known.source) << ' ' << metricInfo(known.metric).id
                   << " of " << known.subject << " in " << shown.times(known)
                   << " launches, exactly as predicted: " << known.cause << '\n';
            if (known.source == Source::counted && !counters) continue;
            EXPECT_GT(shown.times(known), 0)
                << scenario.id << ' ' << metricInfo(known.metric).id << ": no longer differs";
        }
        if (merged) {
            report << "  exception: the compiler merged this kernel's shared loads; their counters "
                      "are not compared\n";
        }
        if (increments) {
            report
                << "  adding 1 is an instruction of its own here: its counters are compared with "
                   "wavefronts that lanes at one word take together\n";
        }
        for (std::size_t m = 0; m < metrics.size(); ++m) {
            report << "  " << metricInfo(metrics[m]).id << ": " << rows[m].launches
                   << " launches, compiled differs in " << rows[m].compiledDiffer
                   << ", counted differs in "
                   << (counters ? std::to_string(rows[m].countedDiffer) : "-") << '\n';
        }
    }
    report << '\n' << launches << " launches\n";
    std::cout << report.str();
    if (const char* path = std::getenv("WARPLENS_AGREEMENT_REPORT")) {
        std::ofstream(path) << report.str();
    }
}

}  // namespace
}  // namespace warplens
