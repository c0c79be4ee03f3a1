#pragma once

#include "app/drawing/warp_memory.h"
#include "core/launch/extents.h"

namespace warplens::drawing {

/// The threads of a block on their way into warps: they leave the block in the order of their rank,
/// stand in one line, and the line is cut every 32.
struct LineUp final {
    Extents block;
    double at = 0;     ///< 0: in the block; 0.5: in the line; 1: cut
    bool told = true;  ///< false: in the block, without anything that tells of warps
};

/// Cost: some 3 items for each thread.
[[nodiscard]] Items prepareLineUp(const LineUp& lineUp, const DrawArea& area);

}  // namespace warplens::drawing
