#include "kernels/trace/runtime/grid_run.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

#include "core/trace/sample_error.h"
#include "kernels/trace/runtime/block.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/races.h"
#include "kernels/trace/runtime/report.h"
#include "kernels/trace/runtime/tally.h"
#include "kernels/trace/runtime/watch.h"

namespace warplens::runtime {
namespace {

__extension__ using Wide = unsigned __int128;

double untracedSeconds = 0;  ///< of all launches

Index3 blockAt(std::uint64_t index, Extents grid) {
    return {static_cast<std::uint32_t>(index % grid.x),
            static_cast<std::uint32_t>(index / grid.x % grid.y),
            static_cast<std::uint32_t>(index / grid.x / grid.y)};
}

constexpr std::size_t metrics = std::size(totalMetrics);

/// What is known of the blocks of a launch, when not all were traced.
struct Sample final {
    std::array<trace::SampledValue, std::size(totalMetrics)> values{};
    std::uint64_t of = 0;  ///< blocks they stand for
};

std::vector<SampleBound> boundsOf(const Sample& sample, const BlockTotals& exact) {
    std::vector<SampleBound> bounds;
    for (std::size_t m = 0; m < sample.values.size(); ++m) {
        const trace::SampledValue& value = sample.values[m];
        if (value.mean() == 0) continue;  // nothing tells how much of it the rest does
        const double total = exact.values[m] + static_cast<double>(sample.of) * value.mean();
        const double error = value.spreadError(sample.of) + value.tailError(sample.of);
        bounds.push_back({totalMetrics[m], 100 * error / total});
    }
    return bounds;
}

void addLines(std::vector<ProgramLine>& to, const std::vector<ProgramLine>& more) {
    for (const ProgramLine& line : more) {
        const auto same = std::find_if(to.begin(), to.end(), [&](const ProgramLine& other) {
            return other.place == line.place && other.kind == line.kind &&
                   other.array == line.array;
        });
        if (same == to.end()) {
            to.push_back(line);
            continue;
        }
        same->requests += line.requests;
        same->sectors += line.sectors;
        same->idealSectors += line.idealSectors;
        same->uniqueBytes += line.uniqueBytes;
        same->wavefronts += line.wavefronts;
        same->idealWavefronts += line.idealWavefronts;
        same->activeLanes += line.activeLanes;
        same->divergent += line.divergent;
        same->mostSameAddress = std::max(same->mostSameAddress, line.mostSameAddress);
    }
}

/// Runs all blocks of the launch.
class GridRun final {
  public:
    GridRun(LaunchReport& result, bool wanted)
        : result_(result),
          wanted_(wanted),
          grid_(launchState.launch.grid),
          blocks_(grid_.count()) {}

    void run() {
        if (launchState.cooperative) {
            together();
        } else {
            oneByOne();
        }
    }

    void runBackwards() {
        useMode(RunMode::traced);
        for (std::uint64_t block = blocks_; block-- > 0 && !launchState.failed;) runBlock(block);
    }

    /// Traces one block, and runs those before it where it may ask for what they have done.
    void runAlone(std::uint64_t chosen) {
        forgetUnwritten();
        if (launchState.cooperative) return together();
        const bool isVolatile = launchState.row->isVolatile != 0;
        std::uint64_t before = isVolatile || hasAtomics() ? 0 : chosen;
        useMode(RunMode::traced);
        for (; before < chosen && !launchState.failed; ++before) {
            isVolatile ? runBlock(before) : untraced(before);
        }
        useMode(RunMode::traced);
        if (!launchState.failed) runBlock(chosen);
    }

  private:
    void useMode(RunMode mode) {
        const bool fast = mode != RunMode::traced && launchState.row->fast != nullptr;
        laneProgram.mode = fast ? RunMode::fast : mode;
        laneProgram.code = fast ? launchState.row->fast : launchState.row->traced;
    }

    void runBlock(std::uint64_t index) {
        beginWatchedBlock(now_);
        block_.begin(blockAt(index, grid_));
        block_.advance();
        now_ = cpuSeconds();
        if (++done_ % 64 == 0) progress();
    }

    void progress() {
        if (now_ - told_ < 0.1 || launchState.isTrial) return;
        told_ = now_;
        sendProgress(launchState.index, done_, blocks_);
    }

    void oneByOne() {
        const double begin = now_;
        const double budget = wishes().secondsPerLaunch;
        std::uint64_t next = 0;
        if (wanted_) {
            useMode(RunMode::traced);
            while (next < blocks_ && !launchState.failed) {
                runBlock(next++);
                if (now_ - begin > budget / 4 && next >= 8 && blocks_ - next > next / 2) {
                    break;
                }
            }
            if (next < blocks_ && launchState.row->isVolatile != 0) {
                while (next < blocks_ && !launchState.failed) runBlock(next++);
            }
            result_.blocksTraced = next;
        }
        if (next == blocks_ || launchState.failed) {
            result_.exact = next == blocks_ && wanted_;
            result_.lines = linesOfLaunch(1);
            result_.laneAccesses = laneAccesses();
            return;
        }
        const double spent = now_ - begin;
        sampleRest(next, wanted_ ? spent / static_cast<double>(next) : 0, budget * 3 / 4);
    }

