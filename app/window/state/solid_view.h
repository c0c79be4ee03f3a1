#pragma once

#include "app/window/state/command.h"

/// How the solid is looked at: part of the state, changed by commands. Commands that hold what is
/// no number change nothing; others are brought into the bounds of SolidView.
namespace warplens::window {

void turnSolid(SolidView& solid, const TurnSolid& command);
void frameSolid(SolidView& solid, const FrameSolid& command);
void sliceSolid(AppState& state, const SliceSolid& command);
void spreadWarps(SolidView& solid, const SpreadWarps& command);
/// The launch has changed: another block is shown whole, from the same side, its warps as far
/// apart.
void keepSolid(AppState& state, const Experiment& before);

}  // namespace warplens::window
