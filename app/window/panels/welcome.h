#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// What to begin with, for who has not used the window before.
[[nodiscard]] Commands drawWelcome(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
