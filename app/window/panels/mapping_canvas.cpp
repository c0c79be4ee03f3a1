#include "app/window/panels/mapping_canvas.h"

#include <algorithm>
#include <array>
#include <glad/gl.h>
#include <utility>

namespace warplens::window {
namespace {

constexpr std::array block3dLayers{Block3dLayer::full, Block3dLayer::receded, Block3dLayer::hollow};

/// From ImGui's coordinates to the framebuffer's.
struct Pixels final {
    ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
    PixelSize framebuffer{static_cast<int>(ImGui::GetIO().DisplaySize.x * scale.x),
                          static_cast<int>(ImGui::GetIO().DisplaySize.y* scale.y)};

    [[nodiscard]] PixelRect scaled(PixelRect rect) const {
        return {rect.x * scale.x, rect.y * scale.y, rect.width * scale.x, rect.height * scale.y};
    }
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

void MappingCanvas::add(ImDrawList& list, MappingPicture picture) {
    maps_.push_back({this, std::move(picture)});
    list.AddCallback(&MappingCanvas::draw, &maps_.back());
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void MappingCanvas::add(ImDrawList& list, Block3dPicture picture) {
    blocks_.push_back({this, std::move(picture)});
    list.AddCallback(&MappingCanvas::drawBlock3d, &blocks_.back());
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

bool MappingCanvas::prepareNext() {
    return renderer_.prepareNext() || prepareBlock3d();
}

bool MappingCanvas::prepareBlock3d() {
    if (block3dLayersReady_ == block3dLayers.size()) return false;
    block3dRenderer_.prepare(block3dLayers.at(block3dLayersReady_++));
    return true;
}

bool MappingCanvas::mayCompile() {
    complete_ = complete_ && programsLeft_ > 0;
    return programsLeft_-- > 0;
}

void MappingCanvas::draw(const ImDrawList*, const ImDrawCmd* command) {
    const auto& queued = *static_cast<const Queued<MappingPicture>*>(command->UserCallbackData);
    const Pixels pixels;
    if (!pixels.clipTo(command->ClipRect)) return;
    MappingCanvas& canvas = *queued.canvas;
    const MappingPicture picture = scaled(queued.picture, pixels.scale.x);
    if (!canvas.renderer_.ready(picture) && !canvas.mayCompile()) return;
    canvas.renderer_.draw(picture, pixels.framebuffer);
}

void MappingCanvas::drawBlock3d(const ImDrawList*, const ImDrawCmd* command) {
    auto& queued = *static_cast<Queued<Block3dPicture>*>(command->UserCallbackData);
    const Pixels pixels;
    if (!pixels.clipTo(command->ClipRect)) return;
    MappingCanvas& canvas = *queued.canvas;
    while (canvas.block3dLayersReady_ < block3dLayers.size()) {
        if (!canvas.mayCompile()) return;
        canvas.prepareBlock3d();
    }
    queued.picture.rect = pixels.scaled(queued.picture.rect);
    const bool smooth = canvas.block3dRenderer_.draw(queued.picture, pixels.framebuffer);
    canvas.complete_ = canvas.complete_ && smooth;
}

}  // namespace warplens::window
