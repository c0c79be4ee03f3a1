#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The kernel's source from `at` to `end` with what each line costs, the line of the step that is
/// shown lit. A click on a line shows the held warp's next step there.
[[nodiscard]] Commands drawSource(const UiContext& ui, const AppState& state, ImVec2 at, ImVec2 end,
                                  bool costs = true);

/// The open file with what each line asks for in the chosen launch.
[[nodiscard]] Commands drawProgramSource(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
