#pragma once

#include "app/window/panels/mapping_scene.h"

namespace warplens::window {

/// The chosen block's threads as cubes: drag turns them, the wheel zooms, a click holds a warp.
/// What it is cut and moved by lies below it.
void drawSolidPicture(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands);

}  // namespace warplens::window
