#pragma once

#include <string>

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// A small button that says where is measured, and the menu behind it: the places there are, one to
/// type, and the GPUs of the one that is chosen.
[[nodiscard]] Commands drawPlacesMenu(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
