#include "kernels/library/run/kernel_variables.h"

#include "kernels/trace/runtime/lane_variables.h"

extern "C" {
WL_OF_THREAD int wl_rounds = 0;
WL_OF_THREAD int wl_computes = 0;
alignas(128) WL_OF_THREAD
    unsigned char wl_dynamic_shared[warplens::library::mostDynamicSharedBytes] = {};

/// What one block hands to another is none of what is traced.
void wl_fence() {}
}

namespace warplens::library {

void setKernelVariables(const Launch& launch, Index3 block, bool rounds, bool computes) {
    const auto& [grid, extents, shared] = launch;
    blockIdx = {block.x, block.y, block.z};
    blockDim = {extents.x, extents.y, extents.z};
    gridDim = {grid.x, grid.y, grid.z};
    wl_rounds = rounds ? 1 : 0;
    wl_computes = computes ? 1 : 0;
}

std::uint64_t dynamicSharedAddress() {
    return reinterpret_cast<std::uint64_t>(&wl_dynamic_shared);
}

std::uint64_t threadPointer() {
    return reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
}

}  // namespace warplens::library
