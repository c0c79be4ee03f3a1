#pragma once

#include "app/window/state/command.h"

/// What commands do to the state.
namespace warplens::window {

/// Changes the state. Never fails: a command that makes no sense now does nothing, or leaves a
/// message.
void apply(AppState& state, const Command& command);

/// Whether `apply` passes it over now: while a lesson's question is open, what would lead to its
/// answer is locked.
[[nodiscard]] bool isLocked(const AppState& state, const Command& command);

/// As `apply`, locked or not: for what a lesson itself brings about.
void applyFreely(AppState& state, const Command& command);

}  // namespace warplens::window
