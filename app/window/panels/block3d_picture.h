#pragma once

#include "app/window/panels/map_context.h"

namespace warplens::window {

/// The chosen block's threads as cubes: drag turns them, the wheel zooms, a click holds a warp.
/// What it is cut and moved by lies below it.
void drawBlock3dPicture(const MapContext& context, ImVec2 at, ImVec2 size, Commands& commands);

}  // namespace warplens::window
