
#include "app/platform/gl.h"
#include "app/window/panels/cards.h"
namespace warplens::window {
namespace {

void clearTo(Rgb color) {
    const ImVec4 c = vector(color);
    glClearColor(c.x, c.y, c.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

void clearTo(Rgb color, ImVec2 from, ImVec2 to) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 scale = io.DisplayFramebufferScale;
    const auto pixels = [](float length) { return static_cast<int>(std::lround(length)); };
    glScissor(pixels(from.x * scale.x), pixels((io.DisplaySize.y - to.y) * scale.y),
              std::max(0, pixels((to.x - from.x) * scale.x)),
              std::max(0, pixels((to.y - from.y) * scale.y)));
    clearTo(color);
}

}  // namespace

void Backgrounds::add(ImVec2 from, ImVec2 to, float rounding) {
    panels_.push_back({from, to});
    if (rounding == 0) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto corner = [&](ImVec2 tip, ImVec2 middle, int quarter) {
        list.PathLineTo(tip);
        list.PathArcToFast(middle, rounding, 3 * quarter, 3 * quarter + 3);
        list.PathFillConvex(packed(background_));
    };
    corner({to.x, to.y}, {to.x - rounding, to.y - rounding}, 0);
    corner({from.x, to.y}, {from.x + rounding, to.y - rounding}, 1);
    corner({from.x, from.y}, {from.x + rounding, from.y + rounding}, 2);
    corner({to.x, from.y}, {to.x - rounding, from.y + rounding}, 3);
}

void Backgrounds::fill(Rgb color) {
    panel_ = color;
    panels_ = {{{0, 0}, ImGui::GetIO().DisplaySize}};
}

void Backgrounds::clear() const {
    glDisable(GL_SCISSOR_TEST);
    clearTo(panel_);
    glEnable(GL_SCISSOR_TEST);
    // What the panels leave: between their edges they begin and end nowhere.
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    std::vector<float> edges{0, screen.y};
    for (const Area& area : panels_) {
        edges.push_back(area.from.y);
        edges.push_back(area.to.y);
    }
    std::ranges::sort(edges);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const float top = edges[i];
        const float bottom = edges[i + 1];
        if (bottom <= top) continue;
        std::vector<Area> across;
        for (const Area& area : panels_) {
            if (area.from.y < bottom && area.to.y > top) across.push_back(area);
        }
        std::ranges::sort(across, {}, [](const Area& area) { return area.from.x; });
        float left = 0;
        for (const Area& area : across) {
            if (area.from.x > left) clearTo(background_, {left, top}, {area.from.x, bottom});
            left = std::max(left, area.to.x);
        }
        if (screen.x > left) clearTo(background_, {left, top}, {screen.x, bottom});
    }
    glDisable(GL_SCISSOR_TEST);
}

}  // namespace warplens::window
