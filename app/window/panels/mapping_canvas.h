#pragma once

#include <deque>

#include "app/window/gl/mapping_renderer.h"
#include "app/window/panels/widgets.h"

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

}  // namespace warplens::window
