#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// Mouse, keys and words, over everything else while it is open.
[[nodiscard]] Commands drawHelp(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
