#include "app/drawing/map_layout.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

std::uint32_t roundedUp(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>((a + b - 1) / b);
}

/// A longer way through the grid must pay by this factor.
constexpr double worthCutting = 1.5;

/// The pieces laid out like text with the number of columns that shows them largest; nullopt where
/// the places cannot be counted in 32 bits.
std::optional<MapLayout> withBestColumns(MapLayout layout, const MapArea& area) {
    const auto pieces = static_cast<double>(layout.pieceCount());
    const double aspect = double{area.width} / area.height *
                          ((layout.pieceHeight + 1.0) * layout.pitchY) /
                          ((layout.pieceWidth + 1.0) * layout.pitchX);
    const double wanted = std::floor(std::sqrt(aspect * pieces));
    std::optional<MapLayout> best;
    double bestMerit = 0;
    for (const double columns : {pieces, wanted, wanted + 1, 1.0}) {
        layout.columns = static_cast<std::uint32_t>(std::clamp(columns, 1.0, pieces));
        // Both directions are counted in 32 bits by the shader.
        if (layout.placesX() >= UINT32_MAX || layout.placesY() >= UINT32_MAX) continue;
        // Side by side reads best.
        const double merit =
            wholeMapCell(layout, area) * (layout.columns == layout.pieceCount() ? 1.3 : 1.0);
        if (merit > bestMerit) {
            bestMerit = merit;
            best = layout;
        }
    }
    return best;
}

/// A 1D grid in rows of a power of two.
MapLayout foldedLine(const MapLayout& line, const MapArea& area) {
    MapLayout best = line;
    best.pieceWidth = line.grid.x;
    double bestMerit = wholeMapCell(best, area) * worthCutting;
    for (std::uint32_t width = 1; width < line.grid.x && width <= 1u << 30; width *= 2) {
        MapLayout rows = line;
        rows.pieceWidth = width;
        rows.piecesX = roundedUp(line.grid.x, width);
        const double merit = wholeMapCell(rows, area);
        if (merit > bestMerit) {
            bestMerit = merit;
            best = rows;
        }
    }
    return best;
}

/// Planes as they are, or cut across their longer side.
MapLayout planes(const MapLayout& bare, const MapArea& area) {
    MapLayout whole = bare;
    whole.pieceWidth = bare.grid.x;
    whole.pieceHeight = bare.grid.y;
    whole.gap = 1;
    // One plane below the other always can: 65535 of 65535 rows, and as many gaps.
    MapLayout best = withBestColumns(whole, area).value_or(whole);
    double bestScale = wholeMapCell(best, area) * worthCutting;
    const bool wide = bare.grid.x * double{bare.pitchX} >= bare.grid.y * double{bare.pitchY};
    const std::uint32_t side = wide ? bare.grid.x : bare.grid.y;
    for (std::uint32_t piece = 16; piece < side && piece <= 1u << 30; piece *= 2) {
        MapLayout cut = whole;
        (wide ? cut.pieceWidth : cut.pieceHeight) = piece;
        (wide ? cut.piecesX : cut.piecesY) = roundedUp(side, piece);
        if (cut.pieceCount() > UINT32_MAX) continue;
        const auto arranged = withBestColumns(cut, area);
        if (!arranged) continue;
        const double scale = wholeMapCell(*arranged, area);
        if (scale > bestScale) {
            bestScale = scale;
            best = *arranged;
        }
    }
    return best;
}

}  // namespace

float MapLayout::warpSide() const {
    const std::uint32_t across = std::min(block.tileWidth, lanesPerWarp);
    return static_cast<float>(std::min({across, lanesPerWarp / across, block.tileHeight}));
}

double wholeMapCell(const MapLayout& layout, const MapArea& area) {
    return std::min(area.width / (static_cast<double>(layout.placesX()) * layout.pitchX),
                    area.height / (static_cast<double>(layout.placesY()) * layout.pitchY));
}

