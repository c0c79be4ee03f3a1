#include "app/window/panels/mapping_canvas.h"

#include <algorithm>
#include <glad/gl.h>

namespace warplens::window {

void MappingCanvas::add(ImDrawList& list, const MappingPicture& picture) {
    queued_.push_back({&renderer_, picture});
    list.AddCallback(&MappingCanvas::draw, &queued_.back());
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void MappingCanvas::draw(const ImDrawList*, const ImDrawCmd* command) {
    const auto& queued = *static_cast<const Queued*>(command->UserCallbackData);
    const ImGuiIO& io = ImGui::GetIO();
    const float scaleX = io.DisplayFramebufferScale.x;
    const float scaleY = io.DisplayFramebufferScale.y;
    const PixelSize framebuffer{static_cast<int>(io.DisplaySize.x * scaleX),
                                static_cast<int>(io.DisplaySize.y * scaleY)};
    // ImGui sets the scissor for its own commands only; OpenGL counts it from the bottom.
    const ImVec4 clip = command->ClipRect;
    const auto left = static_cast<int>(std::max(0.0F, clip.x) * scaleX);
    const auto top = static_cast<int>(std::max(0.0F, clip.y) * scaleY);
    const auto right = static_cast<int>(clip.z * scaleX);
    const auto bottom = static_cast<int>(clip.w * scaleY);
    if (right <= left || bottom <= top) return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, framebuffer.height - bottom, right - left, bottom - top);
    queued.renderer->draw(scaled(queued.picture, scaleX), framebuffer);
}

}  // namespace warplens::window
