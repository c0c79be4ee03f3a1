#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/display.h"

struct GLFWwindow;

namespace warplens::window {

/// What mouse and keyboard do in a GLFW window.
class GlfwInput final : public Input {
  public:
    explicit GlfwInput(GLFWwindow* window);
    ~GlfwInput() override;

    [[nodiscard]] bool await(double seconds) override;
    [[nodiscard]] std::vector<KeyPress> beginFrame() override;

  private:
    void listen();
    void give(const PointerMoved& event);
    void give(const ButtonChanged& event);
    void give(const WheelTurned& event) const;
    void give(const KeyChanged& event) const;
    void give(const CharacterTyped& event) const;
    void give(const FocusChanged& event) const;

    GLFWwindow* window_;
    DoubleClicks doubleClicks_;
    PointerMoved pointer_;
    std::array<bool, 5> buttons_{};
    double lastHeard_ = 0;  ///< when events were last asked for
    bool asleep_ = false;   ///< an event now is heard of at once
};

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
    PixelSize border_{};             ///< what its frame added then
};

}  // namespace warplens::window
