#include "app/window/state/editing.h"

#include <gtest/gtest.h>

#include "app/window/state/apply.h"

namespace warplens::window {
namespace {

AppState stateOfEntry(const char* scenario) {
    return initialState({initialExperiment(scenarioNamed(scenario)), true},
                        std::make_shared<RecordingLibrary>(), true);
}

struct Entry {
    const char* field;
    const char* text;
    const char* violation;
};

TEST(NumberEntry, OfNoNumberLeavesTheLaunchThatIsShownAsCode) {
    AppState state = stateOfEntry("matadd-swapped");
    apply(state, EnterNumber{"block x", "2000"});
    EXPECT_EQ(writtenLaunch(state).block.x, 2000u);
    apply(state, EnterNumber{"block x", "abc"});
    EXPECT_EQ(writtenLaunch(state), state.view.experiment.launch);
}

TEST(NumberEntry, WhatIsNoNumberIsOneViolationByNameAndValueAndTheLastLaunchStaysOnShow) {
    for (const Entry& entry :
         {Entry{"block x", "-5", "block x = -5: at least 1"},
          {"block x", "abc", "block x = 'abc': a whole number"},
          {"block x", "", "block x = '': a whole number"},
          {"block x", "  ", "block x = '': a whole number"},
          {"block x", "-", "block x = '-': a whole number"},
          {"block x", "12.5", "block x = '12.5': a whole number"},
          {"block x", "1e3", "block x = '1e3': a whole number"},
          {"block x", "%d", "block x = '%d': a whole number"},
          {"block x", "99999999999", "block x = 99999999999: at most 1024"},
          {"block x", "99999999999999999999999", "block x = 99999999999999999999999: at most 1024"},
          {"block z", "-99999999999999999999999", "block z = -99999999999999999999999: at least 1"},
          {"block x", "0", "block x = 0: at least 1"},
          {"grid y", "99999999999", "grid y = 99999999999: at most 65535"},
          {"grid x", "abc", "grid x = 'abc': a whole number"},
          {"n", "-5", "n = -5: at least 1"},
          {"n", "abc", "n = 'abc': a whole number"},
          {"n", "", "n = '': a whole number"}}) {
        AppState state = stateOfEntry("matadd-coalesced");
        const Experiment before = state.view.experiment;
        apply(state, EnterNumber{entry.field, entry.text});
        EXPECT_EQ(toString(violationsOf(state)), entry.violation);
        EXPECT_EQ(state.view.experiment, before) << entry.violation;
        EXPECT_FALSE(mayMeasure(state)) << entry.violation;
        apply(state, Undo{});
        EXPECT_TRUE(violationsOf(state).empty()) << entry.violation;
    }
}

TEST(NumberEntry, CudaRefusesLaunchesAndNoSizesOfAKernel) {
    const auto refusal = [](const std::string& field, const std::string& text) {
        AppState state = stateOfEntry("matadd-coalesced");
        apply(state, EnterNumber{field, text});
        return refusalOf(state.edit);
    };
    EXPECT_EQ(refusal("block z", "65"), "CUDA would refuse this launch");
    EXPECT_EQ(refusal("n", "0"), "The kernel cannot run with this");
    EXPECT_EQ(refusal("n", "abc"), "Not a launch yet");
}

TEST(NumberEntry, ANumberTakesThePlaceOfTheTextThatWasNone) {
    AppState state = stateOfEntry("matadd-coalesced");
    apply(state, EnterNumber{"block x", "abc"});
    apply(state, EnterNumber{"block y", "8"});
    EXPECT_EQ(toString(violationsOf(state)), "block x = 'abc': a whole number");
    apply(state, EnterNumber{"block x", " 32 "});
    EXPECT_TRUE(violationsOf(state).empty());
    EXPECT_EQ(state.view.experiment.launch.block, (Extents{32, 8, 1}));
    EXPECT_EQ(state.view.experiment.launch.grid, (Extents{512, 2048, 1}));
}

TEST(NumberEntry, AShapeInOneFieldIsThatOfAllThree) {
    AppState state = stateOfEntry("matadd-coalesced");
    apply(state, EnterNumber{"block y", "abc"});
    apply(state, EnterNumber{"block x", "16x4"});
    EXPECT_EQ(state.view.experiment.launch.block, (Extents{16, 4, 1}));
    apply(state, EnterNumber{"block y", "7,3,5"});
    EXPECT_EQ(state.view.experiment.launch.block, (Extents{7, 3, 5}));
    EXPECT_TRUE(violationsOf(state).empty());
    apply(state, EnterNumber{"grid x", "3 x 5 x 1"});
    EXPECT_EQ(state.edit.experiment.launch.grid, (Extents{3, 5, 1}));
    EXPECT_FALSE(state.edit.gridCovers);
    apply(state, EnterNumber{"block x", "7x"});
    EXPECT_EQ(toString(violationsOf(state)), "block x = '7x': a whole number");
}

TEST(NumberEntry, ATextThatIsNoNumberIsTheOnlyThingSaidOfItsField) {
    AppState state = stateOfEntry("matadd-coalesced");
    apply(state, EnterNumber{"block x", "2000000000"});
    apply(state, EnterNumber{"block x", "nan"});
    apply(state, EnterNumber{"grid y", "0"});
    EXPECT_EQ(toString(violationsOf(state)),
              "block x = 'nan': a whole number; grid y = 0: at least 1");
}

TEST(NumberEntry, WhatSetsTheWholeBlockForgetsItsTexts) {
    for (const Command& command : std::initializer_list<Command>{
             SetBlock{{16, 16, 1}}, SwapBlockAxes{}, ChooseScenario{"matadd-swapped"}}) {
        AppState state = stateOfEntry("matadd-coalesced");
        apply(state, EnterNumber{"block z", "abc"});
        apply(state, command);
        EXPECT_TRUE(violationsOf(state).empty());
    }
}

TEST(NumberEntry, AnUnknownFieldChangesNothing) {
    AppState state = stateOfEntry("matadd-coalesced");
    apply(state, EnterNumber{"no such size", "1"});
    apply(state, EnterNumber{"", "abc"});
    EXPECT_TRUE(state.undo.empty());
}

}  // namespace
}  // namespace warplens::window
