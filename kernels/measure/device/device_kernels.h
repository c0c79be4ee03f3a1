#pragma once

#include "kernels/measure/device/launched_kernel.h"

namespace warplens {

/// Queues a launch of a kernel whose parameters have these types. Throws CudaError.
template <class... Parameter>
void launchKernel(CUfunction kernel, const Launch& launch, Parameter... parameter) {
    std::vector<std::byte> bytes;
    (appendParameter(bytes, parameter), ...);
    launchWith(kernel, launch, bytes);
}

/// A kernel of device_kernels.cu, which NVRTC compiles for this thread's device at the first use in
/// a process: some 100 ms. Throws CompileError, CompilerUnavailable, CudaError.
[[nodiscard]] CUfunction deviceKernel(const char* name);

}  // namespace warplens
