#pragma once

#include <array>

#include "app/window/panels/map_panel.h"

namespace warplens::window {

/// Whether the cells are large enough to write into.
[[nodiscard]] bool hasCellNumbers(const MapContext& context, const MapFrame& frame);

/// What the state says shall stand in the cells of a block, in those that are seen.
void drawCellNumbers(const MapContext& context, const MapFrame& frame, Index3 block,
                     float strength);

/// Dims the threads of the chosen block whose lanes, by warp, are not among these.
void drawIdleCells(const MapContext& context, const MapFrame& frame,
                   const std::array<std::uint32_t, 32>& lanes);

}  // namespace warplens::window
