#include "kernels/bodies/predict.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "core/trace/block_sample.h"
#include "kernels/bodies/host_threads.h"
#include "kernels/bodies/tally_observer.h"
#include "kernels/bodies/traced_kernel.h"

namespace warplens {
namespace {

/// Traces every warp of one block.
class BlockTracer final {
  public:
    explicit BlockTracer(const Experiment& experiment)
        : traced_(experiment), observer_(traced_.kernel()) {}

    /// Returns lane accesses and marks.
    std::uint64_t trace(Index3 block) { return traced_.runBlock(block, observer_); }
    [[nodiscard]] TraceTally take() { return observer_.take(); }

  private:
    TracedKernel traced_;
    TallyObserver observer_;
};

/// Shares blocks 0 .. count-1 out among threads; `trace(tracer, i)` traces one of them.
class ParallelTrace final {
  public:
    ParallelTrace(const Experiment& experiment, const PredictOptions& options)
        : experiment_(experiment),
          options_(options),
          kernel_(kernelOf(scenarioNamed(experiment.scenario).kernel)),
          total_(kernel_) {}

    /// `blockAt(i)` names the i-th block and its weight.
    template <class BlockAt>
    TraceTally run(std::uint64_t count, BlockAt blockAt) {
        const unsigned wanted = hostThreads(options_.threads);
        const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(wanted, count));
        // Shares small enough to report progress and to stop within some milliseconds.
        const std::uint64_t share = std::clamp<std::uint64_t>(count / (threads * 64), 1, 64);
        const auto work = [&] {
            try {
                BlockTracer tracer(experiment_);
                TraceTally mine(kernel_);
                while (!failed_) {
                    const std::uint64_t begin = next_.fetch_add(share);
                    if (begin >= count) break;
                    if (options_.stop.stop_requested()) throw PredictionStopped();
                    for (std::uint64_t i = begin; i < std::min(begin + share, count); ++i) {
                        const trace::SampledBlock block = blockAt(i);
                        // What was counted before belongs to blocks that stand for themselves.
                        if (block.weight != 1) mine.add(tracer.take());
                        tracer.trace(block.index);
                        if (block.weight != 1) mine.add(tracer.take(), block.weight);
                    }
                    mine.add(tracer.take());
                    report(std::min(share, count - begin), count);
                }
                const std::lock_guard lock(mutex_);
                total_.add(mine);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (!failed_.exchange(true)) failure_ = std::current_exception();
            }
        };
        {
            std::vector<std::jthread> helpers;
            for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(work);
            work();
        }
        if (failure_) std::rethrow_exception(failure_);
        return total_;
    }

  private:
    void report(std::uint64_t blocks, std::uint64_t count) {
        if (!options_.progress) return;
        const std::lock_guard lock(mutex_);
        done_ += blocks;
        options_.progress(static_cast<double>(done_) / static_cast<double>(count));
    }

    const Experiment& experiment_;
    const PredictOptions& options_;
    const Kernel& kernel_;
    TraceTally total_;
    std::atomic<std::uint64_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::uint64_t done_ = 0;
};

/// The costliest kind of block is one in the middle: nothing of it is outside the problem.
std::uint64_t accessesPerBlock(const Experiment& experiment) {
    const Extents grid = experiment.launch.grid;
    BlockTracer tracer(experiment);
    return std::max<std::uint64_t>(1, tracer.trace({grid.x / 2, grid.y / 2, grid.z / 2}));
}

constexpr std::uint64_t sampleAccesses = 40'000'000;  // about half a second on one core

}  // namespace

Prediction predict(const Experiment& experiment, const PredictOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    const Kernel& kernel = kernelOf(scenarioNamed(experiment.scenario).kernel);
    const Extents grid = experiment.launch.grid;
    const std::uint64_t blocks = grid.count();
    const std::uint64_t perBlock = accessesPerBlock(experiment);

    Prediction prediction{.experiment = experiment, .sample = {}, .values = {}};
    prediction.blocks = blocks;
    prediction.exact = blocks <= options.exactUpTo / perBlock || blocks == 1;
    TraceTally tally;
    if (prediction.exact) {
        prediction.blocksTraced = blocks;
        tally = ParallelTrace(experiment, options).run(blocks, [&](std::uint64_t rank) {
            return trace::SampledBlock{blockIndexInGrid(rank, grid), 1};
        });
    } else {
        const auto perClass = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(sampleAccesses / perBlock / 9, 1, 4096));
        const std::vector<trace::SampledBlock> sample = trace::sampleBlocks(grid, perClass);
        prediction.blocksTraced = sample.size();
        prediction.sample =
            (perClass == 1 ? "one block" : "up to " + std::to_string(perClass) + " blocks") +
            std::string(" of each kind: interior, edges and corners of the grid");
        tally = ParallelTrace(experiment, options).run(sample.size(), [&](std::uint64_t i) {
            return sample[i];
        });
    }
    prediction.values = valuesOf(tally.launch, kernel, Source::predicted);
    prediction.lines = tally.lines.sorted();
    prediction.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return prediction;
}

}  // namespace warplens
