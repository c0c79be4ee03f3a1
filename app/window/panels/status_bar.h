#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// One quiet line: where the numbers come from, and what the colours mean.
[[nodiscard]] Commands drawStatusBar(const UiContext& ui, const AppState& state, bool narrow);

}  // namespace warplens::window
