#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/scenario/scenario.h"
#include "core/trace/launch_totals.h"
#include "kernels/library/remote_tracer.h"
#include "kernels/library/run/array_memory.h"
#include "kernels/library/run/shared_layout.h"
#include "kernels/library/run/unit_row.h"
#include "kernels/library/run/warp.h"

namespace warplens {

/// A kernel bound to the launch and arguments of one experiment, ready to be run block by block: a
/// built-in one within this process, a course's in a child. Give each thread of the host its own.
class TracedKernel final : public trace::BlockTracer {
  public:
    /// `memory`, where given, as made for the same experiment: several may share one. With values
    /// all is computed, and outputs can be read there; otherwise loops that only compute are passed
    /// by, and values mean nothing. Throws std::bad_alloc.
    explicit TracedKernel(const Experiment& experiment,
                          std::shared_ptr<const library::ArrayMemory> memory = nullptr);
    TracedKernel(const TracedKernel&) = delete;
    TracedKernel& operator=(const TracedKernel&) = delete;

    /// Runs the threads of one block and reports what its warps do; a kernel with barriers reports
    /// from barrier to barrier. Where `only` names threads, at most 32, those run alone, as if they
    /// were one warp: they find in shared memory what others left there, and where they read and
    /// branch must not follow from that; in no kernel here does it (tests/trace). Returns the
    /// number of events. Throws TraceFault (predict.h).
    std::uint64_t runBlock(Index3 block, trace::WarpObserver& observer,
                           std::span<const ThreadRank> only = {});
    std::uint64_t trace(Index3 block, std::span<const ThreadRank> only,
                        trace::WarpObserver& observer) override {
        return runBlock(block, observer, only);
    }

    /// One warp of the block alone.
    std::uint64_t runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer);

    [[nodiscard]] const Kernel& kernel() const { return kernel_; }
    /// Reports the rounds of loops from now on, too.
    void reportRounds() { rounds_ = true; }
    /// Where the kernel's arrays in shared memory lie, in their order.
    [[nodiscard]] const std::vector<trace::SharedPlace>& sharedPlaces() const { return places_; }

  private:
    /// As the calling convention has them (lane_runner.h).
    void passArguments();
    /// Arrays in shared memory lie elsewhere for each thread of the host.
    void moveHere();
    [[nodiscard]] std::vector<library::ArrayRange> rangesHere() const;
    void passBarrier(std::span<runtime::Lane> lanes, Index3 block);
    [[noreturn]] void report(const library::OutsideArrays& outside, Index3 block) const;

    const Kernel& kernel_;
    const library::UnitRow* unit_;  ///< null of a course's kernel
    Experiment experiment_;
    std::shared_ptr<const library::ArrayMemory> memory_;
    std::unique_ptr<library::RemoteTracer> remote_;  ///< of a course's kernel; nothing else is made
    runtime::CallArguments arguments_;
    std::vector<std::uint64_t> stack_;  ///< of them
    runtime::LaneProgram program_;
    bool rounds_ = false;    ///< tell rounds of loops
    bool computes_ = false;  ///< run loops that only compute
    library::SharedLayout shared_;
    std::vector<trace::SharedPlace> places_;
    std::uint64_t here_ = 0;  ///< thread pointer that `table_` is for
    std::unique_ptr<library::PlaceTable> table_;
    std::vector<std::pair<std::uint32_t, const char*>> names_;
    runtime::LaneRunner runner_;
    std::vector<runtime::Lane> lanes_;
};

}  // namespace warplens
