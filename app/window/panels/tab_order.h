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
    void move(int steps);
    /// To the first whose name begins so, at the end of the frame.
    void moveTo(std::string_view name) { wanted_ = name; }
    /// From now on the field, while it is active, takes the Tab key itself; whether it was pressed
    /// since the frame before. Shift+Tab leaves it.
    [[nodiscard]] bool takesTab(ImGuiID field);
    /// Types a digit into the field that has the focus and is not typed in; false where none has.
    bool type(int digit);
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
    void focus(const Stop& stop);

    std::vector<Stop> stops_;
    ImGuiWindow* only_ = nullptr;
    int steps_ = 0;
    std::string wanted_;
    ImGuiID tabTaker_ = 0;
    bool tabbed_ = false;
    ImGuiID typed_ = 0;  ///< the field that `digit_` is for, once it is active
    char digit_ = 0;
};

}  // namespace warplens::window
