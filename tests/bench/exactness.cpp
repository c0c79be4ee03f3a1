// Compares predictions made from one block of each kind with the same launches traced whole, every
// request by itself: the report in docs/exactness.txt.
//   bench_exactness LAUNCHES_PER_SCENARIO SEED [MOST_STEPS]

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/support/random_experiment.h"
#include "tests/support/whole_trace.h"

using namespace warplens;

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("usage: bench_exactness LAUNCHES_PER_SCENARIO SEED [MOST_STEPS]\n", stderr);
        return 2;
    }
    const int launches = std::atoi(argv[1]);
    const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t mostSteps = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 10'000'000;
    PredictOptions byKinds;
    byKinds.everyBlockUpTo = 0;
    byKinds.threads = 1;
    PredictOptions byWarps = byKinds;
    byWarps.blockWholeUpTo = 0;
    byKinds.timeLimit = std::chrono::minutes(1);
    std::printf(
        "Predictions from one block of each kind, against every block traced and every request\n"
        "counted by itself: Warplens %s, seed %llu, up to %s steps of all lanes a launch\n\n",
        version().c_str(), static_cast<unsigned long long>(seed), groupedDigits(mostSteps).c_str());
    std::uint64_t differing = 0;
    std::uint64_t total = 0;
    for (const Scenario& scenario : allScenarios()) {
        std::mt19937_64 random(seed +
                               static_cast<std::uint64_t>(&scenario - allScenarios().data()));
        std::uint64_t values = 0;
        std::uint64_t whole = 0;
        std::uint64_t mine = 0;
        std::uint64_t blocks = 0;
        std::uint64_t traced = 0;
        for (int i = 0; i < launches; ++i, ++total) {
            const LaunchReport p = predict(randomWideExperiment(scenario, random, mostSteps),
                                           i % 2 == 0 ? byKinds : byWarps);
            values += p.values.size();
            blocks += p.blocks;
            traced += p.blocksTraced;
            // Where blocks are of too many kinds, or a single one, all are traced.
            whole += p.kinds == 0 ? 1 : 0;
            const std::string found =
                p.exact ? differences(p) : "a sample: " + sizesOf(p.experiment());
            if (found.empty()) continue;
            ++mine;
            std::printf("%s\n", found.c_str());
        }
        differing += mine;
        std::printf(
            "%-20s %5d launches, %7llu values, %llu launches differ; %s of %s blocks traced, "
            "all of them in %llu launches\n",
            std::string(scenario.id).c_str(), launches, static_cast<unsigned long long>(values),
            static_cast<unsigned long long>(mine), groupedDigits(traced).c_str(),
            groupedDigits(blocks).c_str(), static_cast<unsigned long long>(whole));
        std::fflush(stdout);
    }
    std::printf("\n%s launches, %s differ\n", groupedDigits(total).c_str(),
                groupedDigits(differing).c_str());
    return differing == 0 ? 0 : 1;
}
