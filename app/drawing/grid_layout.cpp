#include "app/drawing/grid_layout.h"

#include <algorithm>
#include <cmath>

namespace warplens {

GridLayout layOutGrid(Extents grid, std::uint32_t z, float width, float height, float largestCell) {
    GridLayout layout{.grid = grid, .z = z, .columns = grid.x, .rows = grid.y};
    if (grid.y == 1 && grid.x > 16) {
        // Rows of a power of two, about as wide as the area asks for.
        const double wanted = std::sqrt(double{width} / std::max(1.0F, height) * grid.x);
        std::uint32_t columns = 16;
        while (columns < wanted && columns < (1u << 30)) columns *= 2;
        layout.columns = std::min(columns, grid.x);
        layout.rows = static_cast<std::uint32_t>((std::uint64_t{grid.x} + layout.columns - 1) /
                                                 layout.columns);
    }
    layout.cellWidth = double{width} / layout.columns;
    layout.cellHeight = double{height} / layout.rows;
    // Square cells as long as they can be told apart; below that each axis fills its side.
    const double square = std::min({layout.cellWidth, layout.cellHeight, double{largestCell}});
    if (square >= 1) {
        layout.cellWidth = layout.cellHeight = square >= 3 ? std::floor(square) : square;
    }
    layout.cellWidth = std::min(layout.cellWidth, double{largestCell});
    layout.cellHeight = std::min(layout.cellHeight, double{largestCell});
    return layout;
}

std::optional<Index3> blockAt(const GridLayout& layout, Point point) {
    if (point.x < 0 || point.y < 0) return std::nullopt;
    const auto column = static_cast<std::uint64_t>(point.x / layout.cellWidth);
    const auto row = static_cast<std::uint64_t>(point.y / layout.cellHeight);
    if (column >= layout.columns || row >= layout.rows) return std::nullopt;
    const std::uint64_t x = layout.folded() ? row * layout.columns + column : column;
    if (x >= layout.grid.x) return std::nullopt;
    return Index3{static_cast<std::uint32_t>(x),
                  layout.folded() ? 0 : static_cast<std::uint32_t>(row), layout.z};
}

Point cornerOf(const GridLayout& layout, Index3 block) {
    const std::uint32_t column = layout.folded() ? block.x % layout.columns : block.x;
    const std::uint32_t row = layout.folded() ? block.x / layout.columns : block.y;
    return {static_cast<float>(column * layout.cellWidth),
            static_cast<float>(row * layout.cellHeight)};
}

}  // namespace warplens
