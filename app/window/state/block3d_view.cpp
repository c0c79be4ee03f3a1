#include "app/window/state/block3d_view.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::window {

void turnBlock3d(Block3dView& block3d, const TurnBlock3d& command) {
    if (!std::isfinite(command.turn) || !std::isfinite(command.tilt)) return;
    block3d.turn = std::remainder(block3d.turn + command.turn, 360.0F);
    block3d.tilt = std::clamp(block3d.tilt + command.tilt, -90.0F, 90.0F);
}

void frameBlock3d(Block3dView& block3d, const FrameBlock3d& command) {
    if (!std::isfinite(command.zoom) || !std::isfinite(command.panX) ||
        !std::isfinite(command.panY)) {
        return;
    }
    block3d.zoom = std::clamp(command.zoom, leastZoom, largestZoom);
    block3d.panX = std::clamp(command.panX, -farthestPan, farthestPan);
    block3d.panY = std::clamp(command.panY, -farthestPan, farthestPan);
}

void sliceBlock3d(AppState& state, const SliceBlock3d& command) {
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

void spreadWarps(Block3dView& block3d, const SpreadWarps& command) {
    if (!std::isfinite(command.apart)) return;
    block3d.apart = std::clamp(command.apart, 0.0F, farthestApart);
}

void keepBlock3d(AppState& state, const Experiment& before) {
    if (state.view.experiment.launch.block == before.launch.block) return;
    state.block3d = {
        .turn = state.block3d.turn, .tilt = state.block3d.tilt, .apart = state.block3d.apart};
}

}  // namespace warplens::window
