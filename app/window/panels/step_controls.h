#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// A row of controls from the cursor to `right`: whose steps of the warp in focus are shown, and
/// which of them. Where room is short the arrays stand in a list and the speed is left out.
void drawStepControls(const UiContext& ui, const AppState& state, float right, Commands& commands);

}  // namespace warplens::window
