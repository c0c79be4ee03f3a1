#pragma once

#include <optional>

#include "app/drawing/block3d_layout.h"
#include "app/drawing/elements.h"
#include "app/drawing/warp_memory.h"

namespace warplens::drawing {

/// What of the block stands out, and how.
struct Block3dLook final {
    WastedMask wasted{};             ///< threads that are hatched
    std::optional<WarpRank> held{};  ///< seen through the others
    std::optional<Index3> thread{};  ///< outlined
    float smallestDigits = 9;  ///< warps are numbered where their numbers are at least so high
    float fade = 1;            ///< below 1 the cubes recede into the background, unnumbered
};

struct Block3dPicture final {
    Items items;
    Block3dLayout layout;
    Block3dCamera camera;  ///< its picture begins at the area's top left corner
};

/// The threads of a block as cubes with the numbers of their warps, from far to near, and its three
/// axes on their outline; axes of one index, or seen end on, are left out. `block` must be legal.
/// Cost: below 10,000 items.
[[nodiscard]] Block3dPicture prepareBlock3d(Extents block, const Block3dView& view,
                                            const Block3dLook& look, const DrawArea& area);

}  // namespace warplens::drawing
