#pragma once

#include "app/window/panels/map_panel.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The chosen block's threads as cubes: drag turns them, the wheel zooms, a click holds a warp.
/// What it is cut and moved by lies below it.
void drawBlock3dPicture(const MapContext& context, ImVec2 at, ImVec2 size, Commands& commands);

/// The choice between the map, the cubes, the slots of an SM and the times of a run, at the right
/// of the line; the cursor stays. Returns the width that this leaves for a title.
[[nodiscard]] float drawBlockViewChoice(const UiContext& ui, const AppState& state,
                                        Commands& commands);

/// Which indices of each axis are shown, how far the warps are apart, and the way back.
void drawBlock3dControls(const UiContext& ui, const AppState& state, ImVec2 at, float width,
                         Commands& commands);
[[nodiscard]] float block3dControlsHeight(const UiContext& ui);

}  // namespace warplens::window
