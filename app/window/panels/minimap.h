#pragma once

#include "app/window/panels/map_panel.h"

namespace warplens::window {

/// The whole grid in the room given, with what the map shows of it; returns the height taken.
float drawMinimap(const MapContext& context, const MapFrame& frame, ImVec2 at, ImVec2 size,
                  Commands& commands);

}  // namespace warplens::window
