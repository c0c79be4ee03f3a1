#pragma once

#include "core/program/program_trace.h"
#include "kernels/programs/runtime_api/device.h"

namespace warplens::programs {

/// What the warps of one block do as it is written, step by step, from the memory as it is: alone,
/// or behind all blocks before it where what it does depends on them. `launch` is of `-G`'s PTX.
/// Pieces of a vector are one step; what code of a library decides is none. Statements of branches
/// are left to who has the files. Cost: of the block's observed run, or of the launch's up to it.
[[nodiscard]] BlockSteps stepsOfBlock(RuntimeDevice& device, const ptx::KernelLaunch& launch,
                                      Index3 block, ptx::Surroundings around);

}  // namespace warplens::programs