MapLayout layOutMap(const Launch& launch, const MapArea& area) {
    BlockLayout block = layOutBlock(launch.block, area.width - area.left, area.height - area.above,
                                    area.gapX, area.gapY, area.largestCell);
    MapLayout layout{};
    layout.grid = launch.grid;
    layout.fittedCell = block.cell;
    block.gapX /= block.cell;
    block.gapY /= block.cell;
    block.cell = 1;
    layout.block = block;
    // Blocks stand further apart than the slices of one.
    const auto margin = [](float length, float gap) {
        return std::max({0.35F, 0.07F * length, 1.6F * gap});
    };
    const bool slices = block.tileCount() > 1;
    layout.pitchX = block.width() + margin(block.width(), slices ? block.gapX : 0);
    layout.pitchY = block.height() + margin(block.height(), slices ? block.gapY : 0);
    return launch.grid.y == 1 && launch.grid.z == 1 ? foldedLine(layout, area)
                                                    : planes(layout, area);
}

MapPlace placeOf(const MapLayout& layout, Index3 block) {
    const std::uint64_t piece =
        (std::uint64_t{block.z} * layout.piecesY + block.y / layout.pieceHeight) * layout.piecesX +
        block.x / layout.pieceWidth;
    return {static_cast<std::int64_t>(piece % layout.columns *
                                          (std::uint64_t{layout.pieceWidth} + layout.gap) +
                                      block.x % layout.pieceWidth),
            static_cast<std::int64_t>(piece / layout.columns *
                                          (std::uint64_t{layout.pieceHeight} + layout.gap) +
                                      block.y % layout.pieceHeight)};
}

std::optional<Index3> blockAt(const MapLayout& layout, MapPlace place) {
    if (place.column < 0 || place.row < 0) return std::nullopt;
    const auto column = static_cast<std::uint64_t>(place.column);
    const auto row = static_cast<std::uint64_t>(place.row);
    const std::uint64_t acrossPitch = std::uint64_t{layout.pieceWidth} + layout.gap;
    const std::uint64_t downPitch = std::uint64_t{layout.pieceHeight} + layout.gap;
    const std::uint64_t insideX = column % acrossPitch;
    const std::uint64_t insideY = row % downPitch;
    if (column / acrossPitch >= layout.columns || insideX >= layout.pieceWidth ||
        insideY >= layout.pieceHeight) {
        return std::nullopt;
    }
    const std::uint64_t piece = row / downPitch * layout.columns + column / acrossPitch;
    if (piece >= layout.pieceCount()) return std::nullopt;
    const std::uint64_t x = piece % layout.piecesX * layout.pieceWidth + insideX;
    const std::uint64_t y = piece / layout.piecesX % layout.piecesY * layout.pieceHeight + insideY;
    if (x >= layout.grid.x || y >= layout.grid.y) return std::nullopt;
    return Index3{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                  static_cast<std::uint32_t>(piece / layout.piecesX / layout.piecesY)};
}

namespace {

/// Moves `inside` into 0 .. pitch, carrying whole places; of further ones than any map has, some.
void carry(std::int64_t& place, double& inside, double pitch) {
    constexpr double farthest = 1LL << 40;
    const double whole = std::clamp(std::floor(inside / pitch), -farthest, farthest);
    place += static_cast<std::int64_t>(whole);
    inside = std::clamp(inside - whole * pitch, 0.0, pitch);
}

MapPoint moved(MapPoint point, const MapLayout& layout, double right, double down) {
    point.x += right;
    point.y += down;
    carry(point.place.column, point.x, layout.pitchX);
    carry(point.place.row, point.y, layout.pitchY);
    return point;
}

/// Keeps a point of one axis no further than `slack` cells off the map.
void keepNear(std::int64_t& place, double& inside, double pitch, std::uint64_t places,
              double slack) {
    const auto end = static_cast<std::int64_t>(places);
    if (static_cast<double>(place) * pitch + inside < -slack) {
        place = 0;
        inside = -slack;
    } else if (static_cast<double>(place - end) * pitch + inside > slack) {
        place = end;
        inside = slack;
    }
    carry(place, inside, pitch);
}

/// The camera no further off than leaves part of the map on the area.
MapCamera onMap(MapCamera camera, const MapLayout& layout, const MapArea& area) {
    constexpr double share = 0.45;
    MapPoint& centre = camera.centre;
    keepNear(centre.place.column, centre.x, layout.pitchX, layout.placesX(),
             share * area.width / camera.cell);
    keepNear(centre.place.row, centre.y, layout.pitchY, layout.placesY(),
             share * area.height / camera.cell);
    return camera;
}

double within(double cell, const MapLayout& layout, const MapArea& area) {
    const double closest = std::max(0.7 * double{std::min(area.width, area.height)}, 8.0);
    return std::clamp(cell, std::min(0.5 * wholeMapCell(layout, area), closest), closest);
}

/// How far into the spare room of one axis a block stands, in pixels: in its middle where its
/// neighbours, `pitch` pixels each, fill the rest, and else so that as little as can be stays
/// empty. The map ends `margin` pixels beside its outermost blocks.
double offsetIn(double spare, double pitch, double margin, std::int64_t place,
                std::uint64_t places) {
    const double before = static_cast<double>(place) * pitch + margin;
    const double behind = static_cast<double>(places - 1) * pitch - before + 2 * margin;
    if (before + behind <= spare) return before + (spare - before - behind) / 2;
    return std::clamp(spare / 2, std::max(0.0, spare - behind), std::min(spare, before));
}

/// Below these a cell's own colour, a warp's area and a block's have run into their neighbours.
constexpr double resolvedCell = 2;
constexpr double resolvedWarp = 1.8;
constexpr double resolvedBlock = 2;

}  // namespace

