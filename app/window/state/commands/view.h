#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/drawing/warp_trace.h"
#include "app/window/state/app_state.h"

/// Commands that choose what is looked at, and from where; and the steps of the warp in focus.
namespace warplens::window {

/// Shows these parts of a view, as far as the launch has them: the whole block or grid from now on
/// through every change, a map that follows `nothing` as it is now.
using Show = ViewChange;

struct ChooseBlock final {
    Index3 block;
};
struct PointAtThread final {
    std::optional<Index3> thread;
};
/// Holds the warp, or lets it go when it is the one held.
struct ToggleWarp final {
    WarpRank warp;
};

/// The room the map has in the window.
struct SetMapArea final {
    MapArea area;
};
/// Larger by `factor`, or smaller; what is at `about` (pixels of the area, its middle where none
/// is given) stays there.
struct ZoomMap final {
    double factor = 1;
    std::optional<Point> about{};
};
/// What the map shows moves by so many pixels.
struct PanMap final {
    double right = 0;
    double down = 0;
};
/// Brings a block into the middle at the scale there is; a camera that follows something stays.
struct CentreMap final {
    Index3 block;
};

/// Turns the cubes about the vertical, and tilts them, by so many degrees.
struct TurnBlock3d final {
    float turn = 0;
    float tilt = 0;
};
/// Zooms (above 0, 1 fits) and moves the picture, in cubes to the right and down.
struct FrameBlock3d final {
    float zoom = 1;
    float panX = 0;
    float panY = 0;
};
/// Keeps the threads whose index along one axis (0 x, 1 y, 2 z) lies in the range.
struct SliceBlock3d final {
    std::size_t axis = 0;
    IndexRange kept;
};
/// Moves the warps of the block apart by so many cubes, or together again.
struct SpreadWarps final {
    float apart = 0;
};
/// Whole, together, and seen as at the start.
struct ResetBlock3d final {};
struct SetSmView final {
    SmView view;
};
/// Of the recorded time; the model's view stays.
struct SetTimeView final {
    TimeView view;
};
struct SetModelView final {
    ModelView view;
};
/// The model of an SM was run.
struct SmModelled final {
    std::shared_ptr<const ModelledSm> modelled;
};

/// Leaves the steps to one of the kernel's arrays (ShownStep), from the first on; or all.
struct ChooseArray final {
    std::optional<std::size_t> array;
    std::optional<std::uint64_t> step{};  ///< from that place in the trace on
};
/// Shows one of the steps there are to choose from, from 0.
struct ChooseStep final {
    std::uint64_t position = 0;
};
/// Shows the step so many further on, round from the last to the first.
struct MoveStep final {
    int steps = 1;
};
/// Lets the steps go by, or stops them.
struct TogglePlay final {};
/// 1, 4 or 16.
struct SetPlaySpeed final {
    double stepsPerSecond = 4;
};
struct WarpTraced final {
    std::shared_ptr<const WarpTrace> trace;
};

}  // namespace warplens::window
