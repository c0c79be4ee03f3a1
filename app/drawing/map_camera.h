#pragma once

#include <cstdint>
#include <optional>

#include "app/drawing/map_layout.h"

namespace warplens {

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
