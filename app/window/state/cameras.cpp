#include "app/window/state/cameras.h"

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

void perform(AppState& state, const ZoomMap& command) {
    if (!std::isfinite(command.factor) || command.factor <= 0) return;
    const MapArea& area = state.map.area;
    const MapLayout layout = mapLayout(state);
    const MapCamera camera = mapCamera(state, layout);
    // What is in the middle, but the chosen block where it is in sight.
    const Point chosen =
        pixelAt(camera, layout, area,
                {placeOf(layout, state.view.block), layout.pitchX / 2.0, layout.pitchY / 2.0});
    const bool isSeen =
        chosen.x >= 0 && chosen.x <= area.width && chosen.y >= 0 && chosen.y <= area.height;
    Point about = command.about.value_or(isSeen ? chosen : Point{area.width / 2, area.height / 2});
    if (!std::isfinite(about.x) || !std::isfinite(about.y)) return;
    about = {std::clamp(about.x, 0.0F, area.width), std::clamp(about.y, 0.0F, area.height)};
    look(state, zoomed(camera, layout, area, command.factor, about));
}

void perform(AppState& state, const PanMap& command) {
    if (!std::isfinite(command.right) || !std::isfinite(command.down)) return;
    const MapLayout layout = mapLayout(state);
    look(state,
         panned(mapCamera(state, layout), layout, state.map.area, command.right, command.down));
}

void perform(AppState& state, const CentreMap& command) {
    if (state.view.map != MapFollows::nothing) return;
    const MapLayout layout = mapLayout(state);
    state.map.camera.centre = {placeOf(layout, command.block), layout.pitchX / 2.0,
                               layout.pitchY / 2.0};
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

void perform(AppState& state, const TurnBlock3d& command) {
    if (!std::isfinite(command.turn) || !std::isfinite(command.tilt)) return;
    Block3dView& block3d = state.block3d;
    block3d.turn = std::remainder(block3d.turn + command.turn, 360.0F);
    block3d.tilt = std::clamp(block3d.tilt + command.tilt, -90.0F, 90.0F);
}

void perform(AppState& state, const FrameBlock3d& command) {
    if (!std::isfinite(command.zoom) || !std::isfinite(command.panX) ||
        !std::isfinite(command.panY)) {
        return;
    }
    state.block3d.zoom = std::clamp(command.zoom, leastZoom, largestZoom);
    state.block3d.panX = std::clamp(command.panX, -farthestPan, farthestPan);
    state.block3d.panY = std::clamp(command.panY, -farthestPan, farthestPan);
}

void perform(AppState& state, const SliceBlock3d& command) {
    const Extents block = state.view.experiment.launch.block;
    const std::array extents{block.x, block.y, block.z};
    if (command.axis >= extents.size()) return;
    const std::uint32_t end = extents.at(command.axis) - 1;
    IndexRange kept = command.kept;
    kept.first = std::min(kept.first, end);
    // A range to the end has one value, so that a whole block is a view like any other.
    kept.last = kept.last >= end ? IndexRange{}.last : std::max(kept.first, kept.last);
    state.block3d.slices.at(command.axis) = kept;
}

void perform(AppState& state, const SpreadWarps& command) {
    if (!std::isfinite(command.apart)) return;
    state.block3d.apart = std::clamp(command.apart, 0.0F, farthestApart);
}

void keepBlock3d(AppState& state, const Experiment& before) {
    if (state.view.experiment.launch.block == before.launch.block) return;
    state.block3d = {
        .turn = state.block3d.turn, .tilt = state.block3d.tilt, .apart = state.block3d.apart};
}

}  // namespace warplens::window
