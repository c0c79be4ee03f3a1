#pragma once

#include "app/window/gl/mapping_renderer.h"

namespace warplens::window {

/// Owns a framebuffer of its own with colour and depth. Needs the OpenGL context it was made in.
class RenderTarget final {
  public:
    RenderTarget() = default;
    /// Several samples for each pixel, as many as there are up to `samples`; 1 for plain pixels.
    RenderTarget(PixelSize size, int samples);
    RenderTarget(RenderTarget&& other) noexcept;
    RenderTarget& operator=(RenderTarget&& other) noexcept;
    ~RenderTarget();

    [[nodiscard]] unsigned framebuffer() const { return framebuffer_; }
    [[nodiscard]] PixelSize size() const { return size_; }

  private:
    PixelSize size_;
    unsigned framebuffer_ = 0;
    unsigned color_ = 0;
    unsigned depth_ = 0;
};

}  // namespace warplens::window
