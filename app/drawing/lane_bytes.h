#pragma once

#include "app/drawing/warp_memory.h"

namespace warplens::drawing {

/// What each lane of a step asks for, lane by lane, and nothing about what that costs: the bytes
/// are named, not drawn where they lie. Cost: below 200 items.
[[nodiscard]] Items prepareLaneBytes(const WarpTrace& trace, std::size_t step,
                                     const DrawArea& area);

}  // namespace warplens::drawing
