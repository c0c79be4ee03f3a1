#include "app/window/gl/mapping_renderer.h"

#include <algorithm>
#include <glad/gl.h>
#include <string>
#include <vector>

#include "app/window/gl/flat_outputs.h"
#include "app/window/gl/map_uniforms.h"

#include "embedded/warplens_window.h"

namespace warplens::window {
namespace {

/// What stands before the shader's own text: version and variant.
std::string headOf(const std::optional<MapVariant>& variant) {
    std::string head = "#version 330 core\n";
    if (variant) {
        head += "#define DETAIL " + std::to_string(variant->detail) + "\n#define PIECES " +
                std::to_string(variant->pieces ? 1 : 0) + "\n#define GUARDED " +
                std::to_string(variant->guarded ? 1 : 0) + "\n#define IDENTIFY " +
                std::to_string(variant->identify ? 1 : 0) + "\n";
    }
    return head;
}

/// A map leaves nothing of what is below it: reading that back costs as much as drawing.
void setBlending(bool map) {
    if (map) {
        glDisable(GL_BLEND);
        return;
    }
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void setWarpsUniforms(const Uniforms& uniforms, const WarpsPicture& picture) {
    uniforms.set("uCell", picture.cellWidth, picture.cellHeight);
    uniforms.set("uThreads", static_cast<int>(picture.block.count()));
    glUniform1uiv(uniforms.program.uniform("uOutside"), static_cast<GLsizei>(picture.wasted.size()),
                  picture.wasted.data());
}

}  // namespace

MappingPicture scaled(MappingPicture picture, float factor) {
    picture.rect = {picture.rect.x * factor, picture.rect.y * factor, picture.rect.width * factor,
                    picture.rect.height * factor};
    picture.lineWidth *= factor;
    if (auto* map = std::get_if<MapPicture>(&picture.what)) {
        map->area.width *= factor;
        map->area.height *= factor;
        map->camera.cell *= factor;
    } else if (auto* warps = std::get_if<WarpsPicture>(&picture.what)) {
        warps->cellWidth *= factor;
        warps->cellHeight *= factor;
    }
    return picture;
}

MappingRenderer::MappingRenderer() {
    glGenVertexArrays(1, &vertexArray_);
}

MappingRenderer::~MappingRenderer() {
    glDeleteVertexArrays(1, &vertexArray_);
}

MappingRenderer::Kind MappingRenderer::kindOf(const MappingPicture& picture) {
    const auto* map = std::get_if<MapPicture>(&picture.what);
    if (map == nullptr) return std::nullopt;
    return variantOf(*map, picture.lineWidth);
}

const Program& MappingRenderer::programFor(const Kind& kind) {
    const auto found = programs_.find(kind);
    if (found != programs_.end()) return found->second;
    const std::string head = headOf(kind);
    const std::string fragment =
        std::string(embedded::embeddedFile("paint.glsl")) +
        std::string(embedded::embeddedFile(kind ? "map.frag" : "warps.frag"));
    const std::string vertex =
        flatOutputs(fragment) + std::string(embedded::embeddedFile("mapping.vert"));
    return programs_.emplace(kind, Program(head + vertex, head + fragment)).first->second;
}

bool MappingRenderer::prepareNext() {
    std::vector<Kind> kinds{std::nullopt};
    for (const int detail : {0, 1, 2, 3}) {
        for (const bool pieces : {false, true}) {
            for (const bool guarded : {false, true}) {
                kinds.emplace_back(MapVariant{detail, pieces, guarded, false});
            }
        }
    }
    const auto missing =
        std::ranges::find_if_not(kinds, [&](const Kind& kind) { return programs_.contains(kind); });
    if (missing == kinds.end()) return false;
    glUseProgram(programFor(*missing).handle());
    glBindVertexArray(vertexArray_);
    setBlending(missing->has_value());
    // Some drivers compile when something is drawn, for the framebuffer it is drawn into.
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 0, 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    return true;
}

void MappingRenderer::draw(const MappingPicture& picture, PixelSize framebuffer) {
    const auto* map = std::get_if<MapPicture>(&picture.what);
    const Program& program = programFor(kindOf(picture));
    glUseProgram(program.handle());
    glBindVertexArray(vertexArray_);
    setBlending(map != nullptr);
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
    if (map != nullptr) {
        setMapUniforms(uniforms, *map);
    } else {
        uniforms.set("uPhase", 0.0F);
        setWarpsUniforms(uniforms, std::get<WarpsPicture>(picture.what));
    }
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEnable(GL_BLEND);
}

}  // namespace warplens::window
