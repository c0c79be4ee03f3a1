#pragma once

#include "app/drawing/evidence.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// Below the time of a result: how the runs lie as a histogram, what a launch costs beside its
/// kernel, and what the next measurement's runs are to find in the L2.
void drawRunTimes(const UiContext& ui, const AppState& state, const Evidence& evidence,
                  const Timing& timing, Commands& commands);

}  // namespace warplens::window
