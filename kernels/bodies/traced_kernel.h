#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/scenario/scenario.h"
#include "core/trace/shared_memory.h"
#include "core/trace/warp_alignment.h"

namespace warplens {

/// A kernel bound to the launch and arguments of one experiment, ready to be run block by block on
/// the host. Give each thread of the host its own.
class TracedKernel final {
  public:
    /// `outputs`, where given, holds one pointer for each array of the kernel: storage for the
    /// output arrays, null for arrays whose values do not matter. Without, values are not computed
    /// in full.
    explicit TracedKernel(const Experiment& experiment, std::span<void* const> outputs = {});

    /// Runs the threads of one block and reports the requests and branches warp after warp; a
    /// kernel with barriers reports from barrier to barrier. Where `only` names threads, at most
    /// 32, those run alone, as if they were one warp: they find in shared memory what others never
    /// stored, and where they read and branch must not follow from that; in no kernel here does it
    /// (tests/trace). Returns the number of events. Throws TraceFault (predict.h).
    std::uint64_t runBlock(Index3 block, trace::WarpObserver& observer,
                           std::span<const ThreadRank> only = {});
    /// One warp of the block alone.
    std::uint64_t runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer);

    /// Reports the rounds of loops from now on, too.
    void reportRounds() { reportsRounds_ = true; }
    /// Where the kernel's arrays in shared memory lie, in their order; known after a run.
    [[nodiscard]] const std::vector<trace::SharedPlace>& sharedPlaces() const {
        return shared_.places;
    }

    [[nodiscard]] const Kernel& kernel() const { return kernel_; }
    /// Bytes of the arrays in static shared memory that the body declares before its first access.
    /// Cost: microseconds, whatever the launch.
    [[nodiscard]] std::uint32_t staticSharedBytes();

  private:
    /// Calls `use` with a function that runs the kernel's body once, for the current thread.
    template <class Use>
    void withBody(Use use);
    std::uint64_t runTogether(std::span<const ThreadRank> threads, trace::WarpObserver& observer);
    std::uint64_t runWithBarriers(std::span<const ThreadRank> threads,
                                  trace::WarpObserver& observer);
    std::uint64_t alignWarps(std::uint32_t threads, trace::WarpObserver& observer);
    static std::uint64_t align(std::span<const trace::LaneRecorder> lanes,
                               trace::WarpObserver& observer);

    const Kernel& kernel_;
    Experiment experiment_;
    std::vector<void*> outputs_;
    std::vector<ThreadRank> threads_;         ///< of the block
    std::vector<trace::LaneRecorder> lanes_;  ///< one for each thread that runs at a time
    trace::SharedMemory shared_;
    bool reportsRounds_ = false;
};

}  // namespace warplens
