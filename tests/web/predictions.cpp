// What the engine predicts, for comparing the page's with the program's; both are compiled from
// this.
//   predictions list COUNT SEED   launches, one JSON object a line: those that every scenario
//   begins
//                                 with, and COUNT random ones of each
//   predictions FILE              of the launches in such a file, the documents of `predict --json`
//   predictions rate SECONDS      million lane accesses a second of a product of 512 x 512, as
//                                 written and as compiled

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/json/json.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/library/predict.h"
#include "tests/support/random_experiment.h"

using namespace warplens;

namespace {

void list(int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (const Scenario& scenario : allScenarios()) {
        std::printf("%s\n", toJson(initialExperiment(scenario), -1).c_str());
        for (int i = 0; i < count; ++i)
            std::printf("%s\n", toJson(randomExperiment(scenario, random), -1).c_str());
    }
}

void predictAll(const char* path) {
    const std::string text = readFile(path, 64u << 20);
    for (const std::string_view line : splitLines(text)) {
        if (line.empty()) continue;
        const auto experiment = fromJson<Experiment>(line);
        Prediction made{predict(experiment)};
        addCompiled(made.report, predictCompiled(experiment));
        // How long it took is the only thing that may differ.
        made.report.seconds = 0;
        if (made.report.compiled) made.report.compiled->seconds = 0;
        std::printf("%s\n", toDocument(Document::prediction, made, -1).c_str());
    }
}

void measureRate(double atLeast) {
    constexpr double n = 512;
    const Experiment experiment = complete({"matmul-global", {}, {}, {{"n", 512}}});
    PredictOptions options;
    options.threads = 1;
    options.everyBlock = true;
    using Clock = std::chrono::steady_clock;
    for (const bool isCompiled : {false, true}) {
        const Clock::time_point begin = Clock::now();
        double accesses = 0;
        double seconds = 0;
        while (seconds < atLeast) {
            (void)(isCompiled ? predictCompiled(experiment, options)
                              : predict(experiment, options));
            accesses += (2 * n + 1) * n * n;
            seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        }
        std::printf("%.0f\n", accesses / seconds / 1e6);
    }
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc == 4 && std::strcmp(argv[1], "list") == 0) {
        list(std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10));
    } else if (argc == 3 && std::strcmp(argv[1], "rate") == 0) {
        measureRate(std::atof(argv[2]));
    } else if (argc == 2) {
        predictAll(argv[1]);
    } else {
        std::fputs("usage: predictions list COUNT SEED | FILE | rate SECONDS\n", stderr);
        return 2;
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "predictions: %s\n", error.what());
    return 1;
}
