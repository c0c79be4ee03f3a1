#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/window/state/command.h"

namespace warplens::window {

/// A key as GLFW numbers it (GLFW/glfw3.h: letters are their upper-case ASCII).
struct KeyPress final {
    int key = 0;
    bool control = false;
    bool shift = false;
    friend constexpr bool operator==(const KeyPress&, const KeyPress&) = default;
};

/// One row of the table that feeds the keys, the tooltips and the help.
struct Shortcut final {
    KeyPress press;
    std::string_view keys;  ///< as people write it: `Ctrl+Z`
    std::string_view does;
    /// Works while a field has the keyboard.
    bool whileTyping;
    Command (*command)(const AppState&);
};

[[nodiscard]] std::span<const Shortcut> allShortcuts();

/// What the key means now; nullopt for keys without a meaning.
[[nodiscard]] std::optional<Command> commandFor(const AppState& state, KeyPress press, bool typing);

}  // namespace warplens::window