MapCamera fittedToBlock(const MapLayout& layout, const MapArea& area, Index3 block) {
    const double cell = layout.fittedCell;
    const double width = cell * layout.block.width();
    const double height = cell * layout.block.height();
    // The corner of the cells on a whole pixel, half a line further so that lines are sharp.
    const double spareX = std::max(0.0, area.width - area.left - width);
    const double spareY = std::max(0.0, area.height - area.above - height);
    const MapPlace place = placeOf(layout, block);
    const double right = offsetIn(spareX, layout.pitchX * cell, layout.marginX() * cell,
                                  place.column, layout.placesX());
    const double down = offsetIn(spareY, layout.pitchY * cell, layout.marginY() * cell, place.row,
                                 layout.placesY());
    const double left = std::floor(area.left + right) - area.line / 2.0;
    const double top = std::floor(area.above + down) - area.line / 2.0;
    const MapPoint corner{place, layout.marginX(), layout.marginY()};
    return {
        moved(corner, layout, (area.width / 2.0 - left) / cell, (area.height / 2.0 - top) / cell),
        cell};
}

MapCamera fittedToGrid(const MapLayout& layout, const MapArea& area) {
    // A little air round it, for the frame of a block at its edge.
    const auto cellIn = [&](const MapArea& room) {
        return std::min(0.98 * wholeMapCell(layout, room), double{area.largestCell});
    };
    double cell = cellIn(area);
    double above = 0;
    // Rows of blocks too low for their names have numbers above them.
    if (layout.grid.y > 1 && layout.block.height() * cell < area.gapY) {
        above = std::min(area.above, area.height / 2);
        MapArea below = area;
        below.height -= static_cast<float>(above);
        cell = cellIn(below);
    }
    // Half of an odd number of places is the middle of one.
    const std::uint64_t acrossHalves = layout.placesX();
    const std::uint64_t downHalves = layout.placesY();
    const MapPoint middle{
        {static_cast<std::int64_t>(acrossHalves / 2), static_cast<std::int64_t>(downHalves / 2)},
        acrossHalves % 2 == 1 ? layout.pitchX / 2.0 : 0,
        downHalves % 2 == 1 ? layout.pitchY / 2.0 : 0};
    return {moved(middle, layout, 0, -above / 2 / cell), cell};
}

MapCamera zoomed(const MapCamera& camera, const MapLayout& layout, const MapArea& area,
                 double factor, Point about) {
    if (!(factor > 0)) return camera;
    const double cell = within(camera.cell * factor, layout, area);
    const double right = about.x - area.width / 2.0;
    const double down = about.y - area.height / 2.0;
    const double change = 1 / camera.cell - 1 / cell;
    return onMap({moved(camera.centre, layout, right * change, down * change), cell}, layout, area);
}

