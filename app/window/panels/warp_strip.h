#pragma once

#include "app/window/panels/mapping_scene.h"

namespace warplens::window {

/// The warps of the chosen block, one to a row, by lanes.
void drawWarpStrip(const Scene& scene, ImVec2 at, ImVec2 size, Commands& commands);

}  // namespace warplens::window
