#pragma once

#include "app/window/panels/backgrounds.h"
#include "app/window/panels/widgets.h"

namespace warplens::window {

/// The picture over the whole screen, for the back row: its letters are at least 2.5 % of the
/// height, whatever the text size.
void drawPresentScreen(const UiContext& ui, Backgrounds& backgrounds, const AppState& state);

}  // namespace warplens::window
