#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/widgets.h"
#include "app/window/theme/look.h"

namespace warplens::window {

/// What lies below everything: the panels, in one colour, on a background in another. Cleared
/// rather than drawn: Dear ImGui would blend each of their pixels, which took half of a frame's
/// time on a software rasteriser. Each pixel is cleared about once.
class Backgrounds final {
  public:
    Backgrounds(Rgb background, Rgb panel) : background_(background), panel_(panel) {}

    /// A panel on whole pixels, which overlaps no other. Draws the background beside its rounded
    /// corners into the current window's list.
    void add(ImVec2 from, ImVec2 to, float rounding);

    /// One colour everywhere, instead of panels.
    void fill(Rgb color);

    /// Clears the bound framebuffer.
    void clear() const;

  private:
    struct Area final {
        ImVec2 from;
        ImVec2 to;
    };
    Rgb background_;
    Rgb panel_;
    std::vector<Area> panels_;
};

/// The parts that a screen consists of.
struct Cards final {
    const UiContext& ui;
    Backgrounds& backgrounds;

    /// A panel on a background with round corners. On whole pixels, so that these meet what is
    /// cleared.
    void card(const char* name, ImVec2 at, ImVec2 size, bool scrolls, auto&& draw) const {
        at = {std::round(at.x), std::round(at.y)};
        size = {std::round(size.x), std::round(size.y)};
        backgrounds.add(at, {at.x + size.x, at.y + size.y}, ui.snap(8));
        panel(name, at, size, scrolls, draw);
    }
    /// One without a background of its own.
    void panel(const char* name, ImVec2 at, ImVec2 size, bool scrolls, auto&& draw) const {
        ImGui::SetCursorPos(at);
        const ImGuiWindowFlags flags =
            ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoBackground |
            (scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        beginPanel(name, {std::max(1.0F, size.x), std::max(1.0F, size.y)}, flags);
        draw();
        ImGui::EndChild();
    }
    /// The bar over the whole width at the top; `padding` above and below, in design pixels.
    void topBar(float height, float padding, auto&& draw) const {
        const float width = ImGui::GetIO().DisplaySize.x;
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(18), ui.px(padding)});
        backgrounds.add({0, 0}, {width, std::round(height)}, 0);
        panel("top", {0, 0}, {width, height}, false, draw);
        ImGui::PopStyleVar();
    }
};

}  // namespace warplens::window
