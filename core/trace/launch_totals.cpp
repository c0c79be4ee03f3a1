#include "core/trace/launch_totals.h"

#include <algorithm>
#include <array>
#include <thread>

#include "core/trace/block_kinds.h"
#include "core/trace/block_reader.h"
#include "core/trace/block_sample.h"

namespace warplens::trace {
namespace {

using Clock = std::chrono::steady_clock;
using Way = BlockKinds::Way;

/// Of one thread of the host, less than most machines do.
constexpr double usualStepsPerSecond = 50e6;

class Adding final {
  public:
    Adding(const TracedLaunch& launch, const TotalsOptions& options)
        : launch_(launch), options_(options), reader_(launch, options), begin_(Clock::now()) {}

    LaunchTotals run() {
        const std::uint64_t blocks = launch_.grid.count();
        const std::uint64_t perBlock = costPerBlock();
        if (options_.everyBlock || blocks == 1 || perBlock <= options_.everyBlockUpTo / blocks) {
            return everyBlock();
        }
        // In steps instead of time, so that what is found depends on no clock. Half of it is for
        // finding kinds, half for what is done where there are none.
        const std::chrono::duration<double> limit = options_.timeLimit;
        const double most = std::min(limit.count() * usualStepsPerSecond * options_.threads, 9e18);
        reader_.limitCost(static_cast<std::uint64_t>(most / 2));
        try {
            for (const auto way : {Way::byWarps, Way::whole, Way::placed}) {
                if (way == Way::byWarps && perBlock <= options_.blockWholeUpTo) continue;
                reader_.nextStage(0.9);
                if (auto found = BlockKinds(launch_, reader_, perBlock, way).find()) {
                    return {.lines = std::move(found->lines),
                            .blocksTraced = reader_.blocksTraced(),
                            .kinds = found->kinds};
                }
            }
        } catch (const TooCostly&) {
        }
        reader_.limitCost(UINT64_MAX);
        reader_.nextStage(1);
        if (static_cast<double>(perBlock) * static_cast<double>(blocks) < most / 2) {
            return everyBlock();
        }
        // What looking for kinds took leaves a sample a second at least.
        const Clock::time_point end =
            std::max(begin_ + options_.timeLimit, Clock::now() + std::chrono::seconds(1));
        SampleTotals sample = sampleBlocks(launch_, reader_, end);
        return {.lines = std::move(sample.lines),
                .blocksTraced = reader_.blocksTraced(),
                .errorPercent = sample.errorPercent,
                .sampled = reader_.blocksTraced() != blocks};
    }

  private:
    LaunchTotals everyBlock() {
        reader_.nextStage(1);
        const std::uint64_t blocks = launch_.grid.count();
        return {.lines = reader_.readWhole(blocks), .blocksTraced = blocks};
    }

    /// Of the first block and one in the middle, the more: from their corners, so that it costs
    /// little where a thread takes many steps.
    std::uint64_t costPerBlock() {
        const Extents grid = launch_.grid;
        const std::array<Index3, 2> looked{{{}, {grid.x / 2, grid.y / 2, grid.z / 2}}};
        std::uint64_t most = 0;
        for (const Index3 block : looked) {
            const std::uint64_t start = reader_.cost();
            (void)reader_.read({block, BlockPart::Which::corners, {}});
            most = std::max(most, reader_.cost() - start);
        }
        std::uint64_t perBlock = most * launch_.block.count() / reader_.corners().size();
        if (perBlock <= options_.blockWholeUpTo) {
            // Threads between may take more steps.
            perBlock = 0;
            for (const Index3 block : looked) {
                const std::uint64_t start = reader_.cost();
                (void)reader_.read({block, BlockPart::Which::all, {}});
                perBlock = std::max(perBlock, reader_.cost() - start);
            }
        }
        return std::max<std::uint64_t>(1, perBlock);
    }

    const TracedLaunch& launch_;
    const TotalsOptions& options_;
    BlockReader reader_;
    Clock::time_point begin_;
};

}  // namespace

LaunchTotals totalsOf(const TracedLaunch& launch, const TotalsOptions& options) {
    TotalsOptions resolved = options;
    if (resolved.threads == 0) resolved.threads = std::max(1U, std::thread::hardware_concurrency());
    return Adding(launch, resolved).run();
}

}  // namespace warplens::trace
