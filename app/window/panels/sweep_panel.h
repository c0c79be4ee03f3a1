#pragma once

#include "app/window/panels/number_fields.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// What is varied, how far its points are predicted and measured, and their plots; a click on a
/// point shows its launch.
[[nodiscard]] Commands drawSweepPanel(const UiContext& ui, const AppState& state, TypedText& typed);

}  // namespace warplens::window
