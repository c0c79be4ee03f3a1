#pragma once

#include "app/window/state/commands/view.h"

/// How the cubes are looked at: part of the state, changed by commands. Commands that hold what is
/// no number change nothing; others are brought into the bounds of Block3dView.
namespace warplens::window {

void turnBlock3d(Block3dView& block3d, const TurnBlock3d& command);
void frameBlock3d(Block3dView& block3d, const FrameBlock3d& command);
void sliceBlock3d(AppState& state, const SliceBlock3d& command);
void spreadWarps(Block3dView& block3d, const SpreadWarps& command);
/// The launch has changed: another block is shown whole, from the same side, its warps as far
/// apart.
void keepBlock3d(AppState& state, const Experiment& before);

}  // namespace warplens::window
