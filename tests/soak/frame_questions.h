#pragma once

#include <cstddef>

#include "app/window/state/app_state.h"

namespace warplens::window::soak {

/// Asks the state everything that a frame of the window asks it, whatever tabs are open, and what
/// every key would mean now. Throws what the state's functions throw. Returns a number that depends
/// on the answers, so that none is optimised away.
[[nodiscard]] std::size_t askAsAFrameDoes(const AppState& state);

}  // namespace warplens::window::soak
