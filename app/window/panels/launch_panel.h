#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// A number being typed counts when it is complete: `1024` is not meant to pass through `1`.
struct LaunchPanelState final {
    std::optional<std::int64_t> typed;  ///< what the field with the keyboard holds so far
};

/// Grid, block, problem size, what they give, and every limit they break.
[[nodiscard]] Commands drawLaunchPanel(const Pen& pen, const AppState& state,
                                       LaunchPanelState& own);

}  // namespace warplens::window
