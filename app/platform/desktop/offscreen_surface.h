#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/platform/surface.h"

namespace warplens::window {

/// Pixels in memory, drawn through EGL without a display: on the first GPU that offers OpenGL 3.3,
/// else in Mesa's software.
class OffscreenSurface final : public Surface {
  public:
    /// Throws WindowUnavailable with what each way said.
    explicit OffscreenSurface(PixelSize size);
    ~OffscreenSurface() override;

    [[nodiscard]] PixelSize framebufferSize() const override { return size_; }
    void bind() override;
    void present() override;

    /// Rows from the top, 3 bytes a pixel.
    [[nodiscard]] std::vector<unsigned char> readPixels() const;
    /// GL_RENDERER.
    [[nodiscard]] std::string renderer() const;

  private:
    class EglContext;
    PixelSize size_;
    std::unique_ptr<EglContext> context_;
    unsigned framebuffer_ = 0;
    unsigned colorBuffer_ = 0;
};

}  // namespace warplens::window
