#include "app/platform/input_queue.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace warplens::window {
namespace {

// GLFW's numbers, written out so that this needs no window library; glfw_display.cpp asserts them.
constexpr int released = 0;
constexpr int repeated = 2;
constexpr int firstNamedKey = 256;
constexpr int firstKeypadKey = 320;
constexpr int lastKeypadKey = 336;
constexpr int firstModifier = 340;
constexpr int lastModifier = 347;

bool isModifier(int key) {
    return key >= firstModifier && key <= lastModifier;
}

bool typesCharacter(int key) {
    return key < firstNamedKey || (key >= firstKeypadKey && key <= lastKeypadKey);
}

/// What a frame holds so far.
struct Frame final {
    bool alone = false;  ///< nothing may join
    bool typed = false;
    bool turned = false;
    std::optional<int> press{};
    std::vector<int> keys{};

    [[nodiscard]] bool admits(const PointerMoved&) const { return !turned; }
    /// After a frame that showed the pointer where it is pressed or let go.
    [[nodiscard]] static bool admits(const ButtonChanged&) { return false; }
    [[nodiscard]] bool admits(const WheelTurned&) const { return keys.empty() && !typed; }
    [[nodiscard]] bool admits(const KeyChanged& change) const {
        if (turned) return false;
        if (change.action == repeated) return true;
        if (std::ranges::find(keys, change.key) != keys.end()) return false;
        return (change.action == released && !isModifier(change.key)) || !press;
    }
    [[nodiscard]] bool admits(const CharacterTyped&) const {
        return !press || typesCharacter(*press);
    }
    [[nodiscard]] static bool admits(const FocusChanged&) { return false; }

    void join(const PointerMoved&) {}
    void join(const ButtonChanged&) { alone = true; }
    void join(const WheelTurned&) { turned = true; }
    void join(const KeyChanged& change) {
        if (change.action == repeated) return;
        keys.push_back(change.key);
        if (change.action != released && !isModifier(change.key)) press = change.key;
    }
    void join(const CharacterTyped&) { typed = true; }
    void join(const FocusChanged&) { alone = true; }
};

}  // namespace

std::vector<InputEvent> InputQueue::takeFrame() {
    std::vector<InputEvent> events;
    Frame frame;
    while (!waiting_.empty() && !frame.alone) {
        const InputEvent& next = waiting_.front();
        if (!events.empty() &&
            !std::visit([&](const auto& event) { return frame.admits(event); }, next)) {
            break;
        }
        std::visit([&](const auto& event) { frame.join(event); }, next);
        events.push_back(next);
        waiting_.pop_front();
    }
    return events;
}

bool DoubleClicks::completes(const ButtonChanged& press, double seconds) {
    const ButtonChanged before = std::exchange(last_, press);
    return before.button == press.button && press.earliest - before.latest < seconds;
}

}  // namespace warplens::window
