#pragma once

#include <string>
#include <vector>

#include "app/window/state/app_state.h"

namespace warplens::window::soak {

/// What every state that commands lead to must hold, and does not: a sentence for each; empty for
/// a sound state.
[[nodiscard]] std::vector<std::string> brokenInvariants(const AppState& state);

}  // namespace warplens::window::soak
