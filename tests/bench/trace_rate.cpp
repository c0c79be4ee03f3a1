// Rate of exact prediction on one core, in lane accesses a second, and beside it a plain loop that
// makes the same accesses: how far the trace is from doing nothing but the work.

#include <benchmark/benchmark.h>
#include <string>
#include <vector>

#include "core/kernel/element_type.h"
#include "kernels/library/predict.h"

namespace {

using namespace warplens;

PredictOptions wholeOnOneCore() {
    PredictOptions options;
    options.threads = 1;
    options.everyBlock = true;
    return options;
}

void predictMatrixSum(benchmark::State& state) {
    const auto n = state.range(0);
    const Experiment e = complete({"matadd-coalesced", {}, {}, {{"n", n}}});
    for (auto _ : state) benchmark::DoNotOptimize(predict(e, wholeOnOneCore()));
    state.SetItemsProcessed(state.iterations() * 3 * n * n);
}

void predictProduct(benchmark::State& state) {
    const auto n = state.range(0);
    const Experiment e = complete({"matmul-global", {}, {}, {{"n", n}}});
    for (auto _ : state) benchmark::DoNotOptimize(predict(e, wholeOnOneCore()));
    state.SetItemsProcessed(state.iterations() * (2 * n + 1) * n * n);
}

void predictTiledProduct(benchmark::State& state) {
    const auto n = state.range(0);
    const Experiment e = complete({"matmul-tiled", {}, {}, {{"n", n}}});
    for (auto _ : state) benchmark::DoNotOptimize(predict(e, wholeOnOneCore()));
    // Global loads and the store, then shared stores and loads.
    state.SetItemsProcessed(state.iterations() *
                            (n * n * (2 * n / 16 + 1) + n * n * (2 * n / 16 + 2 * n)));
}

void loopMatrixSum(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (std::size_t i = 0; i < n * n; ++i) a[i] = b[i] = inputValue(0, i);
    for (auto _ : state) {
        for (std::size_t i = 0; i < n * n; ++i) c[i] = a[i] + b[i];
        benchmark::DoNotOptimize(c.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * 3 * n * n));
}

void loopProduct(benchmark::State& state) {
    const auto n = static_cast<std::size_t>(state.range(0));
    std::vector<float> a(n * n), b(n * n), c(n * n);
    for (std::size_t i = 0; i < n * n; ++i) a[i] = b[i] = inputValue(0, i);
    for (auto _ : state) {
        for (std::size_t row = 0; row < n; ++row) {
            for (std::size_t col = 0; col < n; ++col) {
                float sum = 0;
                for (std::size_t k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
                c[row * n + col] = sum;
            }
        }
        benchmark::DoNotOptimize(c.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * (2 * n + 1) * n * n));
}

void predictProductBySample(benchmark::State& state) {
    const Experiment e = initialExperiment(scenarioNamed("matmul-swapped"));
    for (auto _ : state) benchmark::DoNotOptimize(predict(e));
}

/// What the window shows at once after an edit, of every scenario as it opens.
void predictShownBlock(benchmark::State& state, const Experiment& experiment) {
    LaunchReport last;
    for (auto _ : state) last = predictBlock(experiment, {});
    state.SetLabel(std::to_string(last.block->warpsTraced) + " of " +
                   std::to_string(last.block->warps) + " warps");
}

/// What the window shows a little later.
void predictTotals(benchmark::State& state, const Experiment& experiment) {
    for (auto _ : state) benchmark::DoNotOptimize(predict(experiment));
}

BENCHMARK(predictMatrixSum)->Arg(512)->Arg(2048)->Unit(benchmark::kMillisecond);
BENCHMARK(loopMatrixSum)->Arg(512)->Arg(2048)->Unit(benchmark::kMillisecond);
BENCHMARK(predictProduct)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK(loopProduct)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK(predictTiledProduct)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK(predictProductBySample)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    for (const Scenario& scenario : allScenarios()) {
        const auto add = [&](const char* what, auto* bench) {
            benchmark::RegisterBenchmark((what + std::string(scenario.id)).c_str(), bench,
                                         initialExperiment(scenario))
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
        };
        add("predictShownBlock/", predictShownBlock);
        add("predictTotals/", predictTotals);
    }
    benchmark::RunSpecifiedBenchmarks();
}
