#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// When and where the launch's blocks ran on the GPU, and when its warps waited.
[[nodiscard]] Commands drawTimePanel(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
