#pragma once

#include <cstdint>

#include "core/launch/extents.h"

/// How CUDA numbers the threads of a block and groups them into warps.
/// Rule: CUDA Programming Guide, "Thread Hierarchy" (x fastest, then y, then z) and "Hardware
/// Multithreading" (a warp holds consecutive, increasing thread ranks, the first warp rank 0).
/// Everything here is constexpr: the tests judge it at compile time and on the host, and every
/// measurement holds it against the hardware's own lane numbers.
namespace warplens {

inline constexpr std::uint32_t lanesPerWarp = 32;

/// Linear rank of a thread in its block, 0 .. threads-1.
struct ThreadRank final {
    std::uint32_t value = 0;
    friend constexpr bool operator==(const ThreadRank&, const ThreadRank&) = default;
};

/// Linear rank of a warp in its block, 0 .. 31.
struct WarpRank final {
    std::uint32_t value = 0;
    friend constexpr bool operator==(const WarpRank&, const WarpRank&) = default;
};

/// Place of a thread in its warp, 0 .. 31.
struct LaneIndex final {
    std::uint32_t value = 0;
    friend constexpr bool operator==(const LaneIndex&, const LaneIndex&) = default;
};

[[nodiscard]] constexpr ThreadRank threadRankInBlock(Index3 thread, Extents block) {
    return {thread.x + thread.y * block.x + thread.z * block.x * block.y};
}

/// Inverse of `threadRankInBlock`; the rank must be below block.count().
[[nodiscard]] constexpr Index3 threadIndexInBlock(ThreadRank rank, Extents block) {
    return {rank.value % block.x, rank.value / block.x % block.y, rank.value / block.x / block.y};
}

[[nodiscard]] constexpr WarpRank warpRankInBlock(ThreadRank rank) {
    return {rank.value / lanesPerWarp};
}

[[nodiscard]] constexpr LaneIndex laneIndex(ThreadRank rank) {
    return {rank.value % lanesPerWarp};
}

[[nodiscard]] constexpr ThreadRank firstThreadOfWarp(WarpRank warp) {
    return {warp.value * lanesPerWarp};
}

/// Warps a block occupies, the last one perhaps in part: ceil(threads / 32).
[[nodiscard]] constexpr std::uint32_t warpCountPerBlock(Extents block) {
    return static_cast<std::uint32_t>((block.count() + lanesPerWarp - 1) / lanesPerWarp);
}

/// Lanes of the last warp that hold no thread, 0 .. 31; they are issued and do nothing.
[[nodiscard]] constexpr std::uint32_t idleLaneCount(Extents block) {
    return static_cast<std::uint32_t>(std::uint64_t{warpCountPerBlock(block)} * lanesPerWarp -
                                      block.count());
}

/// Threads of one warp: 32, or what is left for the last one.
[[nodiscard]] constexpr std::uint32_t threadCountInWarp(WarpRank warp, Extents block) {
    const std::uint64_t left = block.count() - firstThreadOfWarp(warp).value;
    return left < lanesPerWarp ? static_cast<std::uint32_t>(left) : lanesPerWarp;
}

/// Linear rank of a block in its grid, x fastest.
[[nodiscard]] constexpr std::uint64_t blockRankInGrid(Index3 block, Extents grid) {
    return block.x + std::uint64_t{grid.x} * (block.y + std::uint64_t{grid.y} * block.z);
}

/// Inverse of `blockRankInGrid`; the rank must be below grid.count().
[[nodiscard]] constexpr Index3 blockIndexInGrid(std::uint64_t rank, Extents grid) {
    return {static_cast<std::uint32_t>(rank % grid.x),
            static_cast<std::uint32_t>(rank / grid.x % grid.y),
            static_cast<std::uint32_t>(rank / grid.x / grid.y)};
}

}  // namespace warplens
