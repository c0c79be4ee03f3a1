#pragma once

#include <optional>

#include "core/launch/mapping.h"

/// Where the threads of a block lie in the picture, and which thread lies under a point: pure
/// arithmetic, shared by the shader's uniforms, the text over the cells, and picking.
namespace warplens {

struct Point final {
    float x = 0;
    float y = 0;
    friend constexpr bool operator==(const Point&, const Point&) = default;
};

/// A block cut into tiles of equal size, laid out like text: `columns` tiles to a row. A tile is a
/// z slice of the block, or a piece of one where the slice is too long to be drawn whole. A 1D
/// block is cut into rows of 32, so that a row is a warp.
struct BlockLayout final {
    Extents block;
    std::uint32_t tileWidth = 1;   ///< threads along x in a tile
    std::uint32_t tileHeight = 1;  ///< threads along y in a tile
    std::uint32_t tilesX = 1;      ///< tiles along x of one slice
    std::uint32_t tilesY = 1;      ///< tiles along y of one slice
    std::uint32_t columns = 1;     ///< tiles side by side in the picture
    float cell = 1;                ///< side of a thread's cell, pixels
    float gapX = 0;                ///< pixels between tiles
    float gapY = 0;
    friend constexpr bool operator==(const BlockLayout&, const BlockLayout&) = default;

    [[nodiscard]] std::uint32_t tileCount() const { return tilesX * tilesY * block.z; }
    [[nodiscard]] std::uint32_t rows() const { return (tileCount() + columns - 1) / columns; }
    [[nodiscard]] float pitchX() const { return static_cast<float>(tileWidth) * cell + gapX; }
    [[nodiscard]] float pitchY() const { return static_cast<float>(tileHeight) * cell + gapY; }
    [[nodiscard]] float width() const { return static_cast<float>(columns) * pitchX() - gapX; }
    [[nodiscard]] float height() const { return static_cast<float>(rows()) * pitchY() - gapY; }
};

/// The layout of `block` (legal, so at most 1024 threads) with the largest cells that fit into
/// `width` x `height` pixels; `gapX` x `gapY` lies between slices, and cells are at most
/// `largestCell`. Cells never fall below one pixel, so in a tiny area the picture may stick out.
[[nodiscard]] BlockLayout layOutBlock(Extents block, float width, float height, float gapX,
                                      float gapY, float largestCell);

/// The thread whose cell contains the point, measured from the picture's top left corner; nullopt
/// between tiles and outside.
[[nodiscard]] std::optional<Index3> threadAt(const BlockLayout& layout, Point point);

/// Top left corner of a thread's cell.
[[nodiscard]] Point cornerOf(const BlockLayout& layout, Index3 thread);

/// First thread (lowest x, y) of a tile, and the tile's top left corner.
[[nodiscard]] Index3 firstThreadOfTile(const BlockLayout& layout, std::uint32_t tile);
[[nodiscard]] Point cornerOfTile(const BlockLayout& layout, std::uint32_t tile);

}  // namespace warplens
