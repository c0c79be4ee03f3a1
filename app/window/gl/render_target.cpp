#include "app/window/gl/render_target.h"

#include <algorithm>
#include <glad/gl.h>
#include <utility>

namespace warplens::window {

RenderTarget::RenderTarget(PixelSize size, int samples) : size_(size) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    // Asking for one sample would still give a multisampled buffer.
    const int wanted = samples > 1 ? std::min(samples, most) : 0;
    const auto attach = [&](unsigned& buffer, GLenum format, GLenum attachment) {
        glGenRenderbuffers(1, &buffer);
        glBindRenderbuffer(GL_RENDERBUFFER, buffer);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, wanted, format, size.width, size.height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
    };
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    attach(color_, GL_RGBA8, GL_COLOR_ATTACHMENT0);
    attach(depth_, GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT);
}

RenderTarget::RenderTarget(RenderTarget&& other) noexcept {
    *this = std::move(other);
}

RenderTarget& RenderTarget::operator=(RenderTarget&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(framebuffer_, other.framebuffer_);
    std::swap(color_, other.color_);
    std::swap(depth_, other.depth_);
    return *this;
}

RenderTarget::~RenderTarget() {
    if (framebuffer_ == 0) return;
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
    glDeleteRenderbuffers(1, &depth_);
}

}  // namespace warplens::window
