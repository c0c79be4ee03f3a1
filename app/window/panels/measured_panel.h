#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// Predicted beside measured numbers in three groups, then time, occupancy and checks; every number
/// with its source, every missing one with its reason.
[[nodiscard]] Commands drawMeasuredPanel(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
