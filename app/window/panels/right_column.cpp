#include <array>

#include "app/window/panels/act_button.h"
#include "app/window/panels/panels.h"

namespace warplens::window {
namespace {

struct Tab final {
    RightTab tab;
    Act act;
};
constexpr std::array tabs{Tab{RightTab::measured, Act::measured}, Tab{RightTab::sweep, Act::sweep},
                          Tab{RightTab::roof, Act::roof}};

}  // namespace

Commands drawRightColumn(const UiContext& ui, const AppState& state, TypedText& typed) {
    Commands commands;
    for (const Tab& tab : tabs) {
        if (&tab != tabs.data()) ImGui::SameLine(0, ui.look.px(4));
        actButton(ui, state, tab.act, commands, state.view.tab == tab.tab);
    }
    space(ui, 8);
    append(commands, state.view.tab == RightTab::sweep  ? drawSweepPanel(ui, state, typed)
                     : state.view.tab == RightTab::roof ? drawRoofPanel(ui, state)
                                                        : drawMeasuredPanel(ui, state));
    return commands;
}

}  // namespace warplens::window
