#include "app/window/gl/map_uniforms.h"

#include <algorithm>

namespace warplens::window {
namespace {

double smoothly(double from, double to, double value) {
    const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// From the finest areas of one warp, in pixels: below the first they have run together.
double threadStrength(const MapPicture& picture) {
    return smoothly(1.2, 2.4, picture.camera.cell * picture.layout.warpSide());
}

/// How far warp colours give way to the colours of block cases: where a block is a small part of
/// the area, which case it is counts for more than its warps.
double warpStrength(const MapPicture& picture) {
    if (!picture.cases) return 1;
    const double share =
        std::max(picture.layout.pitchX * picture.camera.cell / picture.area.width,
                 picture.layout.pitchY * picture.camera.cell / picture.area.height);
    return 0.3 + 0.7 * smoothly(0.3, 0.6, share);
}

/// Places up to here, modulo 2^32, as the shader counts them.
std::uint32_t wrapped(std::int64_t place) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(place));
}

void setLayout(const Uniforms& uniforms, const MapLayout& layout) {
    const BlockLayout& block = layout.block;
    uniforms.set("uPitch", layout.pitchX, layout.pitchY);
    uniforms.set("uMargin", layout.marginX(), layout.marginY());
    uniforms.set("uGrid", layout.grid.x, layout.grid.y);
    uniforms.set("uPiece", layout.pieceWidth, layout.pieceHeight);
    uniforms.set("uPieces", layout.piecesX, layout.piecesY);
    uniforms.set("uColumns", layout.columns);
    uniforms.set("uGap", layout.gap);
    uniforms.set("uPieceCount", static_cast<std::uint32_t>(layout.pieceCount()));
    uniforms.set("uFolded", layout.folded() ? 1 : 0);
    uniforms.set("uBlock", static_cast<int>(block.block.x), static_cast<int>(block.block.y),
                 static_cast<int>(block.block.z));
    uniforms.set("uTile", static_cast<int>(block.tileWidth), static_cast<int>(block.tileHeight));
    uniforms.set("uTiles", static_cast<int>(block.tilesX), static_cast<int>(block.tilesY));
    uniforms.set("uTileColumns", static_cast<int>(block.columns));
    uniforms.set("uTileCount", static_cast<int>(block.tileCount()));
    uniforms.set("uTilePitch", block.pitchX(), block.pitchY());
}

void setCamera(const Uniforms& uniforms, const MapPicture& picture) {
    const MapLayout& layout = picture.layout;
    const MapPoint corner = pointAt(picture.camera, layout, picture.area, {0, 0});
    uniforms.set("uPixel", static_cast<float>(1 / picture.camera.cell));
    uniforms.set("uStart", static_cast<float>(corner.x), static_cast<float>(corner.y));
    uniforms.set("uFirst", wrapped(corner.place.column), wrapped(corner.place.row));
    uniforms.set("uLow", static_cast<float>(-corner.place.column),
                 static_cast<float>(-corner.place.row));
    uniforms.set(
        "uHigh",
        static_cast<float>(static_cast<std::int64_t>(layout.placesX()) - corner.place.column),
        static_cast<float>(static_cast<std::int64_t>(layout.placesY()) - corner.place.row));
    // The stripes stay with the first place.
    const Point start = pixelAt(picture.camera, layout, picture.area, {corner.place, 0, 0});
    uniforms.set("uPhase", start.x + start.y);
    const MapPlace chosen = placeOf(layout, picture.chosen);
    uniforms.set("uChosen", wrapped(chosen.column), wrapped(chosen.row));
}

}  // namespace

MapVariant variantOf(const MapPicture& picture) {
    const MapLayout& layout = picture.layout;
    const double cell = picture.camera.cell;
    MapVariant variant{.identify = picture.identify};
    variant.pieces = layout.pieceCount() > 1 && !layout.folded();
    const Extents& whole = picture.guard.wholeBlocks;
    variant.guarded = whole.x < layout.grid.x || whole.y < layout.grid.y || whole.z < layout.grid.z;
    if (cell >= 6.0 * picture.lineWidth && !picture.blocksOnly) {
        variant.detail = 0;
    } else if (threadStrength(picture) > 0 && !picture.blocksOnly) {
        variant.detail = 1;
    } else {
        variant.detail = cell * std::min(layout.pitchX, layout.pitchY) >= 2 ? 2 : 3;
    }
    return variant;
}

void setMapUniforms(const Uniforms& uniforms, const MapPicture& picture) {
    setLayout(uniforms, picture.layout);
    setCamera(uniforms, picture);
    const BlockGuard& guard = picture.guard;
    uniforms.set("uWhole", guard.wholeBlocks.x, guard.wholeBlocks.y, guard.wholeBlocks.z);
    uniforms.set("uRest", static_cast<int>(guard.rest.x), static_cast<int>(guard.rest.y),
                 static_cast<int>(guard.rest.z));
    const auto& cases = picture.caseColors;
    uniforms.set("uFront", cases[0], cases[1], cases[2], cases[3]);
    uniforms.set("uBack", cases[4], cases[5], cases[6], cases[7]);
    uniforms.set("uOthers", picture.others);
    uniforms.set("uPlate", picture.cases ? 0.34F : 0.10F);
    uniforms.set("uWarps", static_cast<float>(warpStrength(picture)));
    uniforms.set("uThreads", static_cast<float>(threadStrength(picture)));
    uniforms.set(
        "uHatching",
        static_cast<float>(smoothly(
            5, 10, picture.camera.cell * std::min(picture.layout.pitchX, picture.layout.pitchY))));
}

}  // namespace warplens::window
