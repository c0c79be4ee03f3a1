#pragma once

#include <deque>

#include "app/drawing/map_layout.h"
#include "app/window/gl/mapping_renderer.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"
#include "core/launch/mapping.h"

/// The map of the mapping panel, and what stands on it and beside it.
namespace warplens::window {

/// Puts shader pictures between ImGui's own drawing, in order.
class MappingCanvas final {
  public:
    /// Forgets the last frame's pictures; call before the first `add` of a frame. Pictures that
    /// need more than `programs` compiled are left out of it.
    void beginFrame(int programs) {
        maps_.clear();
        programsLeft_ = programs;
        complete_ = true;
    }
    /// Whether no picture was left out of the frame that was rendered last.
    [[nodiscard]] bool complete() const { return complete_; }
    /// Queues the picture; its rectangle is in ImGui coordinates and is clipped by `list`.
    void add(ImDrawList& list, MapPicture picture);

    /// Compiles what one kind of picture needs that has not been drawn yet, outside of any frame;
    /// false when there is none left. Leaves the bound framebuffer, and no viewport.
    bool prepareNext() { return renderer_.prepareNext(); }

  private:
    struct Queued final {
        MappingCanvas* canvas;
        MapPicture picture;
    };
    /// False where a program more is one too many for this frame.
    bool mayCompile();
    static void draw(const ImDrawList* list, const ImDrawCmd* command);

    MappingRenderer renderer_;
    int programsLeft_ = 0;
    bool complete_ = true;
    // A deque: addresses stay valid until the frame is rendered.
    std::deque<Queued> maps_;
};

/// What the pictures of the mapping panel share.
struct MapContext final {
    const UiContext& ui;
    MappingCanvas& canvas;
    const AppState& state;
    BlockGuard guard;
    std::vector<BlockCaseCount> cases;  ///< those that occur in the grid
    bool stale;                         ///< the fields hold a launch that cannot be drawn
    /// By warp, of the step shown of an own launch (timeline.h).
    std::optional<std::array<std::uint32_t, 32>> lanes;

    /// Part of the map at a place of the window, without a camera.
    [[nodiscard]] MapPicture map(ImVec2 at, const MapLayout& layout, const MapArea& area) const;
    /// Whether it matters how a block lies on the problem.
    [[nodiscard]] bool guarded() const {
        return cases.size() > 1 || cases.front().which.index() > 0;
    }
};

[[nodiscard]] MapContext mapContextOf(const UiContext& ui, MappingCanvas& canvas);

/// A frame round something chosen, that stands out on any colour.
void outline(ImDrawList& list, const Look& look, ImVec2 from, ImVec2 to);

/// Where none of the commands points at a thread, none is pointed at any more.
void pointAway(const UiContext& ui);
/// `block (1, 2, 0), number 17`.
[[nodiscard]] std::string blockName(const AppState& state, Index3 block);
/// For the pointer: there is no thread in that lane.
void idleLane(const UiContext& ui, WarpRank warp, LaneIndex lane);

/// The pointer is on this thread of the chosen block: says so, and shows its numbers.
void pointedThread(const MapContext& context, Index3 thread);

/// The map and where it lies in the window.
/// Pixels of a cell that numbers can stand beside.
inline constexpr float leastCellWithAxes = 4;

struct MapFrame final {
    MapArea area;
    MapLayout layout;
    MapCamera camera;
    ImVec2 at;

    [[nodiscard]] ImVec2 on(const MapPoint& point) const {
        const Point pixel = pixelAt(camera, layout, area, point);
        return {at.x + pixel.x, at.y + pixel.y};
    }
};

/// The map for the room given; what it shows comes from the state's camera.
[[nodiscard]] MapFrame mapFrame(const MapContext& context, ImVec2 at, ImVec2 size);

/// The map: the picture, what is written over it, and what the pointer does to it.
void drawMap(const MapContext& context, const MapFrame& frame);

/// What the scale resolves, in words: `a square is a thread`.
[[nodiscard]] std::string describeScale(const MapFrame& frame);

/// What is written over the map: numbers in the cells, the axes of the chosen block, the names of
/// blocks and planes. Work and time depend on what is seen, not on the launch.
/// `others`: how strongly blocks beside the chosen one show.
void drawMapLabels(const MapContext& context, const MapFrame& frame, float others);

/// Dims the threads of the chosen block that take no part in the step shown of an own launch.
void drawIdleCells(const MapContext& context, const MapFrame& frame);

/// Over the map: what is seen, at the left; what moves the camera and chooses the numbers, at the
/// right. Returns the height taken.
float drawMapTools(const MapContext& context, const MapFrame& frame, ImVec2 at, float width);

/// Height of the tools before they are drawn.
[[nodiscard]] float mapToolsHeight(const Look& look);

/// Height the legend takes below a map of this width; 0 where all blocks lie inside the problem.
[[nodiscard]] float mapLegendHeight(const MapContext& context, float width);

/// The kinds of block by how they lie on the problem, each with its colour, its blocks and the
/// threads they waste.
void drawMapLegend(const MapContext& context, ImVec2 at, float width);

/// The whole grid in the room given, with what the map shows of it; returns the height taken.
float drawMinimap(const MapContext& context, const MapFrame& frame, ImVec2 at, ImVec2 size);

/// The warps of the chosen block, one to a row, by lanes.
void drawWarpStrip(const MapContext& context, ImVec2 at, ImVec2 size);

/// The chosen block's threads as cubes: drag turns them, the wheel zooms, a click holds a warp.
/// What it is cut and moved by lies below it.
void drawBlock3dPicture(const MapContext& context, ImVec2 at, ImVec2 size);

/// The choice between the map, the cubes, the slots of an SM and the times of a run, at the right
/// of the line; the cursor stays. Returns the width that this leaves for a title.
[[nodiscard]] float drawBlockViewChoice(const UiContext& ui);

/// Which indices of each axis are shown, how far the warps are apart, and the way back.
void drawBlock3dControls(const UiContext& ui, ImVec2 at, float width);
[[nodiscard]] float block3dControlsHeight(const UiContext& ui);

}  // namespace warplens::window
