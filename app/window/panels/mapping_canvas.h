#pragma once

#include <deque>

#include "app/window/gl/block3d_renderer.h"
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
        blocks_.clear();
        programsLeft_ = programs;
        complete_ = true;
    }
    /// Whether no picture was left out of the frame that was rendered last.
    [[nodiscard]] bool complete() const { return complete_; }
    /// Queues the picture; its rectangle is in ImGui coordinates and is clipped by `list`.
    void add(ImDrawList& list, MappingPicture picture);
    void add(ImDrawList& list, Block3dPicture picture);

    /// Compiles what one kind of picture needs that has not been drawn yet, outside of any frame;
    /// false when there is none left. Leaves the bound framebuffer, and no viewport.
    bool prepareNext();

  private:
    template <class Picture>
    struct Queued final {
        MappingCanvas* canvas;
        Picture picture;
    };
    /// False where a program more is one too many for this frame.
    bool mayCompile();
    bool prepareBlock3d();
    static void draw(const ImDrawList* list, const ImDrawCmd* command);
    static void drawBlock3d(const ImDrawList* list, const ImDrawCmd* command);

    MappingRenderer renderer_;
    Block3dRenderer block3dRenderer_;
    std::size_t block3dLayersReady_ = 0;
    int programsLeft_ = 0;
    bool complete_ = true;
    // Deques: addresses stay valid until the frame is rendered.
    std::deque<Queued<MappingPicture>> maps_;
    std::deque<Queued<Block3dPicture>> blocks_;
};

}  // namespace warplens::window
