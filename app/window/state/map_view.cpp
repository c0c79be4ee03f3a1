#include "app/window/state/map_view.h"

#include <algorithm>
#include <cmath>

namespace warplens::window {
namespace {

/// Larger than any window, in pixels; far below what cells are counted exactly up to.
constexpr float longestSide = 1 << 16;

/// Whether something can be drawn on it; false where a length is no number.
bool isSheet(const MapSheet& sheet) {
    const auto within = [](float length, float least) {
        return length >= least && length <= longestSide;
    };
    return within(sheet.width, 1) && within(sheet.height, 1) && within(sheet.left, 0) &&
           within(sheet.above, 0) && within(sheet.gapX, 0) && within(sheet.gapY, 0) &&
           within(sheet.largestCell, 1) && within(sheet.line, 0);
}

/// The camera set free of what it followed.
void look(AppState& state, const MapCamera& camera) {
    state.map.camera = camera;
    state.map.follows = MapFollows::nothing;
}

}  // namespace

MapLayout mapLayout(const AppState& state) {
    return layOutMap(state.shown.launch, state.map.sheet);
}

MapCamera mapCamera(const AppState& state, const MapLayout& layout) {
    switch (state.map.follows) {
        case MapFollows::block:
            return fittedToBlock(layout, state.map.sheet, state.selection.block);
        case MapFollows::grid:
            return fittedToGrid(layout, state.map.sheet);
        case MapFollows::nothing:
            break;
    }
    return state.map.camera;
}

void setMapSheet(AppState& state, const MapSheet& sheet) {
    if (!isSheet(sheet) || sheet == state.map.sheet) return;
    const MapLayout before = mapLayout(state);
    state.map.sheet = sheet;
    if (state.map.follows != MapFollows::nothing) return;
    state.map.camera = carriedOver(state.map.camera, before, mapLayout(state), sheet);
}

void zoomMap(AppState& state, const ZoomMap& command) {
    if (!std::isfinite(command.factor) || command.factor <= 0) return;
    const MapSheet& sheet = state.map.sheet;
    const MapLayout layout = mapLayout(state);
    Point about = command.about.value_or(Point{sheet.width / 2, sheet.height / 2});
    if (!std::isfinite(about.x) || !std::isfinite(about.y)) return;
    about = {std::clamp(about.x, 0.0F, sheet.width), std::clamp(about.y, 0.0F, sheet.height)};
    look(state, zoomed(mapCamera(state, layout), layout, sheet, command.factor, about));
}

void panMap(AppState& state, const PanMap& command) {
    if (!std::isfinite(command.right) || !std::isfinite(command.down)) return;
    const MapLayout layout = mapLayout(state);
    look(state,
         panned(mapCamera(state, layout), layout, state.map.sheet, command.right, command.down));
}

void fitMap(AppState& state, MapFollows what) {
    if (what == MapFollows::nothing) state.map.camera = mapCamera(state, mapLayout(state));
    state.map.follows = what;
}

void centreMap(AppState& state, Index3 block) {
    if (state.map.follows != MapFollows::nothing) return;
    const MapLayout layout = mapLayout(state);
    state.map.camera.centre = {placeOf(layout, block), layout.pitchX / 2.0, layout.pitchY / 2.0};
}

void keepMap(AppState& state, const Experiment& before) {
    if (state.shown.scenario != before.scenario) {
        state.map.follows = MapFollows::block;
    } else if (state.map.follows == MapFollows::nothing && state.shown.launch != before.launch) {
        const MapLayout was = layOutMap(before.launch, state.map.sheet);
        state.map.camera = carriedOver(state.map.camera, was, mapLayout(state), state.map.sheet);
    }
}

}  // namespace warplens::window
