#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "core/launch/launch.h"
#include "core/measurement/measurement.h"
#include "kernels/measure/device/driver.h"

namespace warplens {

/// Appends a kernel's next parameter, aligned as parameters are.
template <class T>
void appendParameter(std::vector<std::byte>& bytes, T value) {
    bytes.resize((bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T) + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

/// Queues a launch on the default stream; `parameters` are the kernel's, as they lie in memory.
/// Throws CudaError.
void launchWith(CUfunction kernel, const Launch& launch, std::span<const std::byte> parameters,
                bool cooperative = false);

/// Lets the kernel have as much dynamic shared memory as the launch asks for. Throws CudaError.
void allowSharedMemory(CUfunction kernel, const Launch& launch);

/// What the kernel takes as compiled. Throws CudaError.
[[nodiscard]] KernelResources resourcesOf(CUfunction kernel);

/// Blocks of the launch that fit on one SM at once, by the driver's occupancy rule. Throws
/// CudaError.
[[nodiscard]] int residentBlocksOf(CUfunction kernel, const Launch& launch);

}  // namespace warplens
