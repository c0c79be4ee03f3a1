#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// Scenario, Measure and its progress, pins, swap, undo, theme, text size, help.
[[nodiscard]] Commands drawTopBar(const UiContext& ui, const AppState& state, std::string& filter);

/// The button, or how far the measurement is, and Cancel.
void drawMeasureControls(const UiContext& ui, const AppState& state, Commands& commands);

/// Failures and notes over the other panels, each with a way to dismiss it; they push nothing aside
/// and fade, but for failures. Draws nothing without messages.
[[nodiscard]] Commands drawNotices(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
