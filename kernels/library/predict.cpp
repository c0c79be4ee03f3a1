#include "kernels/library/predict.h"

#include <algorithm>

#include "core/library/block_axes.h"
#include "kernels/library/host_threads.h"
#include "kernels/library/traced_kernel.h"

namespace warplens {
namespace {

std::vector<std::uint16_t> dataArraysOf(const Kernel& kernel) {
    std::vector<std::uint16_t> filled;
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
        if (!kernel.arrays[i].filled.empty()) filled.push_back(static_cast<std::uint16_t>(i));
    }
    return filled;
}

Prediction totalled(const Experiment& experiment, std::string_view ptx, Source source,
                    const PredictOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    const Kernel& kernel = kernelOf(experiment);
    const auto memory = std::make_shared<const library::ArrayMemory>(experiment, false);
    trace::TotalsOptions how = options;
    how.threads = hostThreads(options.threads);
    const trace::LaunchTotals totals = trace::totalsOf(
        {.grid = experiment.launch.grid,
         .block = experiment.launch.block,
         .branches = kernel.branches,
         .tracer = [&] { return std::make_unique<TracedKernel>(experiment, memory, ptx); },
         .dataArrays = dataArraysOf(kernel),
         .readsBlockIndex = blockAxesRead(kernel.text)},
        how);
    Prediction prediction{.experiment = experiment, .values = {}};
    prediction.exact = !totals.sampled;
    prediction.blocks = experiment.launch.grid.count();
    prediction.blocksTraced = totals.blocksTraced;
    prediction.kinds = totals.kinds;
    prediction.errorPercent = totals.errorPercent;
    prediction.lines = totals.lines.sorted();
    prediction.values = valuesOf(trace::launchTallyOf(kernel, prediction.lines), kernel, source);
    prediction.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return prediction;
}

}  // namespace

Prediction predict(const Experiment& experiment, const PredictOptions& options) {
    return totalled(experiment, {}, Source::predicted, options);
}

Prediction countCompiled(const Experiment& experiment, std::string_view ptx,
                         const PredictOptions& options) {
    Prediction prediction = totalled(experiment, ptx, Source::compiled, options);
    const TracedKernel kernel(experiment, nullptr, ptx);
    for (Value& value : prediction.values) {
        const auto branch =
            std::ranges::find(kernel.kernel().branches, value.subject, &KernelBranch::name);
        if (branch != kernel.kernel().branches.end() && !kernel.decides(*branch))
            value.content = Unavailable{"the compiled code (PTX) has no branch there"};
    }
    return prediction;
}

}  // namespace warplens
