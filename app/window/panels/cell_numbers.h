#pragma once

#include "app/window/panels/map_panel.h"

namespace warplens::window {

/// Whether the cells are large enough to write into.
[[nodiscard]] bool hasCellNumbers(const MapContext& context, const MapFrame& frame);

/// What the state says shall stand in the cells of a block, in those that are seen.
void drawCellNumbers(const MapContext& context, const MapFrame& frame, Index3 block,
                     float strength);

/// Dims the threads of the chosen block that take no part in the step shown of an own launch.
void drawIdleCells(const MapContext& context, const MapFrame& frame);

}  // namespace warplens::window
