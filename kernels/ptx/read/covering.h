#pragma once

#include "core/launch/launch.h"
#include "kernels/ptx/read/module.h"

namespace warplens::ptx {

/// The grid with which blocks of another size have as many threads as those of `own`, or up to a
/// block more, along each axis on which the kernel multiplies a block's index by a block's size, as
/// in `blockIdx.x * blockDim.x`. Along others, as of `blockIdx.x * 32`, that of `own`. Linear in
/// the kernel's instructions.
[[nodiscard]] Extents coveringGrid(const Function& kernel, const Launch& own, const Extents& block);

}  // namespace warplens::ptx
