#pragma once

#include "app/window/panels/number_fields.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// What was measured of the shown launch, the sweep around it, or the roof above it: one of them,
/// behind its tab.
[[nodiscard]] Commands drawRightColumn(const UiContext& ui, const AppState& state,
                                       TypedText& typed);

}  // namespace warplens::window
