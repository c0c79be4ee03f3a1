#pragma once

#include <string>

#include "app/window/state/app_state.h"

/// The launch as a person edits it: what follows from an edit, and Undo.
namespace warplens::window {

/// Takes an edit over, and what follows from it: grid, selection, camera, sweep. `field` names what
/// is edited; steps of one drag share a name and undo together.
void change(AppState& state, Edit next, std::string field);
/// What showing an experiment does.
void takeExperiment(AppState& state, const Experiment& experiment);
/// The launch as code: as it is typed, or the one that is shown where something typed is no number.
[[nodiscard]] const Launch& writtenLaunch(const AppState& state);
void undo(AppState& state);
void redo(AppState& state);

/// Lets go of what is not in the shown launch, `before` being the one shown until now.
void keepSelectionInside(AppState& state, const Experiment& before);

}  // namespace warplens::window
