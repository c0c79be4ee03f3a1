#pragma once

#include <stop_token>

#include "app/window/state/command.h"

namespace warplens::window {

/// What the model of an SM is run for now; nothing where the launch cannot be.
[[nodiscard]] std::optional<ModelPlace> modelPlace(const AppState& state);

/// Runs it on the calling thread: SmModelled. What the block executes is kept from call to call.
[[nodiscard]] Command modelNow(const ModelPlace& place, const std::stop_token& stop);

}  // namespace warplens::window
