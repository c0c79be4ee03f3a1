#pragma once

#include <string>

#include "app/window/gl/mapping_renderer.h"

namespace warplens::window {

/// Somewhere to draw with OpenGL 3.3 core: a window on a display, or pixels in memory. The context
/// is current from construction to destruction.
class Surface {
  public:
    Surface() = default;
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;
    virtual ~Surface() = default;

    [[nodiscard]] virtual PixelSize framebufferSize() const = 0;
    /// Makes the surface's framebuffer the one drawn into.
    virtual void bind() = 0;
    /// Shows what was drawn.
    virtual void present() = 0;
};

}  // namespace warplens::window
