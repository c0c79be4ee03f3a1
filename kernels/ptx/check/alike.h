#pragma once

#include <optional>

#include "core/launch/launch.h"
#include "core/program/program_trace.h"
#include "kernels/ptx/run/program.h"

namespace warplens::ptx::check {

/// What repeats its work in a launch, as where an index was left out: `the 4 blocks along x do the
/// same: step never reads blockIdx.x`, or so of a block's threads; at the first line that stores to
/// global memory. Nothing of a kernel that has another way to tell blocks or threads apart, also in
/// what it calls: atomics' results, clocks, what others write meanwhile, and of threads shuffles.
/// Where another index is read, that one is left out (`LeftOut::byIndex`). Linear in the
/// instructions.
[[nodiscard]] std::optional<Finding> alike(const Program& program, const Function& kernel,
                                           const Launch& launch);

}  // namespace warplens::ptx::check
