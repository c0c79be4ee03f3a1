#include "core/trace/launch_totals.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "core/trace/block_kinds.h"
#include "core/trace/block_reader.h"
#include "core/trace/block_sample.h"

namespace warplens::trace {
namespace {

using Clock = std::chrono::steady_clock;
using Way = BlockKinds::Way;

/// Of one thread of the host, less than most machines do.
constexpr double usualStepsPerSecond = 50e6;
/// What it takes to begin a block, in steps.
constexpr std::uint64_t stepsToBegin = 16;

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
        std::optional<KindTotals> kinds = byKinds(perBlock);
        reader_.limitCost(UINT64_MAX);
        std::vector<BlockSet> left = kinds ? std::move(kinds->readData) : std::vector{wholeGrid()};
        std::uint64_t toTrace = 0;
        for (BlockSet& set : left) {
            leaveOutRepeats(set);
            toTrace += set.count();
        }
        LineTallies lines = kinds ? std::move(kinds->lines) : LineTallies();
        const std::uint64_t steps = perBlock + stepsToBegin;
        if (static_cast<double>(steps) * static_cast<double>(toTrace) >= most / 2) {
            return sample(kinds ? endsApart(left) : strataOf(launch_, reader_), lines);
        }
        const std::uint64_t looked = reader_.blocksTracedBeside(left);
        std::uint64_t done = 0;
        for (const BlockSet& set : left) {
            done += set.count();
            reader_.nextStage(static_cast<double>(done) / static_cast<double>(toTrace));
            lines.add(reader_.readWhole(set));
        }
        return {.lines = std::move(lines),
                .blocksTraced = looked + toTrace,
                .kinds = toTrace == blocks ? 0 : toTrace + (kinds ? kinds->kinds : 0)};
    }

  private:
    [[nodiscard]] BlockSet wholeGrid() const {
        return {{{{0, 1, launch_.grid.x}, {0, 1, launch_.grid.y}, {0, 1, launch_.grid.z}}}};
    }

    LaunchTotals everyBlock() {
        reader_.nextStage(1);
        return {.lines = reader_.readWhole(wholeGrid()), .blocksTraced = launch_.grid.count()};
    }

    std::optional<KindTotals> byKinds(std::uint64_t perBlock) {
        try {
            for (const auto way : {Way::byWarps, Way::whole, Way::placed}) {
                if (way == Way::byWarps && perBlock <= options_.blockWholeUpTo) continue;
                reader_.nextStage(launch_.dataArrays.empty() ? 0.9 : 0.1);
                if (auto found = BlockKinds(launch_, reader_, perBlock, way).find()) return found;
            }
        } catch (const TooCostly&) {
        }
        return std::nullopt;
    }

    /// Of blocks that differ only along axes that the code does not read one stands for all.
    void leaveOutRepeats(BlockSet& blocks) const {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (launch_.readsBlockIndex[axis]) continue;
            blocks.times *= std::exchange(blocks.axes[axis].count, 1);
        }
    }

    /// The first and the last block along each axis by themselves: there guards hold for some
    /// threads only.
    [[nodiscard]] static std::vector<BlockSet> endsApart(std::vector<BlockSet> sets) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::vector<BlockSet> parts;
            for (const BlockSet& set : sets) {
                const AxisPart whole = set.axes[axis];
                const auto add = [&](std::uint32_t from, std::uint32_t count) {
                    parts.push_back(set);
                    parts.back().axes[axis] = {whole.first + from * whole.step, whole.step, count};
                };
                add(0, 1);
                if (whole.count > 2) add(1, whole.count - 2);
                if (whole.count > 1) add(whole.count - 1, 1);
            }
            sets = std::move(parts);
        }
        return sets;
    }

    LaunchTotals sample(std::span<const BlockSet> strata, const LineTallies& known) {
        reader_.nextStage(1);
        // What looking for kinds took leaves a sample a second at least.
        const Clock::time_point end =
            std::max(begin_ + options_.timeLimit, Clock::now() + std::chrono::seconds(1));
        SampleTotals sample = sampleBlocks(strata, known, reader_, end);
        return {.lines = std::move(sample.lines),
                .blocksTraced = reader_.blocksTraced(),
                .errorPercent = sample.errorPercent,
                .sampled = true};
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
