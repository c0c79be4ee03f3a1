#pragma once

#include "app/window/state/commands.h"
#include "core/launch/mapping.h"

/// How the map and the cubes are looked at: part of the state, moved by commands. Commands that
/// hold what is no number change nothing; others are brought into the bounds there are.
namespace warplens::window {

[[nodiscard]] MapLayout mapLayout(const AppState& state);
/// The camera now, whatever it follows; the layout is the state's.
[[nodiscard]] MapCamera mapCamera(const AppState& state, const MapLayout& layout);
/// The view as SetMapArea would leave it.
[[nodiscard]] MapView viewOn(const AppState& state, const MapArea& area);
[[nodiscard]] MapCamera mapCamera(const AppState& state, const MapView& view,
                                  const MapLayout& layout);

void perform(AppState& state, const ZoomMap& command);
void perform(AppState& state, const PanMap& command);
void perform(AppState& state, const CentreMap& command);
/// The launch has changed: a camera that follows nothing keeps the same block in the middle.
void keepMap(AppState& state, const Experiment& before);

void perform(AppState& state, const TurnBlock3d& command);
void perform(AppState& state, const FrameBlock3d& command);
void perform(AppState& state, const SliceBlock3d& command);
void perform(AppState& state, const SpreadWarps& command);
/// The launch has changed: another block is shown whole, from the same side, its warps as far
/// apart.
void keepBlock3d(AppState& state, const Experiment& before);

}  // namespace warplens::window
