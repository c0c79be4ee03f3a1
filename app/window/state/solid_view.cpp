#include "app/window/state/solid_view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::window {

void turnSolid(SolidView& solid, const TurnSolid& command) {
    if (!std::isfinite(command.turn) || !std::isfinite(command.tilt)) return;
    solid.turn = std::remainder(solid.turn + command.turn, 360.0F);
    solid.tilt = std::clamp(solid.tilt + command.tilt, -90.0F, 90.0F);
}

void frameSolid(SolidView& solid, const FrameSolid& command) {
    if (!std::isfinite(command.zoom) || !std::isfinite(command.panX) ||
        !std::isfinite(command.panY)) {
        return;
    }
    solid.zoom = std::clamp(command.zoom, leastZoom, largestZoom);
    solid.panX = std::clamp(command.panX, -farthestPan, farthestPan);
    solid.panY = std::clamp(command.panY, -farthestPan, farthestPan);
}

void sliceSolid(AppState& state, const SliceSolid& command) {
    const Extents block = state.shown.launch.block;
    const std::array extents{block.x, block.y, block.z};
    if (command.axis >= extents.size()) return;
    const std::uint32_t end = extents.at(command.axis) - 1;
    IndexRange kept = command.kept;
    kept.first = std::min(kept.first, end);
    // A range to the end has one value, so that a whole block is a view like any other.
    kept.last = kept.last >= end ? IndexRange{}.last : std::max(kept.first, kept.last);
    state.solid.slices.at(command.axis) = kept;
}

void spreadWarps(SolidView& solid, const SpreadWarps& command) {
    if (!std::isfinite(command.apart)) return;
    solid.apart = std::clamp(command.apart, 0.0F, farthestApart);
}

void keepSolid(AppState& state, const Experiment& before) {
    if (state.shown.launch.block == before.launch.block) return;
    state.solid = {.turn = state.solid.turn, .tilt = state.solid.tilt, .apart = state.solid.apart};
}

}  // namespace warplens::window
