#pragma once

#include <deque>

#include "app/window/gl/mapping_renderer.h"
#include "app/window/panels/widgets.h"

namespace warplens::window {

/// Puts shader pictures between ImGui's own drawing, in order.
class MappingCanvas final {
  public:
    /// Forgets the last frame's pictures; call before the first `add` of a frame.
    void beginFrame() { queued_.clear(); }
    /// Queues the picture; its rectangle is in ImGui coordinates and is clipped by `list`.
    void add(ImDrawList& list, const MappingPicture& picture);

  private:
    struct Queued final {
        MappingRenderer* renderer;
        MappingPicture picture;
    };
    static void draw(const ImDrawList* list, const ImDrawCmd* command);

    MappingRenderer renderer_;
    std::deque<Queued> queued_;  ///< addresses stay valid until the frame is rendered
};

}  // namespace warplens::window
