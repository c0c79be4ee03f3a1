#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/scenario/scenario.h"
#include "core/trace/warp_alignment.h"

namespace warplens {

/// A kernel bound to the launch and arguments of one experiment, ready to be run thread by thread
/// on the host. Give each thread of the host its own.
class TracedKernel final {
  public:
    /// `outputs`, where given, holds one pointer for each array of the kernel: storage for the
    /// output arrays, null for arrays whose values do not matter.
    explicit TracedKernel(const Experiment& experiment, std::span<void* const> outputs = {});

    /// Runs one warp of one block and reports its requests and branches. Returns the number of lane
    /// accesses. Throws TraceFault (predict.h).
    std::uint64_t runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer);

    [[nodiscard]] const Kernel& kernel() const { return kernel_; }

  private:
    const Kernel& kernel_;
    Experiment experiment_;
    std::vector<void*> outputs_;
    std::vector<trace::LaneRecorder> lanes_;
};

}  // namespace warplens
