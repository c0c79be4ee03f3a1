#pragma once

#include "app/window/panels/mapping_scene.h"

namespace warplens::window {

/// Height the legend takes below a map of this width; 0 where all blocks lie inside the problem.
[[nodiscard]] float mapLegendHeight(const Scene& scene, float width);

/// The kinds of block by how they lie on the problem, each with its colour, its blocks and the
/// threads they waste.
void drawMapLegend(const Scene& scene, ImVec2 at, float width);

}  // namespace warplens::window
