#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The held or pointed-at thread in numbers, and what its warp asks of global memory.
[[nodiscard]] Commands drawWarpPanel(const UiContext& ui, const AppState& state);

/// Block, thread, the rule with the thread's numbers filled in, and the element that it writes in a
/// built-in kernel.
void drawThreadFacts(const UiContext& ui, const AppState& state, Index3 block, Index3 thread);

/// The picture of the step shown, or of what is known without it; `arms` is how far the arms of a
/// branch have come, from 0 to 1.
void drawWarpStep(const UiContext& ui, const AppState& state, ImVec2 at, ImVec2 end,
                  double arms = 1);

}  // namespace warplens::window
