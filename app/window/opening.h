#pragma once

#include "app/window/state/app_state.h"
#include "app/window/window.h"

namespace warplens::window {

/// What a window starts from.
struct Opening final {
    AppState state;
    Settings settings;
};

/// The state that the options and the last session's settings ask for. Settings that cannot be read
/// give defaults and a message; never an error.
[[nodiscard]] Opening openState(const WindowOptions& options);

}  // namespace warplens::window
