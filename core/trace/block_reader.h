#pragma once

#include <atomic>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "core/trace/axis_runs.h"
#include "core/trace/launch_totals.h"
#include "core/trace/request_groups.h"

namespace warplens::trace {

/// Thrown when more was read than the time limit allows.
struct TooCostly final {};

/// What of a block is traced.
struct BlockPart final {
    enum class Which : std::uint8_t {
        all,
        corners,  ///< the block's first and last threads along each axis, as if they were a warp
        warp,
        rowEndsOfWarp,  ///< those of the warp's threads with which a row of it begins or ends
    };

    Index3 block;
    Which which = Which::all;
    WarpRank warp{};
};

/// Traces parts of blocks on several threads of the host, and keeps count.
class BlockReader final {
  public:
    BlockReader(const TracedLaunch& launch, const TotalsOptions& options);
    BlockReader(BlockReader&&) = delete;
    ~BlockReader();

    /// What it does. All that read throw TraceStopped, TooCostly and what the tracer throws.
    [[nodiscard]] RequestGroups read(const BlockPart& part);
    /// The same of each, in their order.
    [[nodiscard]] std::vector<RequestGroups> readAll(std::span<const BlockPart> parts);
    /// All of these blocks together, as often as they stand for others; they are not kept count of.
    [[nodiscard]] LineTallies readWhole(const BlockSet& blocks);

    /// Progress is told from here on to that fraction.
    void nextStage(double fraction);
    /// Once reading comes to that cost, TooCostly is thrown.
    void limitCost(std::uint64_t most) { mostCost_ = most; }
    /// What was read so far, in steps of lanes: the same on every machine, however busy it is.
    [[nodiscard]] std::uint64_t cost() const { return cost_; }
    [[nodiscard]] std::uint64_t blocksTraced() const { return blocks_.size(); }
    /// Those that are in none of the sets.
    [[nodiscard]] std::uint64_t blocksTracedBeside(std::span<const BlockSet> sets) const;
    [[nodiscard]] std::span<const ThreadRank> corners() const { return corners_; }

  private:
    struct Worker;

    void check() const;
    [[nodiscard]] Worker& worker(std::size_t index);
    /// Runs `work(worker, item)` for every item below `count`, shared out among the threads.
    template <class Work>
    void forEach(std::uint64_t count, std::uint64_t share, Work work);
    std::uint64_t trace(Worker& worker, const BlockPart& part);

    const TracedLaunch& launch_;
    const TotalsOptions& options_;
    std::vector<ThreadRank> corners_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::unordered_set<std::uint64_t> blocks_;
    std::uint64_t mostCost_ = UINT64_MAX;
    std::atomic<std::uint64_t> cost_ = 0;
    std::mutex mutex_;
    double begun_ = 0;  ///< fractions of the whole, of the stage
    double aim_ = 0;
};

}  // namespace warplens::trace
