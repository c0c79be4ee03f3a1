#include "app/drawing/block_layout.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

std::uint32_t divideUp(std::uint32_t a, std::uint32_t b) {
    return (a + b - 1) / b;
}

/// The candidate with its best number of columns; cells as large as fit.
BlockLayout arranged(BlockLayout layout, float width, float height, float largestCell) {
    BlockLayout best = layout;
    float bestCell = 0;
    float bestMerit = 0;
    const std::uint32_t tiles = layout.tileCount();
    for (std::uint32_t columns = 1; columns <= tiles; ++columns) {
        layout.columns = columns;
        const auto across = static_cast<float>(columns);
        const auto down = static_cast<float>(layout.rows());
        const float cellX =
            (width - (across - 1) * layout.gapX) / (across * static_cast<float>(layout.tileWidth));
        const float cellY =
            (height - (down - 1) * layout.gapY) / (down * static_cast<float>(layout.tileHeight));
        const float cell = std::min(cellX, cellY);
        // Side by side reads best: a single row wins unless it makes the cells clearly smaller.
        const float merit = std::min(cell, largestCell) * (columns == tiles ? 1.3F : 1.0F);
        if (merit > bestMerit) {
            bestMerit = merit;
            bestCell = cell;
            best = layout;
        }
    }
    // Whole pixels keep the lines between cells equally wide.
    best.cell = std::max(1.0F, std::floor(std::min(bestCell, largestCell)));
    return best;
}

}  // namespace

BlockLayout layOutBlock(Extents block, float width, float height, float gapX, float gapY,
                        float largestCell) {
    if (block.y == 1 && block.z == 1) {
        const std::uint32_t lanes = std::min(block.x, lanesPerWarp);
        BlockLayout rows{.block = block, .tileWidth = lanes, .tilesX = divideUp(block.x, lanes)};
        const float cell = std::min({width / static_cast<float>(lanes),
                                     height / static_cast<float>(rows.tilesX), largestCell});
        rows.cell = std::max(1.0F, std::floor(cell));
        return rows;
    }
    const BlockLayout whole{
        .block = block, .tileWidth = block.x, .tileHeight = block.y, .gapX = gapX, .gapY = gapY};
    BlockLayout best = arranged(whole, width, height, largestCell);
    // A slice longer than a warp, or taller, may be cut where that makes its threads larger.
    for (const std::uint32_t piece : {32u, 64u, 128u, 256u}) {
        BlockLayout cut = whole;
        if (block.x >= block.y) {
            if (piece >= block.x) break;
            cut.tileWidth = piece;
            cut.tilesX = divideUp(block.x, piece);
        } else {
            if (piece >= block.y) break;
            cut.tileHeight = piece;
            cut.tilesY = divideUp(block.y, piece);
        }
        cut = arranged(cut, width, height, largestCell);
        // Cutting costs the reader something: it must pay.
        if (cut.cell > 1.5F * best.cell) best = cut;
    }
    return best;
}

std::optional<Index3> threadAt(const BlockLayout& layout, Point point) {
    if (point.x < 0 || point.y < 0) return std::nullopt;
    const auto column = static_cast<std::uint32_t>(point.x / layout.pitchX());
    const auto row = static_cast<std::uint32_t>(point.y / layout.pitchY());
    if (column >= layout.columns || row >= layout.rows()) return std::nullopt;
    const float insideX = point.x - static_cast<float>(column) * layout.pitchX();
    const float insideY = point.y - static_cast<float>(row) * layout.pitchY();
    const auto x = static_cast<std::uint32_t>(std::max(0.0F, insideX) / layout.cell);
    const auto y = static_cast<std::uint32_t>(std::max(0.0F, insideY) / layout.cell);
    const std::uint32_t tile = row * layout.columns + column;
    if (x >= layout.tileWidth || y >= layout.tileHeight || tile >= layout.tileCount()) {
        return std::nullopt;
    }
    const Index3 first = firstThreadOfTile(layout, tile);
    const Index3 thread{first.x + x, first.y + y, first.z};
    if (thread.x >= layout.block.x || thread.y >= layout.block.y) return std::nullopt;
    return thread;
}

Point cornerOf(const BlockLayout& layout, Index3 thread) {
    const std::uint32_t tile =
        (thread.z * layout.tilesY + thread.y / layout.tileHeight) * layout.tilesX +
        thread.x / layout.tileWidth;
    const Point corner = cornerOfTile(layout, tile);
    return {corner.x + static_cast<float>(thread.x % layout.tileWidth) * layout.cell,
            corner.y + static_cast<float>(thread.y % layout.tileHeight) * layout.cell};
}

Index3 firstThreadOfTile(const BlockLayout& layout, std::uint32_t tile) {
    return {tile % layout.tilesX * layout.tileWidth,
            tile / layout.tilesX % layout.tilesY * layout.tileHeight,
            tile / layout.tilesX / layout.tilesY};
}

Point cornerOfTile(const BlockLayout& layout, std::uint32_t tile) {
    return {static_cast<float>(tile % layout.columns) * layout.pitchX(),
            static_cast<float>(tile / layout.columns) * layout.pitchY()};
}

}  // namespace warplens
