#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The roof of the device with the products under it, and their ratios; a click on a point or its
/// row shows its launch.
[[nodiscard]] Commands drawRoofPanel(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
