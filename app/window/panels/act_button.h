#pragma once

#include <string>

#include "app/window/panels/widgets.h"
#include "app/window/state/actions.h"

/// Buttons of the table of actions.
namespace warplens::window {

/// Of an action: its label, enabled where it is possible, with its words and keys for the pointer.
/// `label` goes before that of the table.
void actButton(const UiContext& ui, const AppState& state, Act act, Commands& commands,
               bool chosen = false, const char* label = nullptr, ImVec2 size = {});
void actButton(const UiContext& ui, const AppState& state, const Action& action, Commands& commands,
               bool chosen = false, const char* label = nullptr, ImVec2 size = {});

/// For a widget of another kind that does the same: the action's words and keys for the pointer.
void actTooltip(const UiContext& ui, Act act);
/// `Undo  Ctrl+Z`.
[[nodiscard]] std::string actWords(const Action& action);

}  // namespace warplens::window
