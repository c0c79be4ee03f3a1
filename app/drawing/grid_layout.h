#pragma once

#include <optional>

#include "app/drawing/block_layout.h"

namespace warplens {

/// Where the blocks of one z plane of a grid lie in the picture. A 1D grid is folded into rows. The
/// cells of a large grid are far below a pixel, and not square.
struct GridLayout final {
    Extents grid;
    std::uint32_t z = 0;        ///< the plane that is drawn
    std::uint32_t columns = 1;  ///< blocks in a row; grid.x unless folded
    std::uint32_t rows = 1;
    double cellWidth = 1;  ///< pixels
    double cellHeight = 1;
    friend constexpr bool operator==(const GridLayout&, const GridLayout&) = default;

    [[nodiscard]] bool folded() const { return columns != grid.x; }
    [[nodiscard]] float width() const { return static_cast<float>(columns * cellWidth); }
    [[nodiscard]] float height() const { return static_cast<float>(rows * cellHeight); }
};

/// Lays out plane `z` of a legal grid inside `width` x `height` pixels.
[[nodiscard]] GridLayout layOutGrid(Extents grid, std::uint32_t z, float width, float height,
                                    float largestCell);

/// The block whose cell contains the point, measured from the top left corner.
[[nodiscard]] std::optional<Index3> blockAt(const GridLayout& layout, Point point);

/// Top left corner of a block of the plane.
[[nodiscard]] Point cornerOf(const GridLayout& layout, Index3 block);

}  // namespace warplens
