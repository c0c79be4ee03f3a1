#pragma once

#include "app/window/panels/number_fields.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The slots of one SM under the launch's blocks, and what keeps a further block out.
[[nodiscard]] Commands drawSmPanel(const UiContext& ui, const AppState& state, TypedText& typed);

}  // namespace warplens::window
