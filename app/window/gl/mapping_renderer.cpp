#include "app/window/gl/mapping_renderer.h"

#include <algorithm>
#include <glad/gl.h>
#include <string>

#include "app/window/embedded.h"

namespace warplens::window {
namespace {

/// Sets uniforms of the bound program by name.
struct Uniforms final {
    const Program& program;

    void set(const char* name, int value) const { glUniform1i(program.uniform(name), value); }
    void set(const char* name, float value) const { glUniform1f(program.uniform(name), value); }
    void set(const char* name, float x, float y) const { glUniform2f(program.uniform(name), x, y); }
    void set(const char* name, std::uint32_t x, std::uint32_t y) const {
        glUniform2ui(program.uniform(name), x, y);
    }
    void color(const char* name, Rgb value) const {
        glUniform3f(program.uniform(name), static_cast<float>(value >> 16 & 255) / 255.0F,
                    static_cast<float>(value >> 8 & 255) / 255.0F,
                    static_cast<float>(value & 255) / 255.0F);
    }
    void block(Extents block) const {
        glUniform3i(program.uniform("uBlock"), static_cast<int>(block.x), static_cast<int>(block.y),
                    static_cast<int>(block.z));
    }

    void operator()(const ThreadsPicture& picture) const {
        const BlockLayout& layout = picture.layout;
        block(layout.block);
        set("uCell", layout.cell, layout.cell);
        glUniform2i(program.uniform("uTile"), static_cast<int>(layout.tileWidth),
                    static_cast<int>(layout.tileHeight));
        glUniform2i(program.uniform("uTiles"), static_cast<int>(layout.tilesX),
                    static_cast<int>(layout.tilesY));
        set("uColumns", static_cast<int>(layout.columns));
        set("uTileCount", static_cast<int>(layout.tileCount()));
        set("uPitch", layout.pitchX(), layout.pitchY());
    }
    void operator()(const WarpsPicture& picture) const {
        block(picture.block);
        set("uCell", picture.cellWidth, picture.cellHeight);
    }
    void operator()(const GridPicture& picture) const {
        const GridLayout& layout = picture.layout;
        set("uCell", static_cast<float>(layout.cellWidth), static_cast<float>(layout.cellHeight));
        set("uGrid", layout.grid.x, layout.grid.y);
        glUniform1ui(program.uniform("uGridColumns"), layout.columns);
        set("uFolded", layout.folded() ? 1 : 0);
        const auto whole = [](std::uint64_t edge, std::uint32_t extent) {
            return static_cast<std::uint32_t>(std::min<std::uint64_t>(edge / extent, UINT32_MAX));
        };
        const auto reached = [](std::uint64_t edge, std::uint32_t extent) {
            const std::uint64_t blocks = edge / extent + (edge % extent != 0 ? 1 : 0);
            return static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, UINT32_MAX));
        };
        const ProblemEdge& edge = picture.edge;
        const std::uint32_t z = layout.z;
        const bool planeInside = z < whole(edge.z, picture.block.z);
        const bool planeReached = z < reached(edge.z, picture.block.z);
        set("uInside", planeInside ? whole(edge.x, picture.block.x) : 0u,
            planeInside ? whole(edge.y, picture.block.y) : 0u);
        set("uReached", planeReached ? reached(edge.x, picture.block.x) : 0u,
            planeReached ? reached(edge.y, picture.block.y) : 0u);
    }
};

/// The fragment shader for one kind of picture.
std::string fragmentSource(std::size_t mode) {
    std::string source(embeddedFile("mapping.frag"));
    source.insert(source.find('\n') + 1, "#define MODE " + std::to_string(mode) + "\n");
    return source;
}

}  // namespace

MappingRenderer::MappingRenderer() {
    for (std::size_t mode = 0; mode < programs_.size(); ++mode) {
        programs_.at(mode) = Program(embeddedFile("mapping.vert"), fragmentSource(mode));
    }
    glGenVertexArrays(1, &vertexArray_);
}

MappingRenderer::~MappingRenderer() {
    glDeleteVertexArrays(1, &vertexArray_);
}

void MappingRenderer::draw(const MappingPicture& picture, PixelSize framebuffer) const {
    const Program& program = programs_.at(picture.what.index());
    glUseProgram(program.handle());
    glBindVertexArray(vertexArray_);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    const Uniforms uniforms{program};
    uniforms.set("uViewport", static_cast<float>(framebuffer.width),
                 static_cast<float>(framebuffer.height));
    const PixelRect& rect = picture.rect;
    glUniform4f(program.uniform("uRect"), rect.x, rect.y, rect.width, rect.height);
    uniforms.set("uLineWidth", picture.lineWidth);
    uniforms.set("uFade", picture.fade);
    uniforms.set("uHeld", picture.heldWarp);
    uniforms.color("uGround", picture.ground);
    uniforms.color("uOutline", picture.outline);
    uniforms.color("uBlockColor", picture.blockColor);
    uniforms.color("uEdgeColor", picture.edgeColor);
    std::array<float, warpColors.size() * 3> palette{};
    for (std::size_t i = 0; i < warpColors.size(); ++i) {
        palette.at(3 * i) = static_cast<float>(warpColors.at(i) >> 16 & 255) / 255.0F;
        palette.at(3 * i + 1) = static_cast<float>(warpColors.at(i) >> 8 & 255) / 255.0F;
        palette.at(3 * i + 2) = static_cast<float>(warpColors.at(i) & 255) / 255.0F;
    }
    glUniform3fv(program.uniform("uPalette"), static_cast<GLsizei>(warpColors.size()),
                 palette.data());
    glUniform1uiv(program.uniform("uOutside"), static_cast<GLsizei>(picture.outside.size()),
                  picture.outside.data());
    std::visit(uniforms, picture.what);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace warplens::window
