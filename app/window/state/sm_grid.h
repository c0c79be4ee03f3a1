#pragma once

#include "app/drawing/occupancy_slots.h"
#include "app/window/state/app_state.h"

namespace warplens::window {

/// The blocks of the shown launch on the SMs of `shownSm`: of the device that was measured and has
/// them, where there is one.
[[nodiscard]] drawing::GridShare shownGrid(const AppState& state);

}  // namespace warplens::window
