#pragma once

#include "app/window/panels/number_fields.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// Grid, block, problem size, what they give, and every limit they break.
[[nodiscard]] Commands drawLaunchPanel(const UiContext& ui, const AppState& state,
                                       TypedText& typed);

}  // namespace warplens::window
