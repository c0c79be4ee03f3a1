#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/library/kernel_file.h"
#include "core/scenario/scenario.h"
#include "core/trace/shared_memory.h"
#include "core/trace/warp_alignment.h"
#include "kernels/library/run/array_memory.h"
#include "kernels/library/run/unit_row.h"
#include "kernels/library/run/warp.h"

namespace warplens::library {

/// A built-in kernel: its file, and its code for the host.
struct LibraryKernel final {
    KernelFile file;
    const UnitRow* unit = nullptr;
};

/// All of them, by file. Read once, when first asked for.
[[nodiscard]] std::span<const LibraryKernel> libraryKernels();
/// The one that shows the scenario. Throws InvalidRequest where none does.
[[nodiscard]] const LibraryKernel& libraryKernelOf(std::string_view scenario);

/// The kernel did what none may: accessed what is outside its arrays, or let some threads of a
/// block wait at a barrier that others do not reach. Says file, line, block and thread.
class KernelFault final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A built-in kernel bound to the launch and arguments of one experiment, ready to be run block by
/// block within this process. Give each thread of the host its own.
class BoundKernel final {
  public:
    /// `memory` as made for the same experiment; `withValues` as it was.
    BoundKernel(const LibraryKernel& kernel, const Experiment& experiment,
                std::shared_ptr<const ArrayMemory> memory, bool withValues = false);
    BoundKernel(const BoundKernel&) = delete;
    BoundKernel& operator=(const BoundKernel&) = delete;

    /// Runs the threads of one block and reports what its warps do; a kernel with barriers reports
    /// from barrier to barrier. Where `only` names threads, at most 32, those run alone, as if they
    /// were one warp. Returns the number of events. Throws KernelFault.
    std::uint64_t runBlock(Index3 block, trace::WarpObserver& observer,
                           std::span<const ThreadRank> only = {});

    /// One warp of the block alone.
    std::uint64_t runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer);

    /// Reports the rounds of loops from now on, too.
    void reportRounds() { code_.rounds = true; }
    /// Where the kernel's arrays in shared memory lie, in their order.
    [[nodiscard]] const std::vector<trace::SharedPlace>& sharedPlaces() const { return places_; }
    /// Of the arrays in static shared memory.
    [[nodiscard]] std::uint32_t staticSharedBytes() const { return staticBytes_; }

  private:
    void layOutShared();
    /// Arrays in shared memory lie elsewhere for each thread of the host.
    void moveHere();
    [[nodiscard]] std::vector<ArrayRange> rangesHere() const;
    void passBarrier(std::span<Lane> lanes, Index3 block);
    [[nodiscard]] std::string threadText(Index3 block, Index3 thread) const;

    const LibraryKernel& kernel_;
    Experiment experiment_;
    std::shared_ptr<const ArrayMemory> memory_;
    LaneCode code_;
    const runtime::KernelRow* row_ = nullptr;
    std::vector<trace::SharedPlace> places_;
    std::vector<std::uint64_t> sharedFrom_;  ///< of each: from the thread pointer, if static
    std::vector<std::uint64_t> sharedBytes_;
    std::uint32_t staticBytes_ = 0;
    std::uint64_t here_ = 0;  ///< thread pointer that `table_` is for
    std::unique_ptr<PlaceTable> table_;
    std::vector<std::pair<std::uint32_t, const char*>> names_;
    LaneRunner runner_;
    std::vector<Lane> lanes_;
};

}  // namespace warplens::library
