#pragma once

#include <deque>
#include <variant>
#include <vector>

/// What a person did with mouse and keyboard, handed out frame by frame so that a slow frame loses
/// none of it: Dear ImGui looks at the state of buttons and keys once a frame, and takes a press
/// and a release between two looks for nothing.
namespace warplens::window {

struct PointerMoved final {
    double x = 0;
    double y = 0;
    friend bool operator==(const PointerMoved&, const PointerMoved&) = default;
};
struct ButtonChanged final {
    int button = 0;
    bool down = false;
    /// Between when and when it happened, seconds: what came during a frame is heard of after it.
    double earliest = 0;
    double latest = 0;
    friend bool operator==(const ButtonChanged&, const ButtonChanged&) = default;
};
struct WheelTurned final {
    double x = 0;
    double y = 0;
    friend bool operator==(const WheelTurned&, const WheelTurned&) = default;
};
/// A key as GLFW numbers it (GLFW/glfw3.h: letters are their upper-case ASCII).
struct KeyPress final {
    int key = 0;
    bool control = false;
    bool shift = false;
    friend constexpr bool operator==(const KeyPress&, const KeyPress&) = default;
};
/// Key, scan code, action and modifiers as GLFW numbers them.
struct KeyChanged final {
    int key = 0;
    int scanCode = 0;
    int action = 0;
    int modifiers = 0;
    friend bool operator==(const KeyChanged&, const KeyChanged&) = default;
};
struct CharacterTyped final {
    unsigned codePoint = 0;
    friend bool operator==(const CharacterTyped&, const CharacterTyped&) = default;
};
struct FocusChanged final {
    bool focused = false;
    friend bool operator==(const FocusChanged&, const FocusChanged&) = default;
};
using InputEvent = std::variant<PointerMoved, ButtonChanged, WheelTurned, KeyChanged,
                                CharacterTyped, FocusChanged>;

class InputQueue final {
  public:
    void add(InputEvent event) { waiting_.push_back(event); }
    [[nodiscard]] bool empty() const { return waiting_.empty(); }

    /// The events of the next frame, in order, at least one where one waits. A button changes in a
    /// frame of its own, the pointer being where it was then; of keys one is pressed in a frame,
    /// with the modifiers held then and the character that it types. Repeats of a held key come
    /// together: they must not go on after it is let go.
    [[nodiscard]] std::vector<InputEvent> takeFrame();

  private:
    std::deque<InputEvent> waiting_;
};

/// Tells double clicks by when the presses happened, however long the frames between them took.
class DoubleClicks final {
  public:
    /// Whether this press may have come within `seconds` of the one before of the same button.
    [[nodiscard]] bool completes(const ButtonChanged& press, double seconds);

  private:
    ButtonChanged last_{-1, true, 0, 0};
};

}  // namespace warplens::window
