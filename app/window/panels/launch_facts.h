#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/app_state.h"

namespace warplens::window {

/// What follows from the launch drawn: warps, idle lanes, threads against elements.
void drawConsequences(const UiContext& ui, const AppState& state);

/// What the shown block's warps will ask of memory and where they part.
void drawBlockCosts(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
