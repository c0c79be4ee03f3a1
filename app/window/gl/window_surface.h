#pragma once

#include <memory>
#include <string>

#include "app/window/gl/surface.h"

struct GLFWwindow;

namespace warplens::window {

/// A window on the display, made by GLFW.
class WindowSurface final : public Surface {
  public:
    /// `size` in design pixels; it opens no larger than the screen. Throws WindowUnavailable with
    /// GLFW's reason.
    WindowSurface(const std::string& title, PixelSize size);
    ~WindowSurface() override;

    [[nodiscard]] PixelSize framebufferSize() const override;
    void bind() override;
    void present() override;

    /// Waits until everything asked for so far is drawn, for whoever measures how long that takes.
    void finish();

    [[nodiscard]] GLFWwindow* handle() const { return window_; }
    /// Pixels for each design pixel that the display asks for, 1 on an ordinary one.
    [[nodiscard]] float contentScale() const;
    /// As settings keep it: the same on every display, however fine.
    [[nodiscard]] PixelSize designSize() const;

  private:
    /// In screen coordinates.
    [[nodiscard]] PixelSize windowSize() const;

    GLFWwindow* window_ = nullptr;
};

}  // namespace warplens::window
