#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "core/kernel/kernel.h"
#include "core/launch/mapping.h"
#include "core/trace/warp_observer.h"

namespace warplens::trace {

/// Runs threads of one block of a launch. Each thread of the host has one of its own.
class BlockTracer {
  public:
    virtual ~BlockTracer() = default;
    /// Reports what the block's warps do, or, where threads are named (at most 32), what those do
    /// as if they were one warp alone. Deterministic. Returns the number of accesses and decisions
    /// of all lanes. What it throws ends the prediction.
    virtual std::uint64_t trace(Index3 block, std::span<const ThreadRank> threads,
                                WarpObserver& observer) = 0;
};

/// A launch that can be traced block by block.
struct TracedLaunch final {
    Extents grid;
    Extents block;
    std::span<const KernelBranch> branches;
    std::function<std::unique_ptr<BlockTracer>()> tracer;  ///< called from any thread of the host
    /// Arrays whose values decide what is accessed: no block that reads of one tells what another
    /// does.
    std::vector<std::uint16_t> dataArrays{};
    /// Axes along which the code reads the block's index: along the others blocks do the same.
    std::array<bool, 3> readsBlockIndex{true, true, true};
};

struct TotalsOptions final {
    /// Trace every block, however long it takes.
    bool everyBlock = false;
    /// Steps of lanes up to which every block is traced anyway: a tenth of a second.
    std::uint64_t everyBlockUpTo = 16'000'000;
    /// Steps of a block above which its corners stand for it while kinds are looked for, and one
    /// warp of it is traced at a time.
    std::uint64_t blockWholeUpTo = 200'000;
    /// Where blocks that are not alike cannot all be traced in this time, a sample stands in.
    std::chrono::steady_clock::duration timeLimit = std::chrono::seconds(4);
    unsigned threads = 0;                    ///< of the host; 0: one for each core
    std::stop_token stop{};                  ///< a requested stop ends it with TraceStopped
    std::function<void(double)> progress{};  ///< fraction done, called from one thread at a time
};

class TraceStopped final : public std::runtime_error {
  public:
    TraceStopped() : std::runtime_error("prediction cancelled") {}
};

/// What a launch does, line by line.
struct LaunchTotals final {
    LineTallies lines;
    std::uint64_t blocksTraced = 0;  ///< wholly or in part
    /// Kinds of block that the totals are made from, one that reads data being of its own; 0 where
    /// every block was traced, or a sample.
    std::uint64_t kinds = 0;
    /// 0 for exact totals; else none of the launch's totals is further off, 95 times out of 100, by
    /// what the blocks of the sample differ among themselves.
    double errorPercent = 0;
    bool sampled = false;
};

/// Adds up a launch. Blocks with the same lanes in range and the same alignment of every access
/// cost the same: where blocks are found to be of few kinds, one of each kind is traced and counted
/// as often as the kind occurs. Of each axis it is found how kinds change along it (axis_runs.h);
/// within a kind, that addresses are affine in the block's index, so that how they are aligned
/// follows for every block; and both are tried on further blocks of each kind, the last one and
/// random ones; where addresses are not affine, blocks are told apart by their alignment, too.
/// Blocks of many steps are looked at through some of their threads, and traced warp by warp.
/// Blocks that read data which decides what is accessed are never taken to be alike, but along an
/// axis that the code does not read: each of them is traced. Where that would take longer than the
/// time limit, and where blocks are not of few kinds, a sample stands in for them. Throws
/// TraceStopped, and what the tracer throws.
[[nodiscard]] LaunchTotals totalsOf(const TracedLaunch& launch, const TotalsOptions& options);

}  // namespace warplens::trace
