
#include "app/drawing/elements.h"
#include "app/platform/gl.h"
#include "app/window/panels/panels.h"
#include "core/program/cuda_tokens.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// A small title over a picture, with what it shows at the right.
ImVec2 caption(const UiContext& ui, ImVec2 at, float width, std::string_view words,
               std::string_view aside) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    textAt(list, ui.fonts.small, ui.colors.muted, at, words);
    const float left = measured(ui.fonts.small, words).x + ui.px(12);
    if (measured(ui.fonts.smallNumber, aside).x <= width - left) {
        textAt(list, ui.fonts.smallNumber, ui.colors.faint, {at.x + width, at.y}, aside, 1);
    }
    return {at.x, at.y + ui.fonts.small->FontSize + ui.px(8)};
}

/// The whole grid, and below it the warps of the chosen block.
void drawBeside(const MapContext& context, const MapFrame& frame, ImVec2 at, ImVec2 size) {
    const Look& look = context.ui.look;
    const Launch& launch = context.state.view.experiment.launch;
    const ImVec2 grid =
        caption(context.ui, at, size.x, "Grid", counted(launch.grid.count(), "block"));
    const float most = std::floor((size.y - look.px(28)) * 0.45F) - (grid.y - at.y);
    const float taken = drawMinimap(context, frame, grid, {size.x, most});
    const std::uint32_t warps = warpCountPerBlock(launch.block);
    const ImVec2 strip = caption(context.ui, {at.x, std::floor(grid.y + taken + look.px(28))},
                                 size.x, "Warps by lanes", counted(warps, "warp"));
    drawWarpStrip(context, strip, {size.x, at.y + size.y - strip.y});
}

/// `Line 12: 2 of 8 warps come to it, with 40 lanes; the others are dimmed.`
std::string lanesInWords(const MapContext& context) {
    const AppState& state = context.state;
    if (!context.lanes || state.program.line == 0) return "Colours are warps.";
    std::size_t warps = 0;
    std::size_t count = 0;
    for (const std::uint32_t mask : *context.lanes) {
        warps += mask != 0 ? 1 : 0;
        count += static_cast<std::size_t>(std::popcount(mask));
    }
    const Extents block = state.view.experiment.launch.block;
    std::string words = "Line " + std::to_string(state.program.line) + ": " +
                        std::to_string(warps) + " of " + counted(warpCountPerBlock(block), "warp") +
                        ", " + counted(count, "lane");
    return count == block.count() ? words + '.' : words + "; the others are dimmed.";
}

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

void drawMappingPanel(const UiContext& ui, MappingCanvas& canvas) {
    const MapContext context = mapContextOf(ui, canvas);
    const LaunchReport* const own =
        showsProgram(ui.state) ? chosenLaunch(ui.state.program) : nullptr;
    const std::string title =
        own != nullptr ? shortKernelName(own->kernel) : std::string(scenarioOf(ui.state).title);
    const std::string told =
        own != nullptr ? lanesInWords(context) : std::string(scenarioOf(ui.state).lookFor);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    // The map needs room first, and cubes more: in a small window words and the pictures beside it
    // go.
    const bool cubes = ui.state.view.picture == PictureKind::block3d;
    const bool roomy = ImGui::GetContentRegionAvail().y >= ui.px(cubes ? 420 : 320);
    const float titled = drawBlockViewChoice(ui);
    // Without room the title, which the bar above has as well, gives way to the map's own tools.
    const bool inOneRow = !roomy && titled >= ui.px(200);
    if (!inOneRow) {
        text(ui.fonts.title, ui.colors.text,
             titled < ui.px(110) ? " " : fitted(ui.fonts.title, title, titled));
        if (roomy && !told.empty()) {
            const float below = top.y + ImGui::GetFrameHeight() + ui.px(4);
            if (ImGui::GetCursorScreenPos().y < below) ImGui::SetCursorScreenPos({top.x, below});
            prose(ui, ui.colors.muted, told);
        }
        space(ui, roomy ? 14 : 6);
    }

    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gap = ui.px(34);
    const bool beside = room.x >= ui.px(560) && room.y >= ui.px(200);
    const float side = beside ? std::floor(std::clamp(room.x * 0.31F, ui.px(210), ui.px(330))) : 0;
    const float main = beside ? room.x - side - gap : room.x;
    const float tools = mapToolsHeight(ui.look);
    const float legend = room.y >= ui.px(260) ? mapLegendHeight(context, main) : 0;
    const MapFrame frame = mapFrame(context, {at.x, at.y + tools}, {main, room.y - tools - legend});
    if (cubes) {
        ImVec2 block3d = caption(ui, at, inOneRow ? std::min(main, titled) : main,
                                 context.stale ? "Last launch that CUDA accepts"
                                               : "Threads of block " + toText(ui.state.view.block),
                                 "coloured by warp");
        if (inOneRow) block3d.y = std::max(block3d.y, at.y + ImGui::GetFrameHeight() + ui.px(6));
        drawBlock3dPicture(context, block3d, {main, room.y - (block3d.y - at.y)});
    } else {
        drawMapTools(context, frame, at, inOneRow ? titled : main);
        drawMap(context, frame);
        if (legend > 0) drawMapLegend(context, {at.x, at.y + room.y - legend}, main);
    }
    // Below the choice of pictures, which stands at the right of the same row then.
    const float choice = inOneRow ? ImGui::GetFrameHeight() + ui.px(6) : 0;
    if (beside)
        drawBeside(context, frame, {at.x + main + gap, at.y + choice}, {side, room.y - choice});
    pointAway(ui);
}

void MappingCanvas::add(ImDrawList& list, MapPicture picture) {
    renderer_.begin(scaled(picture, ImGui::GetIO().DisplayFramebufferScale.x));
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
