#pragma once

#include <array>
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

}  // namespace warplens::window
