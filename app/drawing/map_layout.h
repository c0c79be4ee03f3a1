#pragma once

#include <cstdint>
#include <optional>

#include "app/drawing/block_layout.h"
#include "core/launch/launch.h"

/// The map: every thread of a launch laid out in one plane, so that one camera moves from the whole
/// grid to one lane. Lengths are in cells, the side of a thread's square.
namespace warplens {

/// The area a map is drawn into, in pixels, and what must have room at the closest fit.
struct MapArea final {
    float width = 1;
    float height = 1;
    float left = 0;   ///< kept free beside a block that is fitted, for its axis
    float above = 0;  ///< and above it
    float gapX = 26;  ///< between the slices of a block that is fitted
    float gapY = 26;
    float largestCell = 72;  ///< of a block that is fitted
    float line = 1;          ///< between cells
    friend constexpr bool operator==(const MapArea&, const MapArea&) = default;
};

/// Blocks stand `pitchX` x `pitchY` apart, each in the middle of its place, its threads laid out as
/// BlockLayout says. The grid is cut into pieces of equal size, laid out like text: `columns`
/// pieces to a row with `gap` empty places between them. A piece is a z plane of the grid, or part
/// of one where the plane is too long to be seen whole. A 1D grid is cut into rows with nothing
/// between. Places are counted over the whole map, gaps included, and stay below 2^32 in each
/// direction.
struct MapLayout final {
    Extents grid;
    BlockLayout block;     ///< its cell is 1
    float fittedCell = 1;  ///< pixels, where the area shows one block
    float pitchX = 1;
    float pitchY = 1;
    std::uint32_t pieceWidth = 1;  ///< blocks
    std::uint32_t pieceHeight = 1;
    std::uint32_t piecesX = 1;  ///< of one plane
    std::uint32_t piecesY = 1;
    std::uint32_t columns = 1;
    std::uint32_t gap = 0;
    friend constexpr bool operator==(const MapLayout&, const MapLayout&) = default;

    [[nodiscard]] std::uint64_t pieceCount() const {
        return std::uint64_t{piecesX} * piecesY * grid.z;
    }
    [[nodiscard]] std::uint64_t rows() const { return (pieceCount() + columns - 1) / columns; }
    [[nodiscard]] std::uint64_t placesX() const {
        return columns * (std::uint64_t{pieceWidth} + gap) - gap;
    }
    [[nodiscard]] std::uint64_t placesY() const {
        return rows() * (std::uint64_t{pieceHeight} + gap) - gap;
    }
    /// Whether a 1D grid is cut into rows.
    [[nodiscard]] bool folded() const { return piecesX > 1 && gap == 0; }
    /// Empty cells beside a block, on each side.
    [[nodiscard]] float marginX() const { return (pitchX - block.width()) / 2; }
    [[nodiscard]] float marginY() const { return (pitchY - block.height()) / 2; }
    /// Shorter side, in cells, of the area one warp takes.
    [[nodiscard]] float warpSide() const;
};

/// Pixels for a cell where the whole map is on the area.
[[nodiscard]] double wholeMapCell(const MapLayout& layout, const MapArea& area);

/// The layout for a legal launch, chosen so that on this area both one block and the whole grid
/// come out as large as they can. The cost does not depend on the number of threads.
[[nodiscard]] MapLayout layOutMap(const Launch& launch, const MapArea& area);

/// Where a block stands.
struct MapPlace final {
    std::int64_t column = 0;
    std::int64_t row = 0;
    friend constexpr bool operator==(const MapPlace&, const MapPlace&) = default;
};
[[nodiscard]] MapPlace placeOf(const MapLayout& layout, Index3 block);
/// The block that stands there; nullopt for a gap and beyond the map.
[[nodiscard]] std::optional<Index3> blockAt(const MapLayout& layout, MapPlace place);

}  // namespace warplens
