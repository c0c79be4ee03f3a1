#pragma once

#include "app/window/panels/map_panel.h"

namespace warplens::window {

/// What is written over the map: numbers in the cells, the axes of the chosen block, the names of
/// blocks and planes. Work and time depend on what is seen, not on the launch.
/// `others`: how strongly blocks beside the chosen one show.
void drawMapLabels(const MapContext& context, const MapFrame& frame, float others);

}  // namespace warplens::window
