#pragma once

#include "app/window/state/commands/view.h"
#include "core/launch/block_case.h"

/// The camera over the map: part of the state, moved by commands.
namespace warplens::window {

[[nodiscard]] MapLayout mapLayout(const AppState& state);
/// The camera now, whatever it follows; the layout is the state's.
[[nodiscard]] MapCamera mapCamera(const AppState& state, const MapLayout& layout);
/// The view as `setMapArea` would leave it.
[[nodiscard]] MapView viewOn(const AppState& state, const MapArea& area);
[[nodiscard]] MapCamera mapCamera(const AppState& state, const MapView& view,
                                  const MapLayout& layout);

void setMapArea(AppState& state, const MapArea& area);
void zoomMap(AppState& state, const ZoomMap& command);
void panMap(AppState& state, const PanMap& command);
void centreMap(AppState& state, Index3 block);
/// The launch has changed: a camera that follows nothing keeps the same block in the middle.
void keepMap(AppState& state, const Experiment& before);

}  // namespace warplens::window
