// How far a prediction from a sample of blocks is from tracing the same launch whole: launches of
// every scenario that are just too large to be traced whole by default, with odd sizes and random
// blocks. Usage: bench_sample_error [LAUNCHES-PER-SCENARIO] [SEED]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "core/text/format.h"
#include "kernels/bodies/predict.h"
#include "tests/support/random_experiment.h"

namespace {

using namespace warplens;

/// Grows the sizes that a launch's cost follows from until it would be sampled; nothing where it
/// stays small at its largest.
std::optional<Experiment> grown(Experiment e) {
    const Kernel& kernel = kernelOf(scenarioNamed(e.scenario).kernel);
    for (int step = 0; step < 60; ++step) {
        if (!predict(e, {.exactUpTo = 200'000'000, .threads = 0, .stop = {}, .progress = {}}).exact)
            return e;
        Experiment larger = e;
        if (kernel.work == nullptr) {
            larger.launch.grid.x = larger.launch.grid.x * 3 / 2 + 1;
        } else {
            for (const char* name : {"n", "rows", "inner", "cols", "width", "height", "depth"}) {
                if (!larger.arguments.contains(name)) continue;
                larger.arguments.set(name, larger.arguments.at(name) * 4 / 3 + 1);
            }
            larger.launch.grid = coveringGrid(larger);
        }
        if (!validateRun(larger).empty()) return std::nullopt;
        e = larger;
    }
    return std::nullopt;
}

struct Error final {
    double worst = 0;  ///< relative
    Metric metric{};
    std::string where;
};

/// Totals only: quotients of them err less.
bool isTotal(Metric metric) {
    switch (metric) {
        case Metric::globalLoadRequests:
        case Metric::globalStoreRequests:
        case Metric::globalLoadSectors:
        case Metric::globalStoreSectors:
        case Metric::sharedWavefronts:
        case Metric::branches:
            return true;
        default:
            return false;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int launches = argc > 1 ? std::atoi(argv[1]) : 4;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    std::mt19937_64 random(seed);
    std::printf("Sampled predictions against the same launches traced whole, seed %llu\n\n",
                static_cast<unsigned long long>(seed));
    double worst = 0;
    int cases = 0;
    for (const Scenario& scenario : allScenarios()) {
        Error error;
        int traced = 0;
        for (int i = 0; i < launches; ++i) {
            const auto e = grown(randomExperiment(scenario, random));
            if (!e) continue;
            PredictOptions whole;
            whole.exactUpTo = UINT64_MAX;
            PredictOptions sampled;
            sampled.exactUpTo = 0;
            const Prediction truth = predict(*e, whole);
            const Prediction guess = predict(*e, sampled);
            ++traced;
            for (const Value& value : truth.values) {
                if (!isTotal(value.metric) || value.number() == nullptr || *value.number() == 0)
                    continue;
                const Value* other = findValue(guess.values, value.metric, Source::predicted,
                                               value.variant, value.subject);
                const double relative =
                    std::abs(*other->number() - *value.number()) / *value.number();
                if (relative <= error.worst) continue;
                error = {relative, value.metric,
                         toLaunchSyntax(e->launch) + ' ' + sizesOf(*e) + ", " +
                             groupedDigits(guess.blocksTraced) + " of " +
                             groupedDigits(guess.blocks) + " blocks"};
            }
        }
        cases += traced;
        worst = std::max(worst, error.worst);
        std::printf("%-22s %d launches, worst total off by %.4f %%", scenario.id.data(), traced,
                    100 * error.worst);
        if (error.worst > 0) {
            std::printf(" (%s, %s)", metricInfo(error.metric).id.data(), error.where.c_str());
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    std::printf("\n%d launches, worst total off by %.4f %%\n", cases, 100 * worst);
}
