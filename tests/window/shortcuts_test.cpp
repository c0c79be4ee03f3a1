#include "app/window/state/shortcuts.h"

#include <gtest/gtest.h>

namespace warplens::window {
namespace {

AppState anyState() {
    return initialState({initialExperiment(allScenarios().front()), true},
                        std::make_shared<RecordingLibrary>(), true);
}

TEST(Shortcuts, NoKeyMeansTwoThings) {
    const auto table = allShortcuts();
    for (std::size_t i = 0; i < table.size(); ++i) {
        for (std::size_t j = i + 1; j < table.size(); ++j) {
            EXPECT_NE(table[i].press, table[j].press) << table[i].does;
        }
    }
}

TEST(Shortcuts, EveryKeyMakesACommandInEveryScenario) {
    for (const Scenario& scenario : allScenarios()) {
        for (const Shortcut& shortcut : allShortcuts()) {
            AppState state = anyState();
            apply(state, ChooseScenario{std::string(scenario.id)});
            window::apply(state, shortcut.command(state));
            EXPECT_TRUE(validate(state.shown).empty());
        }
    }
}

TEST(Shortcuts, LettersAreLeftAloneWhileTyping) {
    const AppState state = anyState();
    EXPECT_TRUE(commandFor(state, {'M'}, false));
    EXPECT_FALSE(commandFor(state, {'M'}, true));
    EXPECT_TRUE(commandFor(state, {294}, true));
    EXPECT_FALSE(commandFor(state, {'M', true, false}, false));
}

TEST(Shortcuts, NextScenarioWalksRoundAllOfThem) {
    AppState state = anyState();
    for (std::size_t i = 0; i < allScenarios().size(); ++i) {
        window::apply(state, *commandFor(state, {'N'}, false));
    }
    EXPECT_EQ(state.shown.scenario, allScenarios().front().id);
    window::apply(state, *commandFor(state, {'N', false, true}, false));
    EXPECT_EQ(state.shown.scenario, allScenarios().back().id);
}

TEST(Shortcuts, MoveTheSolidWhileItIsShownAndTheMapWhileItIsNot) {
    AppState state = anyState();
    window::apply(state, SetMapSheet{{.width = 600, .height = 400, .largestCell = 40}});
    const auto press = [&] {
        window::apply(state, *commandFor(state, {'='}, false));
        window::apply(state, *commandFor(state, {263, true, false}, false));  // to the left
    };
    press();
    EXPECT_EQ(state.solid, SolidView{});
    EXPECT_EQ(state.map.follows, MapFollows::nothing);
    const MapCamera camera = state.map.camera;
    window::apply(state, SetBlockView{BlockView::solid});
    press();
    EXPECT_GT(state.solid.zoom, 1);
    EXPECT_GT(state.solid.panX, 0);
    EXPECT_EQ(state.map.camera, camera);
    window::apply(state, SetBlockView{BlockView::flat});
    window::apply(state, *commandFor(state, {'3'}, false));
    EXPECT_EQ(state.view, BlockView::solid);
    const float turn = state.solid.turn;
    window::apply(state, *commandFor(state, {262, false, true}, false));
    EXPECT_GT(state.solid.turn, turn);
    window::apply(state, *commandFor(state, {'D'}, false));
    EXPECT_EQ(state.solid.apart, 1);
    window::apply(state, *commandFor(state, {'D'}, false));
    EXPECT_EQ(state.solid.apart, 0);
    window::apply(state, *commandFor(state, {'R'}, false));
    EXPECT_EQ(state.solid, SolidView{});
    window::apply(state, *commandFor(state, {'2'}, false));
    EXPECT_EQ(state.view, BlockView::flat);
}

}  // namespace
}  // namespace warplens::window
