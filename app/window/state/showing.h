#pragma once

#include "app/window/state/app_state.h"

/// What a ViewChange does to the state; see apply.h.
namespace warplens::window {

/// Shows what the change names, as far as the launch has it: a block, a warp or an array that it
/// has not gives way to the nearest, to none or to all. A launch whose scenario or sizes are not
/// known, or whose arrays begin beyond mostArrayOffset, stays as it was.
void takeView(AppState& state, ViewChange change);

/// Whether the change would show what a lesson's open question asks for.
[[nodiscard]] bool tells(const ViewChange& change);

void setMode(AppState& state, Mode mode);

/// The map shows the open file's chosen launch: every launch cuts its blocks into warps by the same
/// rule.
void showProgramLaunch(AppState& state);

/// Whether the model of an SM stands where recorded time would: nothing was recorded, or it is
/// asked for.
[[nodiscard]] bool showsModel(const AppState& state);

}  // namespace warplens::window
