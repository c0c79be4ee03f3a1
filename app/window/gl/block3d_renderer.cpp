#include "app/window/gl/block3d_renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glad/gl.h>
#include <glm/gtc/type_ptr.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "app/window/gl/uniforms.h"

#include "embedded/warplens_window.h"

namespace warplens::window {
namespace {

constexpr int samplesPerPixel = 4;

/// What the vertex shader reads for each face.
struct Instance final {
    glm::vec3 corner;
    std::uint32_t what;
    std::array<std::uint8_t, 4> color;
};

Instance instanceOf(const Block3dFace& face, const WastedMask& wasted) {
    const bool thread = face.layer != Block3dLayer::hollow;
    const bool isWasted = thread && (wasted.at(face.rank / 32) >> face.rank % 32 & 1) != 0;
    const Rgb color = colorOf(face);
    return {face.corner,
            face.rank | static_cast<std::uint32_t>(face.axis) << 16 | (face.high ? 1u << 20 : 0u) |
                static_cast<std::uint32_t>(face.layer) << 24 | (isWasted ? 1u << 28 : 0u),
            {static_cast<std::uint8_t>(color >> 16), static_cast<std::uint8_t>(color >> 8),
             static_cast<std::uint8_t>(color), 255}};
}

std::string identifyingSource() {
    std::string source(embedded::embeddedFile("block3d.frag"));
    source.insert(source.find('\n') + 1, "#define IDENTIFY\n");
    return source;
}

PixelSize sizeOf(const PixelRect& rect) {
    return {std::max(1, static_cast<int>(std::lround(rect.width))),
            std::max(1, static_cast<int>(std::lround(rect.height)))};
}

/// Mesa's rasterisers.
bool drawnByProcessor() {
    const std::string_view name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return name.starts_with("llvmpipe") || name.starts_with("softpipe");
}

void clearTo(Rgb color) {
    const auto channel = [&](unsigned shift) {
        return static_cast<float>(color >> shift & 255) / 255.0F;
    };
    glDisable(GL_SCISSOR_TEST);
    glDepthMask(GL_TRUE);
    glClearColor(channel(16), channel(8), channel(0), 1);
    glClearDepth(1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

}  // namespace

Rgb colorOf(const Block3dFace& face) {
    const Rgb color = warplens::colorOf(warpRankInBlock({face.rank}));
    // In front the colour is the one of the flat picture.
    const float shade = face.axis == 2 ? 0.0F : face.axis == 0 ? -0.24F : face.high ? -0.36F : 0.2F;
    Rgb shaded = 0;
    for (const unsigned shift : {16u, 8u, 0u}) {
        const auto channel = static_cast<float>(color >> shift & 255);
        const float moved = shade < 0 ? channel * (1 + shade) : channel + (255 - channel) * shade;
        shaded |= static_cast<Rgb>(std::lround(moved)) << shift;
    }
    return shaded;
}

Block3dRenderer::Block3dRenderer()
    : program_(embedded::embeddedFile("block3d.vert"), embedded::embeddedFile("block3d.frag")),
      identifying_(embedded::embeddedFile("block3d.vert"), identifyingSource()),
      byProcessor_(drawnByProcessor()) {
    glGenVertexArrays(1, &vertexArray_);
    glGenBuffers(1, &instances_);
    glBindVertexArray(vertexArray_);
    for (const GLuint attribute : {0u, 1u, 2u}) {
        glEnableVertexAttribArray(attribute);
        glVertexAttribDivisor(attribute, 1);
    }
    glBindVertexArray(0);
}

Block3dRenderer::~Block3dRenderer() {
    glDeleteBuffers(1, &instances_);
    glDeleteVertexArrays(1, &vertexArray_);
}

void Block3dRenderer::upload(const Block3dPicture& picture) const {
    std::vector<Instance> instances;
    instances.reserve(picture.faces.size());
    for (const Block3dFace& face : picture.faces) {
        instances.push_back(instanceOf(face, picture.wasted));
    }
    glBindVertexArray(vertexArray_);
    glBindBuffer(GL_ARRAY_BUFFER, instances_);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(Instance)),
                 instances.data(), GL_STREAM_DRAW);
}

void Block3dRenderer::drawLayer(const Block3dPicture& picture, Block3dLayer layer) const {
    const auto [begin, end] =
        std::ranges::equal_range(picture.faces, layer, {}, &Block3dFace::layer);
    if (begin == end) return;
    // OpenGL 3.3 has no first instance: the attributes begin further on instead.
    const auto first = static_cast<std::size_t>(begin - picture.faces.begin()) * sizeof(Instance);
    const auto place = [&](std::size_t offset) {
        return reinterpret_cast<const void*>(first + offset);
    };
    constexpr auto stride = static_cast<GLsizei>(sizeof(Instance));
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, place(offsetof(Instance, corner)));
    glVertexAttribIPointer(1, 1, GL_UNSIGNED_INT, stride, place(offsetof(Instance, what)));
    glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          place(offsetof(Instance, color)));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(end - begin));
}

