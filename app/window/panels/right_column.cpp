#include "app/window/panels/right_column.h"

#include <array>
#include <iterator>

#include "app/window/panels/measured_panel.h"
#include "app/window/panels/roof_panel.h"
#include "app/window/panels/sweep_panel.h"

namespace warplens::window {
namespace {

struct Tab final {
    RightTab tab;
    const char* label;
    const char* meaning;
};
constexpr std::array tabs{
    Tab{RightTab::measured, "Measured", "What this launch costs: predicted and measured  K"},
    Tab{RightTab::sweep, "Sweep", "This launch with one thing varied  K"},
    Tab{RightTab::roof, "Roof", "Arithmetic against memory: the matrix products  K"},
};

}  // namespace

Commands drawRightColumn(const Pen& pen, const AppState& state, TypedText& typed) {
    Commands commands;
    for (const Tab& tab : tabs) {
        if (&tab != tabs.data()) ImGui::SameLine(0, pen.look.px(4));
        if (plainButton(pen, tab.label, true, state.rightTab == tab.tab)) {
            commands.emplace_back(SetRightTab{tab.tab});
        }
        pen.mark("tab." + std::string(toString(tab.tab)));
        tooltip(pen, tab.meaning);
    }
    space(pen, 8);
    Commands more = state.rightTab == RightTab::sweep  ? drawSweepPanel(pen, state, typed)
                    : state.rightTab == RightTab::roof ? drawRoofPanel(pen, state)
                                                       : drawMeasuredPanel(pen, state);
    commands.insert(commands.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
    return commands;
}

}  // namespace warplens::window
