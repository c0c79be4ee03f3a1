#include "app/window/ui.h"

#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <cmath>
#include <glad/gl.h>
#include <iterator>

#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/launch_panel.h"
#include "app/window/panels/mapping_panel.h"
#include "app/window/panels/measured_panel.h"
#include "app/window/panels/status_bar.h"
#include "app/window/panels/top_bar.h"

namespace warplens::window {
namespace {

/// Owns the ImGui context, and its OpenGL backend.
struct ImGuiSession final {
    ImGuiSession() {
        IMGUI_CHECKVERSION();
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;  // the panels do not move; settings are kept by settings.h
        ImGui_ImplOpenGL3_Init("#version 330 core");
    }
    ImGuiSession(const ImGuiSession&) = delete;
    ImGuiSession& operator=(const ImGuiSession&) = delete;
    ~ImGuiSession() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext();
    }
};

}  // namespace

struct Ui::Parts final {
    ImGuiSession session;
    MappingCanvas canvas;
    TypedText typed;
    Look look;
    ThemeName theme{};
    bool styled = false;

    void restyle(const AppState& state, float displayScale) {
        const float scale = displayScale * state.textScale;
        const bool rescaled = !styled || scale != look.scale;
        if (!rescaled && theme == state.theme) return;
        if (rescaled) {
            look.scale = scale;
            look.display = displayScale;
            look.fonts = loadFonts(scale);
            if (styled) renewFontTexture();
        }
        theme = state.theme;
        look.colors = colorsOf(theme);
        applyTheme(look);
        styled = true;
    }
};

Ui::Ui() : parts_(std::make_unique<Parts>()) {}
Ui::~Ui() = default;

bool Ui::typing() const {
    return ImGui::GetIO().WantTextInput ||
           ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

Commands Ui::draw(const AppState& state, float displayScale) {
    Parts& parts = *parts_;
    parts.restyle(state, displayScale);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    parts.canvas.beginFrame();
    rects_.clear();
    const Look& look = parts.look;
    const Pen pen{look, rects_};
    Commands commands;
    const auto take = [&](Commands more) { std::ranges::move(more, std::back_inserter(commands)); };

    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("Warplens", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(2);
    const auto panel = [&](const char* name, ImVec2 at, ImVec2 size, bool scrolls, auto&& draw) {
        ImGui::SetCursorPos(at);
        const ImGuiWindowFlags flags =
            ImGuiWindowFlags_AlwaysUseWindowPadding |
            (scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        ImGui::BeginChild(name, {std::max(1.0F, size.x), std::max(1.0F, size.y)}, false, flags);
        take(draw());
        ImGui::EndChild();
    };

    const float gap = look.px(10);
    const float top = look.px(58);
    const float status = look.px(30);
    ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(18), look.px(12)));
    panel("top", {0, 0}, {screen.x, top}, false, [&] { return drawTopBar(pen, state); });
    ImGui::PopStyleVar(2);

    const float left = std::floor(std::min(look.px(350), screen.x * 0.25F));
    const float right = std::floor(std::min(look.px(490), screen.x * 0.33F));
    const float centre = screen.x - left - right - 4 * gap;
    const float bottom = screen.y - status;
    float y = top + gap;
    panel("launch", {gap, y}, {left, bottom - y}, true,
          [&] { return drawLaunchPanel(pen, state, parts.typed); });
    panel("measured", {screen.x - right - gap, y}, {right, bottom - y}, false,
          [&] { return drawMeasuredPanel(pen, state); });
    const float messages = messagesHeight(look, state, centre);
    if (messages > 0) {
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
        ImGui::PushStyleColor(ImGuiCol_ChildBg, packed(look.colors.ground));
        panel("messages", {left + 2 * gap, y}, {centre, messages}, false,
              [&] { return drawMessages(pen, state); });
        ImGui::PopStyleColor();
        ImGui::PopStyleVar();
        y += messages;
    }
    const float warp = std::min(look.px(190), (bottom - y) * 0.35F);
    panel("mapping", {left + 2 * gap, y}, {centre, bottom - y - warp - gap}, false,
          [&] { return drawMappingPanel(pen, parts.canvas, state); });
    panel("warp", {left + 2 * gap, bottom - warp}, {centre, warp}, false,
          [&] { return drawWarpPanel(pen, state); });
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(18), look.px(6)));
    ImGui::PushStyleColor(ImGuiCol_ChildBg, packed(look.colors.ground));
    panel("status", {0, screen.y - status}, {screen.x, status}, false,
          [&] { return drawStatusBar(pen, state); });
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ImGui::End();
    take(drawHelp(pen, state));

    ImGui::Render();
    const ImVec4 ground = vector(look.colors.ground);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    return commands;
}

}  // namespace warplens::window
