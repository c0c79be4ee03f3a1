#pragma once

#include "app/window/panels/mapping_canvas.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The chosen block's threads coloured by warp, the grid it stands in, and its warps by lanes.
[[nodiscard]] Commands drawMappingPanel(const UiContext& ui, MappingCanvas& canvas,
                                        const AppState& state);

}  // namespace warplens::window
