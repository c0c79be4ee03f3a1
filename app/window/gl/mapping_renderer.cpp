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
std::string headOf(const MapVariant& variant) {
    return "#version 330 core\n#define DETAIL " + std::to_string(variant.detail) +
           "\n#define PIECES " + std::to_string(variant.pieces ? 1 : 0) + "\n#define GUARDED " +
           std::to_string(variant.guarded ? 1 : 0) + "\n#define IDENTIFY " +
           std::to_string(variant.identify ? 1 : 0) + "\n";
}

}  // namespace

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

const Program& MappingRenderer::programFor(const MapVariant& variant) {
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
    setMapUniforms(uniforms, picture);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEnable(GL_BLEND);
}

}  // namespace warplens::window
