#pragma once

#include "app/window/panels/mapping_canvas.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The chosen block's threads coloured by warp, the grid it stands in, and its warps by lanes.
[[nodiscard]] Commands drawMappingPanel(const Pen& pen, MappingCanvas& canvas,
                                        const AppState& state);

/// The held or pointed-at thread in numbers, and where its warp writes.
[[nodiscard]] Commands drawWarpPanel(const Pen& pen, const AppState& state);

/// The thread the window speaks of: pointed at, else the held warp's first, else the block's first.
[[nodiscard]] Index3 threadInFocus(const AppState& state);

}  // namespace warplens::window
