#pragma once

#include <algorithm>
#include <cstdint>

#include "core/launch/launch.h"

namespace warplens {

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

}  // namespace warplens
