#include "app/window/state/shortcuts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>

#include "app/drawing/warp_trace.h"
#include "tests/worker_stub/scripted_measurement.h"

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

/// What of two states a person could tell apart.
bool looksDifferent(const AppState& a, const AppState& b) {
    const auto seen = [](const AppState& state) {
        return std::tie(state.edit, state.selection, state.view, state.solid, state.playback,
                        state.map, state.rightTab, state.lowerTab, state.measuring, state.pinnedA,
                        state.pinnedB, state.figures, state.helpOpen, state.theme, state.textScale,
                        state.mode, state.lesson.id, state.present.black,
                        state.present.spotlight, state.program.asking);
    };
    return !(seen(a) == seen(b));
}

AppState afterMeasuring(const char* scenario) {
    AppState state = initialState({initialExperiment(scenarioNamed(scenario)), true},
                                  std::make_shared<RecordingLibrary>(), true);
    state.results.push_back({tests::scriptedMeasurement(state.shown), false});
    apply(state, WarpTraced{std::make_shared<const WarpTrace>(traceWarp(warpInFocus(state)))});
    return state;
}

/// States in which, together, every key has something to do.
std::vector<AppState> variedStates() {
    std::vector<AppState> states{afterMeasuring("matadd-swapped"), afterMeasuring("warp-grouping")};
    AppState state = states.front();
    apply(state, SetBlockView{BlockView::solid});
    apply(state, SpreadWarps{1});
    apply(state, FrameSolid{2, 1, 1});
    states.push_back(state);
    state = states.front();
    apply(state, SetMapSheet{{.width = 600, .height = 400, .largestCell = 40}});
    apply(state, ZoomMap{4});
    states.push_back(state);
    state = states.front();
    apply(state, Measure{});
    states.push_back(state);
    state = states.front();
    apply(state, SetBlock{{32, 8, 1}});
    states.push_back(state);
    apply(state, Undo{});
    states.push_back(state);
    apply(state, SetTextScale{2});
    apply(state, SetHelpOpen{true});
    states.push_back(state);
    return states;
}

TEST(Shortcuts, EveryKeyChangesSomethingSomewhere) {
    const std::vector<AppState> states = variedStates();
    for (const Shortcut& shortcut : allShortcuts()) {
        EXPECT_TRUE(std::ranges::any_of(states,
                                        [&](const AppState& before) {
                                            AppState after = before;
                                            window::apply(after, shortcut.command(after));
                                            return looksDifferent(before, after);
                                        }))
            << shortcut.press.key << " " << shortcut.does;
    }
}

TEST(Shortcuts, NoKeyLeavesAScenarioWithALaunchThatCannotBe) {
    for (const Scenario& scenario : allScenarios()) {
        AppState state = anyState();
        apply(state, ChooseScenario{std::string(scenario.id)});
        for (const Shortcut& shortcut : allShortcuts()) {
            AppState after = state;
            window::apply(after, shortcut.command(after));
            EXPECT_EQ(validate(after.shown), std::vector<Breach>{})
                << scenario.id << ": " << shortcut.does;
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
