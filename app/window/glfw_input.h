#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/window/input_queue.h"
#include "app/window/state/actions.h"

struct GLFWwindow;

namespace warplens::window {

/// What mouse and keyboard do in a GLFW window, for Dear ImGui and for the shortcuts. Ended before
/// both the window and ImGui's context are.
class GlfwInput final {
  public:
    explicit GlfwInput(GLFWwindow* window);
    GlfwInput(const GlfwInput&) = delete;
    GlfwInput& operator=(const GlfwInput&) = delete;
    ~GlfwInput();

    /// Sleeps until something happens, `seconds` at most; not at all while frames are due. True
    /// when nothing happened.
    bool await(double seconds);

    /// Begins Dear ImGui's frame with what happened next, and returns the keys pressed.
    [[nodiscard]] std::vector<KeyPress> beginFrame();

    /// Paths of files that were dropped on the window since the last call.
    [[nodiscard]] std::vector<std::string> takeDropped() { return std::exchange(dropped_, {}); }

    /// Dear ImGui settles sizes and hovers in the frames after something changed.
    void wantFrames();
    [[nodiscard]] bool framesDue() const { return framesDue_ > 0 || !queue_.empty(); }

  private:
    void happened(InputEvent event);
    void listen();
    void give(const PointerMoved& event);
    void give(const ButtonChanged& event);
    void give(const WheelTurned& event) const;
    void give(const KeyChanged& event) const;
    void give(const CharacterTyped& event) const;
    void give(const FocusChanged& event) const;

    GLFWwindow* window_;
    InputQueue queue_;
    DoubleClicks doubleClicks_;
    PointerMoved pointer_;
    std::array<bool, 5> buttons_{};
    std::vector<std::string> dropped_;
    double lastHeard_ = 0;  ///< when events were last asked for
    bool asleep_ = false;   ///< an event now is heard of at once
    int framesDue_ = 0;
};

}  // namespace warplens::window