    /// One block of every `stride` is traced, at a place that differs from stretch to stretch; and
    /// the last block, which is where others end.
    void sampleRest(std::uint64_t next, double secondsEach, double seconds) {
        if (wanted_) {
            runBlock(blocks_ - 1);
            ++result_.blocksTraced;
        }
        const BlockTotals exact = totalsSoFar();
        result_.lines = linesOfLaunch(1);
        result_.laneAccesses = laneAccesses();
        clearSums();
        const std::uint64_t end = blocks_ - (wanted_ ? 1 : 0);
        const std::uint64_t rest = end - next;
        std::uint64_t count =
            wanted_ ? std::max<std::uint64_t>(
                          16, static_cast<std::uint64_t>(seconds / std::max(1e-9, secondsEach)))
                    : 0;
        count = std::min(count, rest);
        Sample sample{.of = rest};
        std::uint64_t random = 0x9e3779b97f4a7c15ull;
        BlockTotals before = totalsSoFar();
        for (std::uint64_t stretch = 0; stretch < std::max<std::uint64_t>(1, count); ++stretch) {
            const std::uint64_t from =
                next + (count == 0 ? 0
                                   : static_cast<std::uint64_t>(static_cast<Wide>(rest) * stretch /
                                                                count));
            const std::uint64_t to =
                count == 0 ? end
                           : next + static_cast<std::uint64_t>(static_cast<Wide>(rest) *
                                                               (stretch + 1) / count);
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            const std::uint64_t chosen = count == 0 ? end : from + (random >> 33) % (to - from);
            for (std::uint64_t block = from; block < to && !launchState.failed; ++block) {
                if (block != chosen) {
                    untraced(block);
                    continue;
                }
                useMode(RunMode::traced);
                runBlock(block);
                const BlockTotals now = totalsSoFar();
                for (std::size_t m = 0; m < sample.values.size(); ++m) {
                    sample.values[m].add(now.values[m] - before.values[m]);
                }
                before = now;
            }
            if (launchState.failed) break;
        }
        if (!wanted_) return;
        const std::uint64_t drawn = sample.values[0].drawn();
        result_.blocksTraced += drawn;
        result_.exact = result_.blocksTraced == blocks_;
        if (drawn == 0) return;
        result_.laneAccesses += laneAccesses();
        addLines(result_.lines,
                 linesOfLaunch(static_cast<double>(rest) / static_cast<double>(drawn)));
        if (result_.exact) return;
        result_.bounds = boundsOf(sample, exact);
        sendNote("launch " + std::to_string(launchState.index) + " (" + launchState.kernel +
                 "): what is wrong is found in the " + std::to_string(result_.blocksTraced) +
                 " blocks that were traced, of " + std::to_string(blocks_) + "; at most " +
                 std::to_string(trace::mostHeavierBlocks(drawn, rest)) +
                 " others do more than any of these, with 95 % confidence");
    }

    /// Runs a block for its results only; none any more where all would take too long.
    void untraced(std::uint64_t block) {
        if (isCut_) return;
        if (untracedBlocks_ == 0) forgetUnwritten();
        const double begin = now_;
        useMode(RunMode::discarded);
        runBlock(block);
        const double spent = now_ - begin;
        untracedSeconds += spent;
        untracedOfLaunch_ += spent;
        const double all = untracedOfLaunch_ / static_cast<double>(++untracedBlocks_) *
                           static_cast<double>(blocks_);
        const double left = all - untracedOfLaunch_;
        if (untracedBlocks_ < 8 || left < wishes().secondsUntraced - untracedSeconds) return;
        isCut_ = true;
        sendNote("launch " + std::to_string(launchState.index) + " (" + launchState.kernel +
                 "): not all blocks were run, that would take about " +
                 std::to_string(static_cast<std::uint64_t>(all + 1)) +
                 " s; the sample stands for them, and the results that the program gets are not "
                 "complete");
    }

    /// Blocks of a cooperative launch wait for one another.
    void together() {
        useMode(wanted_ ? RunMode::traced : RunMode::discarded);
        if (!wanted_) forgetUnwritten();
        std::deque<BlockRun> runs;
        beginWatchedBlock(now_);
        for (std::uint64_t index = 0; index < blocks_; ++index) {
            runs.emplace_back(launchState.launch.block).begin(blockAt(index, grid_));
        }
        while (!launchState.failed) {
            bool all = true;
            for (BlockRun& run : runs) {
                if (run.ended()) continue;
                run.advance();
                if (launchState.failed) break;
                all = all && run.ended();
            }
            if (all) break;
            for (BlockRun& run : runs) run.passGridBarrier();
            clearGlobalRaces();
        }
        result_.blocksTraced = wanted_ ? blocks_ : 0;
        result_.exact = wanted_;
        result_.lines = linesOfLaunch(1);
        result_.laneAccesses = laneAccesses();
    }

    LaunchReport& result_;
    bool wanted_;
    Extents grid_;
    std::uint64_t blocks_;
    BlockRun block_{launchState.launch.block};
    std::uint64_t done_ = 0;
    double now_ = cpuSeconds();  ///< when the last block ended
    double told_ = 0;
    bool isCut_ = false;
    std::uint64_t untracedBlocks_ = 0;
    double untracedOfLaunch_ = 0;
};

}  // namespace

void runGrid(LaunchReport& result, bool wanted) {
    GridRun(result, wanted).run();
}

void runBlockAlone(Index3 block) {
    const Extents grid = launchState.launch.grid;
    if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
        giveUp("launch " + std::to_string(launchState.index) + " has no such block");
    }
    LaunchReport ignored;
    GridRun(ignored, true).runAlone(block.x + grid.x * (block.y + std::uint64_t{grid.y} * block.z));
}

void runGridBackwards() {
    LaunchReport ignored;
    GridRun(ignored, true).runBackwards();
}

}  // namespace warplens::runtime