MapCamera panned(const MapCamera& camera, const MapLayout& layout, const MapArea& area,
                 double right, double down) {
    return onMap(
        {moved(camera.centre, layout, -right / camera.cell, -down / camera.cell), camera.cell},
        layout, area);
}

MapCamera carriedOver(const MapCamera& camera, const MapLayout& from, const MapLayout& to,
                      const MapArea& area) {
    const auto inside = [](std::int64_t place, std::uint64_t places) {
        return std::clamp<std::int64_t>(place, 0, static_cast<std::int64_t>(places) - 1);
    };
    const MapPlace nearest{inside(camera.centre.place.column, from.placesX()),
                           inside(camera.centre.place.row, from.placesY())};
    const Index3 was = blockAt(from, nearest).value_or(Index3{});
    const Index3 block{std::min(was.x, to.grid.x - 1), std::min(was.y, to.grid.y - 1),
                       std::min(was.z, to.grid.z - 1)};
    const MapPoint centre{placeOf(to, block), camera.centre.x / from.pitchX * to.pitchX,
                          camera.centre.y / from.pitchY * to.pitchY};
    return {centre, within(camera.cell, to, area)};
}

MapPoint pointAt(const MapCamera& camera, const MapLayout& layout, const MapArea& area,
                 Point pixel) {
    return moved(camera.centre, layout, (pixel.x - area.width / 2.0) / camera.cell,
                 (pixel.y - area.height / 2.0) / camera.cell);
}

Point pixelAt(const MapCamera& camera, const MapLayout& layout, const MapArea& area,
              const MapPoint& point) {
    const double right =
        static_cast<double>(point.place.column - camera.centre.place.column) * layout.pitchX +
        (point.x - camera.centre.x);
    const double down =
        static_cast<double>(point.place.row - camera.centre.place.row) * layout.pitchY +
        (point.y - camera.centre.y);
    return {static_cast<float>(area.width / 2.0 + right * camera.cell),
            static_cast<float>(area.height / 2.0 + down * camera.cell)};
}

MapPoint cornerOf(const MapLayout& layout, Index3 block, Index3 thread) {
    const Point corner = cornerOf(layout.block, thread);
    return {placeOf(layout, block), layout.marginX() + double{corner.x},
            layout.marginY() + double{corner.y}};
}

MapDetail detailOf(const MapLayout& layout, double cell) {
    if (cell >= resolvedCell) return MapDetail::threads;
    if (cell * layout.warpSide() >= resolvedWarp) return MapDetail::warps;
    if (cell * std::min(layout.pitchX, layout.pitchY) >= resolvedBlock) return MapDetail::blocks;
    return MapDetail::field;
}

std::optional<MapHit> pick(const MapCamera& camera, const MapLayout& layout, const MapArea& area,
                           Point pixel) {
    const MapPoint point = pointAt(camera, layout, area, pixel);
    const auto block = blockAt(layout, point.place);
    if (!block) return std::nullopt;
    MapHit hit{detailOf(layout, camera.cell), *block, std::nullopt, std::nullopt};
    if (hit.detail > MapDetail::warps) return hit;
    const auto thread = threadAt(layout.block, {static_cast<float>(point.x - layout.marginX()),
                                                static_cast<float>(point.y - layout.marginY())});
    if (!thread) return hit;
    hit.warp = warpRankInBlock(threadRankInBlock(*thread, layout.block.block));
    if (hit.detail == MapDetail::threads) hit.thread = thread;
    return hit;
}

float neighbourStrength(const MapCamera& camera, const MapLayout& layout, const MapArea& area,
                        Index3 chosen) {
    const MapCamera fitted = fittedToBlock(layout, area, chosen);
    const Point was = pixelAt(fitted, layout, area, camera.centre);
    const double aside = std::max(std::abs(was.x - area.width / 2.0) / area.width,
                                  std::abs(was.y - area.height / 2.0) / area.height);
    const double deviation =
        std::min(1.0, std::max(1.6 * std::abs(std::log2(camera.cell / fitted.cell)), 2.5 * aside));
    constexpr double faint = 0.16;
    return static_cast<float>(faint + (1 - faint) * deviation * deviation * (3 - 2 * deviation));
}

}  // namespace warplens
