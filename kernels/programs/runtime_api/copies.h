#pragma once

#include "core/program/program_trace.h"
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

/// Of memory or arrays, in up to three dimensions.
[[nodiscard]] cuda::Error copyBoxes(const cuda::Copy3D& copy);

/// What the array is called in the host's code, where it was made.
[[nodiscard]] std::string nameOf(const ptx::Allocation& array);
/// CUDA refuses the call that is under way: a finding at its place.
cuda::Error refuseCall(FindingKind kind, const std::string& words,
                       cuda::Error error = cuda::invalidValue);

}  // namespace warplens::programs
