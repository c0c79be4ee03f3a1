#include "app/window/gl/mapping_renderer.h"

#include "app/platform/gl.h"

#include "embedded/warplens_window.h"

namespace warplens::window {
namespace {

/// Sets uniforms of the bound program by name; names it does not use are passed over.
struct Uniforms final {
    const Program& program;

    void set(const char* name, int value) const { glUniform1i(program.uniform(name), value); }
    void set(const char* name, std::uint32_t value) const {
        glUniform1ui(program.uniform(name), value);
    }
    void set(const char* name, float value) const { glUniform1f(program.uniform(name), value); }
    void set(const char* name, float x, float y) const { glUniform2f(program.uniform(name), x, y); }
    void set(const char* name, int x, int y) const { glUniform2i(program.uniform(name), x, y); }
    void set(const char* name, std::uint32_t x, std::uint32_t y) const {
        glUniform2ui(program.uniform(name), x, y);
    }
    void set(const char* name, int x, int y, int z) const {
        glUniform3i(program.uniform(name), x, y, z);
    }
    void set(const char* name, std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        glUniform3ui(program.uniform(name), x, y, z);
    }
    void set(const char* name, std::uint32_t x, std::uint32_t y, std::uint32_t z,
             std::uint32_t w) const {
        glUniform4ui(program.uniform(name), x, y, z, w);
    }
    template <std::size_t count>
    void set(const char* name, const std::array<Rgb, count>& colors) const {
        std::array<float, 3 * count> parts{};
        for (std::size_t i = 0; i < count; ++i) {
            parts.at(3 * i) = static_cast<float>(colors.at(i) >> 16 & 255) / 255.0F;
            parts.at(3 * i + 1) = static_cast<float>(colors.at(i) >> 8 & 255) / 255.0F;
            parts.at(3 * i + 2) = static_cast<float>(colors.at(i) & 255) / 255.0F;
        }
        glUniform3fv(program.uniform(name), static_cast<GLsizei>(count), parts.data());
    }
    void color(const char* name, Rgb value) const { set(name, std::array<Rgb, 1>{value}); }
};

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

/// Everything that stands in the picture.
void setUniforms(const Uniforms& uniforms, const MapPicture& picture) {
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

/// What stands before the shader's own text: version and variant.
std::string headOf(const MapVariant& variant) {
    return std::string(shaderHead) + "#define DETAIL " + std::to_string(variant.detail) +
           "\n#define PIECES " + std::to_string(variant.pieces ? 1 : 0) + "\n#define GUARDED " +
           std::to_string(variant.guarded ? 1 : 0) + "\n#define IDENTIFY " +
           std::to_string(variant.identify ? 1 : 0) + "\n";
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

MapPicture scaled(MapPicture picture, float factor) {
    picture.rect = {picture.rect.x * factor, picture.rect.y * factor, picture.rect.width * factor,
                    picture.rect.height * factor};
    picture.lineWidth *= factor;
    picture.area.width *= factor;
    picture.area.height *= factor;
    picture.camera.cell *= factor;
    return picture;
}

MappingRenderer::MappingRenderer() {
    glGenVertexArrays(1, &vertexArray_);
}

MappingRenderer::~MappingRenderer() {
    glDeleteVertexArrays(1, &vertexArray_);
}

void MappingRenderer::begin(const MapPicture& picture) {
    if (compilesBeside) begunFor(variantOf(picture));
}

const Program& MappingRenderer::programFor(const MapVariant& variant) {
    Program& program = begunFor(variant);
    program.check();
    return program;
}

Program& MappingRenderer::begunFor(const MapVariant& variant) {
    const auto found = programs_.find(variant);
    if (found != programs_.end()) return found->second;
    const std::string head = headOf(variant);
    const std::string fragment(embedded::embeddedFile("map.frag"));
    const std::string vertex =
        flatOutputs(fragment) + std::string(embedded::embeddedFile("mapping.vert"));
    return programs_.emplace(variant, Program(head + vertex, head + fragment)).first->second;
}

bool MappingRenderer::prepareNext() {
    std::vector<MapVariant> variants;
    for (const int detail : {0, 1, 2, 3}) {
        for (const bool pieces : {false, true}) {
            for (const bool guarded : {false, true}) {
                variants.push_back({detail, pieces, guarded, false});
            }
        }
    }
    const auto missing = std::ranges::find_if_not(
        variants, [&](const MapVariant& variant) { return programs_.contains(variant); });
    if (missing == variants.end()) return false;
    glUseProgram(programFor(*missing).handle());
    glBindVertexArray(vertexArray_);
    glDisable(GL_BLEND);
    // Some drivers compile when something is drawn, for the framebuffer it is drawn into.
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 0, 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    return true;
}

void MappingRenderer::draw(const MapPicture& picture, PixelSize framebuffer) {
    const Program& program = programFor(variantOf(picture));
    glUseProgram(program.handle());
    glBindVertexArray(vertexArray_);
    // Nothing is left of what is below: reading that back costs as much as drawing.
    glDisable(GL_BLEND);
    const Uniforms uniforms{program};
    uniforms.set("uViewport", static_cast<float>(framebuffer.width),
                 static_cast<float>(framebuffer.height));
    const PixelRect& rect = picture.rect;
    glUniform4f(program.uniform("uRect"), rect.x, rect.y, rect.width, rect.height);
    uniforms.set("uLineWidth", picture.lineWidth);
    uniforms.set("uFade", picture.fade);
    uniforms.set("uHeld", picture.heldWarp);
    uniforms.color("uBackground", picture.background);
    uniforms.color("uOutline", picture.outline);
    uniforms.set("uPalette", warpColors);
    setUniforms(uniforms, picture);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEnable(GL_BLEND);
}

}  // namespace warplens::window
