#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The picture over the whole screen, for the back row: its letters are at least 2.5 % of the
/// height, whatever the text size.
[[nodiscard]] Commands drawPresentScreen(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
