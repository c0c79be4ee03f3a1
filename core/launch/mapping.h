#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/launch/launch.h"

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

/// How the threads of a launch lie on a problem of `work` elements.
struct Coverage final {
    std::uint64_t launched = 0;  ///< threads in the grid
    std::uint64_t useful = 0;    ///< threads with an element of their own
    std::uint64_t missed = 0;    ///< elements no thread reaches
    [[nodiscard]] constexpr std::uint64_t wasted() const { return launched - useful; }
    friend constexpr bool operator==(const Coverage&, const Coverage&) = default;
};

/// The smallest grid of `block` that covers `work` elements in each axis: ceil(work / block).
/// `block` must have no zero extent.
[[nodiscard]] constexpr Extents coveringGrid(Extents work, Extents block) {
    const auto divideUp = [](std::uint32_t a, std::uint32_t b) {
        return static_cast<std::uint32_t>((std::uint64_t{a} + b - 1) / b);
    };
    return {divideUp(work.x, block.x), divideUp(work.y, block.y), divideUp(work.z, block.z)};
}

/// Counts by axis, thread (x,y,z) standing for element (x,y,z); each count exact up to 2^64-1.
[[nodiscard]] constexpr Coverage coverageOf(const Launch& launch, Extents work) {
    const auto reached = [](std::uint64_t grid, std::uint64_t block, std::uint64_t elements) {
        return static_cast<std::uint32_t>(std::min(grid * block, elements));
    };
    const Extents useful{reached(launch.grid.x, launch.block.x, work.x),
                         reached(launch.grid.y, launch.block.y, work.y),
                         reached(launch.grid.z, launch.block.z, work.z)};
    return {launch.threadCount(), useful.count(), work.count() - useful.count()};
}

/// How a block lies on a problem: along each axis it is wholly inside, or sticks out (some or all
/// of its threads are past the last element). Eight cases; a 2D problem has the four that textbooks
/// draw: inside, columns out, rows out, both out.
struct BlockCase final {
    bool x = false;  ///< sticks out along x
    bool y = false;
    bool z = false;
    friend constexpr bool operator==(const BlockCase&, const BlockCase&) = default;

    /// 0 .. 7: bit 0 x, bit 1 y, bit 2 z.
    [[nodiscard]] constexpr std::uint32_t index() const {
        return (x ? 1u : 0u) | (y ? 2u : 0u) | (z ? 4u : 0u);
    }
};
inline constexpr std::uint32_t blockCaseCount = 8;

/// The guard of a kernel, as the blocks of a launch see it: along each axis so many blocks lie
/// wholly inside, and the next one has so many threads inside. Axes of the problem that the kernel
/// does not look at have one element: threads further out repeat what others do.
struct BlockGuard final {
    Extents block;
    Extents wholeBlocks{UINT32_MAX, UINT32_MAX, UINT32_MAX};
    Index3 rest;  ///< threads inside, of the block after those
    friend constexpr bool operator==(const BlockGuard&, const BlockGuard&) = default;

    [[nodiscard]] constexpr BlockCase caseOf(Index3 at) const {
        return {at.x >= wholeBlocks.x, at.y >= wholeBlocks.y, at.z >= wholeBlocks.z};
    }
    /// Threads of that block along each axis that have an element of their own.
    [[nodiscard]] constexpr Index3 usefulThreads(Index3 at) const {
        const auto along = [](std::uint32_t place, std::uint32_t whole, std::uint32_t all,
                              std::uint32_t part) {
            if (place < whole) return all;
            return place == whole ? part : 0u;
        };
        return {along(at.x, wholeBlocks.x, block.x, rest.x),
                along(at.y, wholeBlocks.y, block.y, rest.y),
                along(at.z, wholeBlocks.z, block.z, rest.z)};
    }
    [[nodiscard]] constexpr bool wastes(Index3 at, Index3 thread) const {
        const Index3 useful = usefulThreads(at);
        return thread.x >= useful.x || thread.y >= useful.y || thread.z >= useful.z;
    }
};

/// `work` as in `coverageOf`; the block must have no zero extent.
[[nodiscard]] constexpr BlockGuard guardOf(Extents work, Extents block) {
    return {block,
            {work.x / block.x, work.y / block.y, work.z / block.z},
            {work.x % block.x, work.y % block.y, work.z % block.z}};
}

/// What one case amounts to in a launch.
struct BlockCaseCount final {
    BlockCase which;
    std::uint64_t blocks = 0;
    std::uint64_t wasted = 0;  ///< threads without an element of their own, at most 2^64-1
    friend constexpr bool operator==(const BlockCaseCount&, const BlockCaseCount&) = default;
};

/// The cases that occur in the grid, by index. Together they waste what `coverageOf` says.
[[nodiscard]] std::vector<BlockCaseCount> countBlockCases(const BlockGuard& guard, Extents grid);

/// `inside`, `columns out`, `rows out`, `both out`: x counts columns, y rows and z layers.
[[nodiscard]] const char* nameOf(BlockCase which);

}  // namespace warplens
