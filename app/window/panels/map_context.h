#pragma once

#include "app/drawing/map_camera.h"
#include "app/window/panels/mapping_canvas.h"
#include "app/window/state/command.h"
#include "core/launch/block_case.h"

namespace warplens::window {

/// What the pictures of the mapping panel share.
struct MapContext final {
    const UiContext& ui;
    MappingCanvas& canvas;
    const AppState& state;
    BlockGuard guard;
    std::vector<BlockCaseCount> cases;  ///< those that occur in the grid
    bool stale;                         ///< the fields hold a launch that cannot be drawn
    /// By warp, of the step shown of an own launch (program_steps.h).
    std::optional<std::array<std::uint32_t, 32>> lanes;

    /// Part of the map at a place of the window, without a camera.
    [[nodiscard]] MapPicture map(ImVec2 at, const MapLayout& layout, const MapArea& area) const;
    /// Whether it matters how a block lies on the problem.
    [[nodiscard]] bool guarded() const {
        return cases.size() > 1 || cases.front().which.index() > 0;
    }
};

[[nodiscard]] MapContext mapContextOf(const UiContext& ui, MappingCanvas& canvas,
                                      const AppState& state);

/// A frame round something chosen, that stands out on any colour.
void outline(ImDrawList& list, const Look& look, ImVec2 from, ImVec2 to);

/// Where none of the commands points at a thread, none is pointed at any more.
void pointAway(const AppState& state, Commands& commands);
/// `block (1, 2, 0), number 17`.
[[nodiscard]] std::string blockName(const AppState& state, Index3 block);
/// For the pointer: there is no thread in that lane.
void idleLane(const UiContext& ui, WarpRank warp, LaneIndex lane);

/// The pointer is on this thread of the chosen block: says so, and shows its numbers.
void pointedThread(const MapContext& context, Index3 thread, Commands& commands);

}  // namespace warplens::window
