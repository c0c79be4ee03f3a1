#pragma once

#include "app/drawing/warp_memory.h"

namespace warplens::drawing {

/// One request to global memory, large: the warp's lanes, and below them each sector as a box of
/// its own, with the lanes' numbers in the bytes they asked for and the others hatched. No lines
/// lead from the one to the other: the numbers do. Cost: below 1,500 items.
[[nodiscard]] Items prepareSectorGrid(const WarpTrace& trace, std::size_t step,
                                      const DrawArea& area);

}  // namespace warplens::drawing
