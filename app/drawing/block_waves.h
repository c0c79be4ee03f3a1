#pragma once

#include <cstdint>
#include <vector>

#include "app/drawing/warp_memory.h"

/// A model of how SMs work off a grid: blocks dealt in the order of their rank, each SM holding as
/// many as it can, all of them taking equally long. CUDA promises no such order.
namespace warplens::drawing {

/// The numbers of SMs that are drawn: 1, 2, 4 as far as they differ, and as many as one wave needs.
[[nodiscard]] std::vector<std::uint64_t> drawnMultiprocessors(std::uint64_t blocks,
                                                              std::uint32_t atATime);

/// For each number of SMs a stack of waves, from above: in a wave SM beside SM, each with its
/// blocks and their ranks, a colour for each SM. Wants at most 64 blocks: of a larger grid it draws
/// none. Cost: below 1,000 items.
[[nodiscard]] Items prepareBlockWaves(std::uint64_t blocks, std::uint32_t atATime,
                                      const DrawArea& area);

}  // namespace warplens::drawing
