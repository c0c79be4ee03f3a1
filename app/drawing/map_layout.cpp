#include "app/drawing/map_layout.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

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

}  // namespace warplens
