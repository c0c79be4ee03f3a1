#pragma once

#include <string>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/programs/runtime_api/device.h"
#include "kernels/ptx/check/address_formulas.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::programs {

/// What a launch comes to as it is written: of `-G`'s PTX.
struct SourceRun final {
    std::vector<ProgramLine> lines;  ///< in a sample times what its blocks stand for
    std::vector<Finding> findings;
    std::vector<std::string> notes;
    std::vector<SampleBound> bounds;  ///< of a sample
    std::uint64_t blocks = 0;         ///< that were run
    std::uint32_t barriers = 0;       ///< `LaunchReport::barriers`
    bool isExact = false;             ///< all of them
    bool isWhole = false;             ///< and to their ends: what they left can be compared
};

/// Runs it from the memory as it is, and checks what it does. Where that takes longer than
/// `seconds`, once more without the checks, and where that does too, a sample of its blocks.
/// `around` says what a run needs but for when it is stopped. Cost: at most about three times
/// `seconds`.
[[nodiscard]] SourceRun runSource(RuntimeDevice& device, const ptx::KernelLaunch& launch,
                                  ptx::Surroundings around, double seconds);

/// What was written is no longer known, since a launch was not run as it is written.
void forgetUnwritten(RuntimeDevice& device);

/// Time that has passed since some moment, in seconds.
[[nodiscard]] double secondsNow();

/// What a launch did at each place of the source, by array, from what the machine counted. Local
/// memory is left out. `formulas` are what was learned of the same launch.
[[nodiscard]] std::vector<ProgramLine> linesOf(
    ptx::Program& program, const ptx::KernelLaunch& launch, const ptx::LaunchResult& result,
    Source source, const ptx::check::AddressFormulas* formulas = nullptr);

/// One sentence for each array whose bytes are others than the snapshot's, beyond what the order
/// and the fusing of additions may change in numbers with a fraction. The snapshot holds what
/// optimised code made of them, the memory what code without optimisation did.
[[nodiscard]] std::vector<std::string> differences(const ptx::Memory& memory,
                                                   const ptx::Memory::Snapshot& snapshot);

/// What the warps of one block do as it is written, step by step, from the memory as it is: alone,
/// or behind all blocks before it where what it does depends on them. `launch` is of `-G`'s PTX.
/// Pieces of a vector are one step; what code of a library decides is none. Statements of branches
/// are left to who has the files. Cost: of the block's observed run, or of the launch's up to it.
[[nodiscard]] BlockSteps stepsOfBlock(RuntimeDevice& device, const ptx::KernelLaunch& launch,
                                      Index3 block, ptx::Surroundings around);

}  // namespace warplens::programs
