#pragma once

#include <deque>

#include "app/window/gl/mapping_renderer.h"
#include "app/window/gl/solid_renderer.h"
#include "app/window/panels/widgets.h"

namespace warplens::window {

/// Puts shader pictures between ImGui's own drawing, in order.
class MappingCanvas final {
  public:
    /// Forgets the last frame's pictures; call before the first `add` of a frame.
    void beginFrame() {
        queued_.clear();
        queuedSolids_.clear();
    }
    /// Queues the picture; its rectangle is in ImGui coordinates and is clipped by `list`.
    void add(ImDrawList& list, const MappingPicture& picture);
    void add(ImDrawList& list, SolidPicture picture);

  private:
    struct Queued final {
        MappingRenderer* renderer;
        MappingPicture picture;
    };
    struct QueuedSolid final {
        SolidRenderer* renderer;
        SolidPicture picture;
    };
    static void draw(const ImDrawList* list, const ImDrawCmd* command);
    static void drawSolid(const ImDrawList* list, const ImDrawCmd* command);

    MappingRenderer renderer_;
    SolidRenderer solidRenderer_;
    std::deque<Queued> queued_;  ///< addresses stay valid until the frame is rendered
    std::deque<QueuedSolid> queuedSolids_;
};

}  // namespace warplens::window
