#pragma once

#include "app/drawing/warp_memory.h"
#include "core/scenario/scenario.h"

namespace warplens::drawing {

/// A product by tiles, phase by phase: which piece of `a` and of `b` the block's threads load, and
/// then which row and column of the tiles its elements are computed from.
struct TilePhases final {
    std::uint64_t n = 0;     ///< rows and columns of the matrices
    std::uint32_t tile = 0;  ///< rows and columns of a tile
    Index3 block{};          ///< whose tiles they are
    double at = 0;           ///< 0: the first phase begins; 1: the last has ended
    friend bool operator==(const TilePhases&, const TilePhases&) = default;
};

/// Of an experiment; nothing where its kernel takes no tiles.
[[nodiscard]] std::optional<TilePhases> tilePhasesOf(const Experiment& experiment, Index3 block);

[[nodiscard]] Items prepareTilePhases(const TilePhases& phases, const DrawArea& area);

}  // namespace warplens::drawing
