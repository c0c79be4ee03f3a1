#pragma once

#include <memory>
#include <optional>
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

    /// Over the whole of the monitor that it is on, without a border; or as it was before.
    void fillScreen(bool fills);

    [[nodiscard]] GLFWwindow* handle() const { return window_; }
    /// Pixels for each design pixel that the display asks for, 1 on an ordinary one.
    [[nodiscard]] float contentScale() const;
    /// As settings keep it: the same on every display, however fine.
    [[nodiscard]] PixelSize designSize() const;

  private:
    /// In screen coordinates.
    [[nodiscard]] PixelSize windowSize() const;

    GLFWwindow* window_ = nullptr;
    struct Frame final {
        int x = 0;
        int y = 0;
        int width = 0;
        int height = 0;
    };
    std::optional<Frame> before_{};  ///< it filled the screen
};

}  // namespace warplens::window
