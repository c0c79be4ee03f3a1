#pragma once

#include "app/window/panels/map_panel.h"

namespace warplens::window {

/// Over the map: what is seen, at the left; what moves the camera and chooses the numbers, at the
/// right. Returns the height taken.
float drawMapTools(const MapContext& context, const MapFrame& frame, ImVec2 at, float width,
                   Commands& commands);

/// Height of the tools before they are drawn.
[[nodiscard]] float mapToolsHeight(const Look& look);

}  // namespace warplens::window
