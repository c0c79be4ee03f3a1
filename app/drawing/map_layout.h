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

/// A point of the map: a place, and how many cells from its top left corner. The split keeps a lane
/// of the last of 2^31 blocks as exact as one of the first.
struct MapPoint final {
    MapPlace place;
    double x = 0;  ///< 0 .. pitchX
    double y = 0;  ///< 0 .. pitchY
    friend constexpr bool operator==(const MapPoint&, const MapPoint&) = default;
};

/// What of a map is seen: the point in the middle of the area, and the scale.
struct MapCamera final {
    MapPoint centre;
    double cell = 1;  ///< pixels
    friend constexpr bool operator==(const MapCamera&, const MapCamera&) = default;
};

/// The block in the middle of what the area leaves beside its axes, or, near the map's edge, where
/// its neighbours fill more of it; its cells on whole pixels.
[[nodiscard]] MapCamera fittedToBlock(const MapLayout& layout, const MapArea& area, Index3 block);
/// The whole map in the middle.
[[nodiscard]] MapCamera fittedToGrid(const MapLayout& layout, const MapArea& area);

/// `factor` times as large, the point under `about` (pixels from the area's top left corner) stays
/// where it is. Ends where the whole map takes little of the area, and where one lane fills it.
[[nodiscard]] MapCamera zoomed(const MapCamera& camera, const MapLayout& layout,
                               const MapArea& area, double factor, Point about);
/// What is seen moves by so many pixels; part of the map stays on the area.
[[nodiscard]] MapCamera panned(const MapCamera& camera, const MapLayout& layout,
                               const MapArea& area, double right, double down);
/// The same block in the middle, where the map was laid out anew.
[[nodiscard]] MapCamera carriedOver(const MapCamera& camera, const MapLayout& from,
                                    const MapLayout& to, const MapArea& area);

[[nodiscard]] MapPoint pointAt(const MapCamera& camera, const MapLayout& layout,
                               const MapArea& area, Point pixel);
/// Pixels from the area's top left corner; far outside it far off, never undefined.
[[nodiscard]] Point pixelAt(const MapCamera& camera, const MapLayout& layout, const MapArea& area,
                            const MapPoint& point);
/// The top left corner of a thread's cell.
[[nodiscard]] MapPoint cornerOf(const MapLayout& layout, Index3 block, Index3 thread);

/// What a scale resolves. From finest to coarsest.
enum class MapDetail : std::uint8_t {
    threads,  ///< each thread is a cell of its own
    warps,    ///< threads are below two pixels, the areas of warps can be told apart
    blocks,   ///< warps have run together
    field,    ///< so have blocks
};
[[nodiscard]] MapDetail detailOf(const MapLayout& layout, double cell);

/// What lies under a point of the area.
struct MapHit final {
    MapDetail detail = MapDetail::field;
    Index3 block;                  ///< of those in the pixel, the one in its middle
    std::optional<Index3> thread;  ///< none between cells and where threads are not resolved
    std::optional<WarpRank> warp;  ///< none where warps are not resolved
    friend constexpr bool operator==(const MapHit&, const MapHit&) = default;
};
/// nullopt where there is no block; a hit without a warp is beside the threads of its block.
[[nodiscard]] std::optional<MapHit> pick(const MapCamera& camera, const MapLayout& layout,
                                         const MapArea& area, Point pixel);

/// How strongly blocks beside the chosen one show, 0 .. 1: faint where the camera is fitted to that
/// block, full once it moves away.
[[nodiscard]] float neighbourStrength(const MapCamera& camera, const MapLayout& layout,
                                      const MapArea& area, Index3 chosen);

}  // namespace warplens
