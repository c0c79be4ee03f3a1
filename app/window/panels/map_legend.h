#pragma once

#include "app/window/panels/map_context.h"

namespace warplens::window {

/// Height the legend takes below a map of this width; 0 where all blocks lie inside the problem.
[[nodiscard]] float mapLegendHeight(const MapContext& context, float width);

/// The kinds of block by how they lie on the problem, each with its colour, its blocks and the
/// threads they waste.
void drawMapLegend(const MapContext& context, ImVec2 at, float width);

}  // namespace warplens::window