void Block3dRenderer::render(const Block3dPicture& picture, int samples) {
    const PixelSize size = sizeOf(picture.rect);
    if (samples_.size() != size) {
        samples_ = RenderTarget(size, samplesPerPixel);
        pixels_ = RenderTarget(size, 1);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, (samples > 1 ? samples_ : pixels_).framebuffer());
    glViewport(0, 0, size.width, size.height);
    clearTo(picture.background);
    upload(picture);
    glUseProgram(program_.handle());
    glUniformMatrix4fv(program_.uniform("uToClip"), 1, GL_FALSE, glm::value_ptr(picture.toClip));
    const Uniforms uniforms{program_};
    uniforms.set("uLineWidth", picture.lineWidth);
    uniforms.set("uFade", picture.fade);
    uniforms.color("uBackground", picture.background);
    uniforms.color("uOutline", picture.outline);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    drawLayer(picture, Block3dLayer::full);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    drawLayer(picture, Block3dLayer::receded);
    drawLayer(picture, Block3dLayer::hollow);
    glDepthMask(GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    kept_ = picture;
    if (samples == 1) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, samples_.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, pixels_.framebuffer());
    glBlitFramebuffer(0, 0, size.width, size.height, 0, 0, size.width, size.height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

bool Block3dRenderer::draw(const Block3dPicture& picture, PixelSize framebuffer) {
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    const bool clipped = glIsEnabled(GL_SCISSOR_TEST) == GL_TRUE;
    const bool changes = !(picture == kept_) || pixels_.framebuffer() == 0;
    const bool moves = std::exchange(changed_, changes) && changes && byProcessor_;
    if (changes || rough_) {
        render(picture, moves ? 1 : samplesPerPixel);
        rough_ = moves;
    }
    if (clipped) glEnable(GL_SCISSOR_TEST);
    const PixelSize size = sizeOf(picture.rect);
    const auto left = static_cast<int>(std::lround(picture.rect.x));
    const int bottom =
        framebuffer.height - static_cast<int>(std::lround(picture.rect.y)) - size.height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, pixels_.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target));
    glBlitFramebuffer(0, 0, size.width, size.height, left, bottom, left + size.width,
                      bottom + size.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target));
    glViewport(0, 0, framebuffer.width, framebuffer.height);
    return !rough_;
}

void Block3dRenderer::prepare(Block3dLayer layer) {
    GLint target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    const bool clipped = glIsEnabled(GL_SCISSOR_TEST) == GL_TRUE;
    Block3dPicture picture;
    picture.rect = {0, 0, 1, 1};
    picture.faces = {{.layer = layer}};
    render(picture, samplesPerPixel);
    if (clipped) glEnable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target));
}

std::vector<std::uint32_t> Block3dRenderer::identify(const Block3dPicture& picture) {
    const PixelSize size = sizeOf(picture.rect);
    const RenderTarget target(size, 1);
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
    glViewport(0, 0, size.width, size.height);
    clearTo(0);
    upload(picture);
    glUseProgram(identifying_.handle());
    glUniformMatrix4fv(identifying_.uniform("uToClip"), 1, GL_FALSE,
                       glm::value_ptr(picture.toClip));
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    // What is seen through comes first, and is covered by whatever is seen through it.
    for (const Block3dLayer layer :
         {Block3dLayer::hollow, Block3dLayer::receded, Block3dLayer::full}) {
        glClear(GL_DEPTH_BUFFER_BIT);
        drawLayer(picture, layer);
    }
    glDisable(GL_DEPTH_TEST);
    const auto width = static_cast<std::size_t>(size.width);
    const auto height = static_cast<std::size_t>(size.height);
    std::vector<std::uint8_t> bytes(4 * width * height);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
    std::vector<std::uint32_t> ranks(width * height);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t from = 4 * ((height - 1 - y) * width + x);
            ranks[y * width + x] = bytes[from] | static_cast<std::uint32_t>(bytes[from + 1]) << 8;
        }
    }
    return ranks;
}

}  // namespace warplens::window
