#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/program/program_trace.h"
#include "core/scenario/scenario.h"
#include "core/schedule/sm_model.h"
#include "core/trace/launch_totals.h"
#include "kernels/library/array_memory.h"
#include "kernels/library/kernel_program.h"

namespace warplens {

/// A kernel bound to the launch and arguments of one experiment, ready to be run block by block:
/// its PTX on the machine (kernels/ptx). Give each thread of the host its own.
class TracedKernel final : public trace::BlockTracer {
  public:
    /// `memory`, where given, as made for the same experiment: several may share one. With values
    /// all is computed, and outputs can be read there; otherwise loops that only compute are passed
    /// by, and values mean nothing. `ptx` and `computes` as in PreparedLaunch. Throws TraceFault
    /// (predict.h), std::bad_alloc.
    explicit TracedKernel(const Experiment& experiment,
                          std::shared_ptr<const library::ArrayMemory> memory = nullptr,
                          std::string_view ptx = {}, bool computes = false);
    /// Whether the code that is run has a branch of that name.
    [[nodiscard]] bool decides(const KernelBranch& branch) const;
    ~TracedKernel() override;

    /// Runs the threads of one block and reports what its warps do; a kernel with barriers reports
    /// from barrier to barrier. Where `only` names threads, at most 32, those run alone, as if they
    /// were one warp: they find in shared memory what others left there, and where they read and
    /// branch must not follow from that; in no kernel here does it (tests/trace). Returns the
    /// number of accesses and decisions of all lanes. Throws TraceFault.
    std::uint64_t runBlock(Index3 block, trace::WarpObserver& observer,
                           std::span<const ThreadRank> only = {});
    std::uint64_t trace(Index3 block, std::span<const ThreadRank> only,
                        trace::WarpObserver& observer) override {
        return runBlock(block, observer, only);
    }

    /// One warp of the block alone.
    std::uint64_t runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer);

    [[nodiscard]] const Kernel& kernel() const { return kernel_; }
    /// Reports the iterations of loops from now on, too.
    void reportRounds();
    /// Where the kernel's arrays in shared memory lie, in their order.
    [[nodiscard]] const std::vector<trace::SharedPlace>& sharedPlaces() const { return places_; }

  private:
    class Teller;
    class Run;

    [[noreturn]] void report(const Finding& finding) const;

    const Kernel& kernel_;
    std::vector<trace::SharedPlace> places_;
    std::unique_ptr<Run> run_;
};

/// What the warps of a block execute, by the kernel's optimized PTX, and what their accesses ask
/// for: sectors that the block has read before come from the L1. Loads of parameters, moves and
/// conversions of addresses are left out, as ptxas does. Throws TraceFault (predict.h).
[[nodiscard]] BlockProgram blockProgramOf(const Experiment& experiment, Index3 block,
                                          const std::stop_token& stop = {});

}  // namespace warplens
