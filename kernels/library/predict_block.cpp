#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <mutex>
#include <thread>

#include "core/trace/request_groups.h"
#include "kernels/library/host_threads.h"
#include "kernels/library/predict.h"
#include "kernels/library/traced_kernel.h"

namespace warplens {
namespace {

/// 0 .. count-1 from the two ends inwards, then halving what is left between: however many are
/// taken from the front, they are spread over the whole.
std::vector<std::uint32_t> spreadOrder(std::uint32_t count) {
    std::vector<std::uint32_t> order{0};
    if (count > 1) order.push_back(count - 1);
    for (std::uint32_t step = std::bit_ceil(count); step > 1; step /= 2) {
        for (std::uint32_t i = step / 2; i < count - 1; i += step) order.push_back(i);
    }
    return order;
}

}  // namespace

BlockPrediction predictBlock(const Experiment& experiment, Index3 block,
                             const BlockOptions& options) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const Kernel& kernel = kernelOf(experiment);
    const std::vector<std::uint32_t> order =
        spreadOrder(warpCountPerBlock(experiment.launch.block));
    BlockPrediction prediction{.experiment = experiment, .block = block, .values = {}};
    prediction.warps = static_cast<std::uint32_t>(order.size());

    const auto memory = std::make_shared<const library::ArrayMemory>(experiment, false);
    trace::LineTallies total;
    std::mutex mutex;
    std::atomic<std::uint32_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    std::vector<std::jthread> helpers;
    const auto work = [&](const auto& callHelpers) {
        try {
            TracedKernel traced(experiment, memory);
            trace::GroupingObserver observer(kernel.branches);
            std::uint32_t done = 0;
            Clock::duration slowest{};
            while (!failed) {
                if (options.stop.stop_requested()) throw PredictionStopped();
                const std::uint32_t place = next.fetch_add(1);
                if (place >= order.size()) break;
                const Clock::time_point start = Clock::now();
                if (place != 0 && start + slowest - begin >= options.time) break;
                traced.runWarp(block, {order[place]}, observer);
                slowest = std::max(slowest, Clock::now() - start);
                if (++done == 1) callHelpers(slowest * (order.size() - 1));
            }
            const std::lock_guard lock(mutex);
            trace::addTo(total, observer.take());
            prediction.warpsTraced += done;
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    // A thread of the host takes as long to begin as a small block takes as a whole.
    const unsigned threads = std::min<unsigned>(hostThreads(options.threads), prediction.warps);
    work([&](Clock::duration left) {
        if (left < std::chrono::microseconds(100)) return;
        while (helpers.size() + 1 < threads) {
            helpers.emplace_back([&] { work([](Clock::duration) {}); });
        }
    });
    helpers.clear();
    if (failure) std::rethrow_exception(failure);
    prediction.lines = total.sorted();
    prediction.values =
        valuesOf(trace::launchTallyOf(kernel, prediction.lines), kernel, Source::predicted);
    prediction.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return prediction;
}

}  // namespace warplens
