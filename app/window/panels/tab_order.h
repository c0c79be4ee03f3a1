#pragma once

#include <imgui.h>
#include <string>
#include <string_view>
#include <vector>

struct ImGuiWindow;

namespace warplens::window {

/// What the Tab key walks through: every marked widget that can be used now, in the order in which
/// they are drawn, across all panels; with a window on top of the others only what is in that.
class TabOrder final {
  public:
    void beginFrame();
    /// The last item; one without an id, or disabled, is passed over.
    void add(std::string_view name);
    /// From now on only what is in the current window counts.
    void keepToThisWindow();
    /// So many widgets on, at the end of the frame; backwards for negative numbers.
    void move(int steps) { steps_ += steps; }
    /// Presses the one that has the focus, as Enter does, unless it takes text.
    void press();
    /// Moves, and draws a frame round the widget that has the focus.
    void endFrame(ImU32 color, float width);
    /// The widget that has the focus of the keyboard; empty: none.
    [[nodiscard]] std::string_view focused() const;

  private:
    struct Stop final {
        std::string name;
        ImGuiID id = 0;
        ImGuiWindow* window = nullptr;
        ImVec2 from{};
        ImVec2 to{};
        bool takesText = false;
    };
    [[nodiscard]] bool isReachable(const Stop& stop) const;
    void go();

    std::vector<Stop> stops_;
    ImGuiWindow* only_ = nullptr;
    int steps_ = 0;
};

}  // namespace warplens::window
