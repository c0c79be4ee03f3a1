#pragma once

#include "core/launch/mapping.h"

/// What must be true of the thread-to-warp rule for every block and grid, said without repeating
/// the formulas of mapping.h. The same functions are judged by the compiler and on the host.
namespace warplens::laws {

/// Ranks count the threads 0, 1, 2, ... with x running fastest, then y, then z.
[[nodiscard]] constexpr bool ranksFollowXThenYThenZ(Extents block) {
    std::uint32_t next = 0;
    for (std::uint32_t z = 0; z < block.z; ++z) {
        for (std::uint32_t y = 0; y < block.y; ++y) {
            for (std::uint32_t x = 0; x < block.x; ++x) {
                if (threadRankInBlock({x, y, z}, block).value != next++) return false;
            }
        }
    }
    return next == block.count();
}

/// The index of a rank has that rank, and lies inside the block.
[[nodiscard]] constexpr bool indexAndRankAreInverse(Extents block) {
    for (ThreadRank rank; rank.value < block.count(); ++rank.value) {
        const Index3 index = threadIndexInBlock(rank, block);
        if (index.x >= block.x || index.y >= block.y || index.z >= block.z) return false;
        if (!(threadRankInBlock(index, block) == rank)) return false;
    }
    return true;
}

/// Walking the ranks, lanes count 0 .. 31 over and over, and each wrap begins the next warp.
[[nodiscard]] constexpr bool lanesWrapIntoWarps(Extents block) {
    WarpRank warp{0};
    std::uint32_t lane = 0;
    for (ThreadRank rank; rank.value < block.count(); ++rank.value) {
        if (lane == lanesPerWarp) {
            lane = 0;
            ++warp.value;
        }
        if (!(warpRankInBlock(rank) == warp) || laneIndex(rank).value != lane) return false;
        if (lane == 0 && !(firstThreadOfWarp(warp) == rank)) return false;
        ++lane;
    }
    return warpCountPerBlock(block) == warp.value + 1 &&
           idleLaneCount(block) == lanesPerWarp - lane;
}

/// The warps hold every thread once: all are full but perhaps the last, and none is empty.
[[nodiscard]] constexpr bool warpsHoldEveryThread(Extents block) {
    std::uint64_t held = 0;
    const std::uint32_t warps = warpCountPerBlock(block);
    for (WarpRank warp; warp.value < warps; ++warp.value) {
        const std::uint32_t threads = threadCountInWarp(warp, block);
        if (threads == 0 || threads > lanesPerWarp) return false;
        if (warp.value + 1 < warps && threads != lanesPerWarp) return false;
        held += threads;
    }
    return held == block.count();
}

/// Block ranks count the blocks of a grid, and the index of a rank has that rank.
[[nodiscard]] constexpr bool blockRanksCountTheGrid(Extents grid) {
    for (std::uint64_t rank = 0; rank < grid.count(); ++rank) {
        const Index3 index = blockIndexInGrid(rank, grid);
        if (index.x >= grid.x || index.y >= grid.y || index.z >= grid.z) return false;
        if (blockRankInGrid(index, grid) != rank) return false;
    }
    return blockRankInGrid({grid.x - 1, grid.y - 1, grid.z - 1}, grid) == grid.count() - 1;
}

[[nodiscard]] constexpr bool allHoldFor(Extents block) {
    return ranksFollowXThenYThenZ(block) && indexAndRankAreInverse(block) &&
           lanesWrapIntoWarps(block) && warpsHoldEveryThread(block);
}

/// Blocks every test of the rule goes through: a lane, one short of a warp, a warp, one over, odd
/// sides, depth, and the largest in each direction.
inline constexpr Extents blocks[] = {
    {1},       {31},     {32},   {33},      {7, 5},      {4, 2, 8}, {1, 1, 64},
    {5, 7, 3}, {32, 32}, {1024}, {1, 1024}, {16, 1, 64}, {8, 32},   {32, 8},
};

}  // namespace warplens::laws
