#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// Scenario, Measure and its progress, pins, swap, undo, theme, text size, help.
[[nodiscard]] Commands drawTopBar(const Pen& pen, const AppState& state);

/// What cannot be missed: failures and notes, each with a way to dismiss it. Draws nothing without
/// messages. `messagesHeight` is the room it takes.
[[nodiscard]] Commands drawMessages(const Pen& pen, const AppState& state);
[[nodiscard]] float messagesHeight(const Look& look, const AppState& state, float width);

}  // namespace warplens::window
