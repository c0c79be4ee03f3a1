#pragma once

#include <array>
#include <vector>

#include "core/launch/coverage.h"

namespace warplens {

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
