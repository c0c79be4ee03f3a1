#pragma once

#include <cstdint>

#include "core/launch/launch.h"

/// What the code of built-in kernels reads beside its arguments: each thread of the host has its
/// own.
namespace warplens::library {

/// The site of an event that tells a round of a loop: line in bits 32 to 47, value in bits 0 to 31.
inline constexpr std::uint32_t roundSite = 0xffff;

/// Of the block that the calling thread runs from now on: blockIdx and its like, whether rounds of
/// loops are told, and whether loops that only compute are run.
void setKernelVariables(const Launch& launch, Index3 block, bool rounds, bool computes);

/// Bytes of `extern __shared__` arrays that a built-in kernel may have.
inline constexpr std::uint32_t mostDynamicSharedBytes = 48 * 1024;
/// Of the calling thread.
[[nodiscard]] std::uint64_t dynamicSharedAddress();
/// What `@tpoff` counts from.
[[nodiscard]] std::uint64_t threadPointer();

}  // namespace warplens::library
