#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/launch/extents.h"

namespace warplens::trace {

/// A block to trace, and how many blocks of the grid it stands for.
struct SampledBlock final {
    Index3 index;
    std::uint64_t weight;
    friend bool operator==(const SampledBlock&, const SampledBlock&) = default;
};

/// Blocks that stand for a whole grid: along each axis a block is the first, the last or one
/// between, which makes up to 27 classes (corners, edges, interior). From each class up to
/// `perClass` blocks are drawn, spread evenly over the class with a fixed seed; their weights sum
/// to the size of the class. The weights of all sum to grid.count().
[[nodiscard]] std::vector<SampledBlock> sampleBlocks(Extents grid, std::uint32_t perClass);

}  // namespace warplens::trace
