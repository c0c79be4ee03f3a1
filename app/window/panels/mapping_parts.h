#pragma once

#include "app/drawing/elements.h"
#include "app/window/panels/widgets.h"
#include "core/scenario/scenario.h"

namespace warplens::window {

/// Block, thread, the rule with the thread's numbers filled in, and the element that it writes in a
/// built-in kernel.
void drawThreadFacts(const UiContext& ui, const AppState& state, Index3 block, Index3 thread);

/// The picture of the step shown, or of what is known without it; `arms` is how far the arms of a
/// branch have come, from 0 to 1.
void drawWarpStep(const UiContext& ui, const AppState& state, ImVec2 at, ImVec2 end,
                  double arms = 1);

}  // namespace warplens::window
