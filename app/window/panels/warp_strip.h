#pragma once

#include "app/window/panels/map_context.h"

namespace warplens::window {

/// The warps of the chosen block, one to a row, by lanes.
void drawWarpStrip(const MapContext& context, ImVec2 at, ImVec2 size, Commands& commands);

}  // namespace warplens::window
