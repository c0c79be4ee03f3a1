#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/platform/display.h"

struct GLFWwindow;

namespace warplens::window {

/// A window on the display, made by GLFW.
class GlfwDisplay final : public Display {
  public:
    /// `size` in design pixels; it opens no larger than the screen. Throws WindowUnavailable with
    /// GLFW's reason.
    GlfwDisplay(const std::string& title, PixelSize size);
    ~GlfwDisplay() override;

    [[nodiscard]] PixelSize framebufferSize() const override;
    void bind() override;
    void present() override;

    [[nodiscard]] std::unique_ptr<Input> listen() override;
    void finish() override;
    void fillScreen(bool fills) override;
    [[nodiscard]] float contentScale() const override;
    [[nodiscard]] PixelSize designSize() const override;
    [[nodiscard]] bool isClosed() const override;
    void setClipboard(const std::string& text) override;
    [[nodiscard]] std::string clipboard() const override;

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
