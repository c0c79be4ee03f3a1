#pragma once

#include "app/drawing/items.h"

namespace warplens::drawing {

/// How the lanes of a warp look.
struct LanesLook final {
    Rgb background = 0;
    Rgb outline = 0;  ///< of lanes that hold no thread
    float outlineWidth = 1;
    std::uint32_t hatched = 0;  ///< bit `lane` is set
    float strength = 1;         ///< below 1 the warp recedes into the background
};

/// The 32 lanes of a warp of the block beside one another: lane 0 fills `first`, each next one lies
/// `pitch` further to the right. Lanes without a thread are hollow.
void drawLanes(WarpRank warp, Extents block, const Box& first, float pitch, const LanesLook& look,
               Items& items);

}  // namespace warplens::drawing
