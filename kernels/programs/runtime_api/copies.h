#pragma once

#include "kernels/programs/runtime_api/device.h"

namespace warplens::programs {

/// Copies and fills as CUDA does, between arrays of the device and the host's memory. What CUDA
/// refuses is told as a finding, and nothing is copied.
[[nodiscard]] cuda::Error copyBytes(void* to, const void* from, std::size_t bytes, int kind);
[[nodiscard]] cuda::Error fillBytes(void* to, int value, std::size_t bytes);
/// Rows of `width` bytes, so many bytes apart.
[[nodiscard]] cuda::Error copyRows(void* to, std::size_t toPitch, const void* from,
                                   std::size_t fromPitch, std::size_t width, std::size_t height,
                                   int kind);

}  // namespace warplens::programs
