#include "app/window/state/map_view.h"

#include <algorithm>
#include <cmath>

namespace warplens::window {
namespace {

/// Larger than any window, in pixels; far below what cells are counted exactly up to.
constexpr float longestSide = 1 << 16;

/// Whether something can be drawn on it; false where a length is no number.
bool canBeDrawnOn(const MapArea& area) {
    const auto within = [](float length, float least) {
        return length >= least && length <= longestSide;
    };
    return within(area.width, 1) && within(area.height, 1) && within(area.left, 0) &&
           within(area.above, 0) && within(area.gapX, 0) && within(area.gapY, 0) &&
           within(area.largestCell, 1) && within(area.line, 0);
}

/// The camera set free of what it followed.
void look(AppState& state, const MapCamera& camera) {
    state.map.camera = camera;
    state.view.map = MapFollows::nothing;
}

}  // namespace

MapLayout mapLayout(const AppState& state) {
    return layOutMap(state.view.experiment.launch, state.map.area);
}

MapCamera mapCamera(const AppState& state, const MapView& view, const MapLayout& layout) {
    switch (state.view.map) {
        case MapFollows::block:
            return fittedToBlock(layout, view.area, state.view.block);
        case MapFollows::grid:
            return fittedToGrid(layout, view.area);
        case MapFollows::nothing:
            break;
    }
    return view.camera;
}

MapCamera mapCamera(const AppState& state, const MapLayout& layout) {
    return mapCamera(state, state.map, layout);
}

MapView viewOn(const AppState& state, const MapArea& area) {
    MapView view = state.map;
    if (!canBeDrawnOn(area) || area == view.area) return view;
    view.area = area;
    if (state.view.map == MapFollows::nothing) {
        view.camera = carriedOver(view.camera, mapLayout(state),
                                  layOutMap(state.view.experiment.launch, area), area);
    }
    return view;
}

void setMapArea(AppState& state, const MapArea& area) {
    state.map = viewOn(state, area);
}

void zoomMap(AppState& state, const ZoomMap& command) {
    if (!std::isfinite(command.factor) || command.factor <= 0) return;
    const MapArea& area = state.map.area;
    const MapLayout layout = mapLayout(state);
    Point about = command.about.value_or(Point{area.width / 2, area.height / 2});
    if (!std::isfinite(about.x) || !std::isfinite(about.y)) return;
    about = {std::clamp(about.x, 0.0F, area.width), std::clamp(about.y, 0.0F, area.height)};
    look(state, zoomed(mapCamera(state, layout), layout, area, command.factor, about));
}

void panMap(AppState& state, const PanMap& command) {
    if (!std::isfinite(command.right) || !std::isfinite(command.down)) return;
    const MapLayout layout = mapLayout(state);
    look(state,
         panned(mapCamera(state, layout), layout, state.map.area, command.right, command.down));
}

void centreMap(AppState& state, Index3 block) {
    if (state.view.map != MapFollows::nothing) return;
    const MapLayout layout = mapLayout(state);
    state.map.camera.centre = {placeOf(layout, block), layout.pitchX / 2.0, layout.pitchY / 2.0};
}

void keepMap(AppState& state, const Experiment& before) {
    if (state.view.experiment.scenario != before.scenario) {
        state.view.map = MapFollows::block;
    } else if (state.view.map == MapFollows::nothing &&
               state.view.experiment.launch != before.launch) {
        const MapLayout was = layOutMap(before.launch, state.map.area);
        state.map.camera = carriedOver(state.map.camera, was, mapLayout(state), state.map.area);
    }
}

}  // namespace warplens::window
