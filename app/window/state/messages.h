#pragma once

#include <exception>
#include <optional>
#include <string>

#include "app/window/state/app_state.h"

/// What the window says, and how long.
namespace warplens::window {

/// Says it, once however often: the oldest of more than four messages goes.
void report(AppState& state, MessageKind kind, const std::string& said);

/// Does the work; what it throws becomes a message, so that one mistake of ours does not end the
/// window.
template <class Work>
void guarded(AppState& state, const Work& work) {
    try {
        work();
    } catch (const std::exception& error) {
        report(state, MessageKind::error, std::string("That went wrong: ") + error.what());
    }
}

/// How much there is still to be seen of a message: 1 until it fades.
[[nodiscard]] double strengthOf(const AppState& state, const Message& message);
/// Seconds until a message fades or is gone; nothing while none will.
[[nodiscard]] std::optional<double> secondsToNextFade(const AppState& state);

}  // namespace warplens::window
