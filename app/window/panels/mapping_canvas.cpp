#include "app/window/panels/mapping_canvas.h"

#include <algorithm>
#include <utility>

#include "app/platform/gl.h"
namespace warplens::window {
namespace {

/// From ImGui's coordinates to the framebuffer's.
struct Pixels final {
    ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    PixelSize framebuffer{static_cast<int>(ImGui::GetIO().DisplaySize.x * scale.x),
                          static_cast<int>(ImGui::GetIO().DisplaySize.y* scale.y)};

    /// False when nothing is left. ImGui sets the scissor for its own commands only; OpenGL counts
    /// it from the bottom.
    [[nodiscard]] bool clipTo(ImVec4 clip) const {
        const auto left = static_cast<int>(std::max(0.0F, clip.x) * scale.x);
        const auto top = static_cast<int>(std::max(0.0F, clip.y) * scale.y);
        const auto right = static_cast<int>(clip.z * scale.x);
        const auto bottom = static_cast<int>(clip.w * scale.y);
        if (right <= left || bottom <= top) return false;
        glEnable(GL_SCISSOR_TEST);
        glScissor(left, framebuffer.height - bottom, right - left, bottom - top);
        return true;
    }
};

}  // namespace

void MappingCanvas::add(ImDrawList& list, MapPicture picture) {
    maps_.push_back({this, std::move(picture)});
    list.AddCallback(&MappingCanvas::draw, &maps_.back());
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

bool MappingCanvas::mayCompile() {
    complete_ = complete_ && programsLeft_ > 0;
    return programsLeft_-- > 0;
}

void MappingCanvas::draw(const ImDrawList*, const ImDrawCmd* command) {
    const auto& queued = *static_cast<const Queued*>(command->UserCallbackData);
    const Pixels pixels;
    if (!pixels.clipTo(command->ClipRect)) return;
    MappingCanvas& canvas = *queued.canvas;
    const MapPicture picture = scaled(queued.picture, pixels.scale.x);
    if (!canvas.renderer_.ready(picture) && !canvas.mayCompile()) return;
    canvas.renderer_.draw(picture, pixels.framebuffer);
}

}  // namespace warplens::window
