#include "app/window/state/actions.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

#include "app/drawing/warp_trace.h"
#include "app/window/jobs.h"
#include "app/window/state/action_keys.h"
#include "app/window/state/apply.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

AppState anyState() {
    return initialState({initialExperiment(allScenarios().front()), true},
                        std::make_shared<RecordingLibrary>(), true);
}

TEST(Help, IsScrolledByTheKeysThatTurnPagesElsewhere) {
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    const auto press = [&](int key) {
        if (const auto command = commandFor(state, {key}, false)) apply(state, *command);
    };
    const std::optional<std::uint64_t> step = state.view.step;
    press(keys::keyF1);
    ASSERT_TRUE(state.helpOpen);
    for (const int key : {keys::keyPageDown, static_cast<int>(' '), keys::keyDown}) press(key);
    EXPECT_EQ(state.helpScrolled, 17);
    press(keys::keyPageUp);
    EXPECT_EQ(state.helpScrolled, 9);
    EXPECT_EQ(state.view.step, step);
    press(keys::keyF1);
    EXPECT_FALSE(state.helpOpen);
    EXPECT_EQ(state.helpScrolled, 0);
}

TEST(Actions, TheScenarioBesideKeepsTheSizeAndTheBlockThatWereChosen) {
    AppState state = anyState();
    apply(state, ChooseScenario{"matadd-swapped"});
    const auto press = [&] { apply(state, *commandFor(state, {'V'}, false)); };
    press();
    EXPECT_EQ(state.view.experiment, initialExperiment(scenarioNamed("matadd-coalesced")))
        << "nothing was changed";
    apply(state, ChooseScenario{"matadd-swapped"});
    apply(state, SetBlock{{8, 8, 1}});
    apply(state, EnterNumber{"n", "512"});
    press();
    EXPECT_EQ(state.view.experiment.scenario, "matadd-coalesced");
    EXPECT_EQ(state.view.experiment.arguments.at("n"), 512);
    EXPECT_EQ(state.view.experiment.launch.block, (Extents{8, 8, 1}));
    EXPECT_EQ(state.view.experiment.launch.grid, (Extents{64, 64, 1}));
}

TEST(Actions, ChooseAnotherBlockOfTheGrid) {
    AppState state = anyState();
    apply(state, SetLaunch{.grid = Extents{3, 2, 1}, .block = Extents{8, 1, 1}});
    apply(state, ChooseBlock{{0, 0, 0}});
    const auto pressed = [&](KeyPress press) {
        if (const auto command = commandFor(state, press, false)) apply(state, *command);
        return state.view.block;
    };
    EXPECT_EQ(pressed({'J', false, true}), (Index3{2, 1, 0})) << "round";
    EXPECT_EQ(pressed({'J'}), (Index3{0, 0, 0}));
    EXPECT_EQ(pressed({'J'}), (Index3{1, 0, 0}));
    EXPECT_EQ(pressed({keys::keyDown}), (Index3{1, 1, 0}));
    EXPECT_EQ(pressed({keys::keyDown}), (Index3{1, 1, 0})) << "to the edge";
    EXPECT_EQ(pressed({keys::keyRight}), (Index3{2, 1, 0}));
    EXPECT_EQ(pressed({keys::keyLeft}), (Index3{1, 1, 0}));
    EXPECT_EQ(pressed({keys::keyUp}), (Index3{1, 0, 0}));
    apply(state, SetLaunch{.grid = Extents{1, 1, 1}, .block = {}});
    EXPECT_FALSE(commandFor(state, {'J'}, false));
}

TEST(Actions, NoKeyMeansTwoThingsAtOnce) {
    AppState state = anyState();
    for (const Mode mode : {Mode::explore, Mode::present}) {
        apply(state, SetMode{mode});
        std::vector<KeyPress> seen;
        for (const Action& action : allActions()) {
            if (action.sensible != nullptr && !action.sensible(state)) continue;
            for (const KeyPress& press : action.presses) {
                if (press.key == 0) break;
                EXPECT_EQ(std::ranges::find(seen, press), seen.end()) << action.does;
                seen.push_back(press);
            }
        }
        EXPECT_GT(seen.size(), 40u);
    }
}

TEST(Actions, BringEveryViewWithThreeKeysAtMost) {
    for (const PictureRow& row : pictures) {
        EXPECT_TRUE(!isInWindow(row) || row.key != 0) << row.word;
    }
    const auto reaches = [](const auto& isThere, int key) {
        AppState state = anyState();
        for (int presses = 0; presses <= 3; ++presses) {
            if (isThere(state)) return true;
            if (const auto command = commandFor(state, {key}, false)) apply(state, *command);
        }
        return false;
    };
    for (const RightTab tab : {RightTab::measured, RightTab::sweep, RightTab::roof}) {
        EXPECT_TRUE(reaches([&](const AppState& state) { return state.view.tab == tab; }, 'K'));
    }
    for (const LowerTab tab : {LowerTab::memory, LowerTab::source}) {
        EXPECT_TRUE(reaches([&](const AppState& state) { return state.view.below == tab; }, 'U'));
    }
    EXPECT_TRUE(reaches([](const AppState& state) { return state.view.mode == Mode::learn; }, 'L'));
    EXPECT_TRUE(
        reaches([](const AppState& state) { return state.view.mode == Mode::present; }, 'P'));
}

TEST(Actions, AreWrittenAsPeopleWriteKeys) {
    EXPECT_EQ(keysOf(actionOf(Act::redo)), "Ctrl+Shift+Z, Ctrl+Y");
    EXPECT_EQ(keysOf(actionOf(Act::closer)), "+");
    EXPECT_EQ(keysOf(actionOf(Act::larger)), "Ctrl++");
    EXPECT_EQ(keysOf(actionOf(Act::help)), "F1, ?");
    EXPECT_EQ(keysOf(actionOf(PictureKind::slots)), "O (letter)") << "no zero";
    EXPECT_EQ(keysOf(actionOf(Act::openFile)), "Ctrl+O");
    EXPECT_EQ(keysOf(actionOf(Act::turnLeft)), "Shift+←");
    EXPECT_EQ(keysOf(actionOf(Act::clearPins)), "");
}

TEST(Actions, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (const Action& action : allActions()) {
        EXPECT_TRUE(names.insert(action.name).second) << action.name;
        EXPECT_FALSE(action.does.empty());
    }
}

TEST(Actions, NothingMovesBehindWhatLiesOverIt) {
    AppState state = anyState();
    apply(state, ChooseScenario{"matadd-swapped"});
    apply(state, traceWarpNow(warpInFocus(state)));
    const auto moves = [&] {
        const bool typing = state.program.asking || state.figure.open;  // as of a popup
        return std::ranges::any_of(
            std::array{keys::keyPageDown, keys::keyPageUp, int{'.'}, int{','}, int{' '}},
            [&](int key) {
                const auto said = commandFor(state, {key}, typing);
                return said && (said->is<MoveStep>() || said->is<TogglePlay>());
            });
    };
    EXPECT_TRUE(moves());
    for (const Command& over :
         {Command(AskForProgram{true}), Command(OpenFigure{true}), Command(SetHelpOpen{true})}) {
        apply(state, over);
        EXPECT_FALSE(moves());
        apply(state, StepBack{});
        apply(state, AskForProgram{false});
        EXPECT_TRUE(moves());
    }
}

TEST(Actions, MeanOneThingOrAnotherByWhatIsShown) {
    AppState state = anyState();
    state.results.push_back({tests::scriptedMeasurement(state.view.experiment), false});
    EXPECT_TRUE(commandFor(state, {'B'}, false)->is<Pin>());
    apply(state, SetMode{Mode::present});
    for (const int key : {int{'B'}, int{'.'}})
        EXPECT_TRUE(commandFor(state, {key}, false)->is<ToggleBlack>());
    EXPECT_FALSE(commandFor(state, {'=', true, false}, false)) << "of a slide";
    apply(state, ToggleBlack{});
    const View shown = state.view;
    apply(state, *commandFor(state, {keys::keyPageDown}, false));
    EXPECT_FALSE(state.present.black);
    EXPECT_EQ(state.view, shown);
    for (const int key : {keys::keyPageDown, keys::keyRight}) {
        const std::optional<Command> said = commandFor(state, {key}, false);
        ASSERT_TRUE(said && said->is<Report>()) << "it has no steps";
        EXPECT_EQ(said->as<Report>()->text, "This slide has no steps: nothing comes next.");
    }
    EXPECT_TRUE(commandFor(state, {'H'}, false)->is<ToggleSpotlight>());
    EXPECT_FALSE(commandFor(state, {keys::keyF5}, false)) << "as remotes send";
    apply(state, SetMode{Mode::explore});
    EXPECT_FALSE(commandFor(state, {'H'}, false));
    EXPECT_TRUE(commandFor(state, {keys::keyF5}, false)->is<Measure>());
}

TEST(Actions, APresentedLessonIsAskedAnewAndLeavesTheProgressAsItWas) {
    AppState state = anyState();
    apply(state, OpenLesson{"access-offset"});
    EXPECT_TRUE(commandFor(state, {'P'}, true)->is<SetMode>()) << "no letter is of an answer";
    EXPECT_TRUE(commandFor(state, {'P', false, true}, true)->is<ToggleProjector>());
    apply(state, GuessAnswer{"1"});
    EXPECT_FALSE(commandFor(state, {'P'}, true));
    const LessonProgress own{.furthest = 3, .tries = 2, .answered = Answered::right};
    state.lesson.progress["access-offset"] = own;
    apply(state, *commandFor(state, {'P'}, false));
    EXPECT_TRUE(questionIsOpen(state));
    apply(state, tellNow(*lessonPlace(state), {}));
    apply(state, *commandFor(state, {keys::keyPageDown}, false));
    EXPECT_EQ(progressOf(state).answered, Answered::shown);
    EXPECT_EQ(settingsOf(state, 1, 1).progress.at("access-offset"), own);
    const LessonProgress answered = progressOf(state);
    apply(state, ToggleBlack{});
    apply(state, *commandFor(state, {keys::keyPageDown}, false));
    EXPECT_FALSE(state.present.black);
    EXPECT_EQ(progressOf(state), answered) << "behind the black nothing moves";
    apply(state, ToggleBlack{});
    apply(state, Report{MessageKind::error, "under the black"});
    apply(state, StepBack{});
    EXPECT_FALSE(state.present.black);
    EXPECT_FALSE(state.messages.empty());
    apply(state, StepBack{});
    apply(state, StepBack{});
    EXPECT_EQ(state.view.mode, Mode::learn);
    EXPECT_EQ(progressOf(state), own);
}

TEST(Actions, ALessonThatIsPresentedIsGoneBackTo) {
    AppState state = anyState();
    const View before = state.view;
    for (const bool byKey : {false, true}) {
        apply(state, OpenLesson{"access-offset"});
        apply(state, SetMode{Mode::present});
        EXPECT_EQ(state.view.mode, Mode::present);
        if (byKey)
            apply(state, SetMode{Mode::explore});
        else
            apply(state, StepBack{});
        EXPECT_EQ(state.view.mode, Mode::learn);
        EXPECT_EQ(state.view.lesson, "access-offset");
        apply(state, ToggleLessons{});
        EXPECT_EQ(state.view.mode, Mode::explore);
        EXPECT_EQ(state.view.experiment, before.experiment) << "the launch that was explored";
    }
    apply(state, SetMode{Mode::present});
    apply(state, StepBack{});
    EXPECT_EQ(state.view.mode, Mode::explore);
}

/// What of two states a person could tell apart.
bool looksDifferent(const AppState& a, const AppState& b) {
    const auto seen = [](const AppState& state) {
        return std::tie(state.edit, state.view, state.pointed, state.block3d, state.playback,
                        state.map, state.measuring, state.pinnedA, state.pinnedB, state.figures,
                        state.helpOpen, state.present.black, state.present.spotlight,
                        state.program.asking, state.program.path, state.palette.open,
                        state.figure.open, state.outbox, state.motion, state.browses,
                        state.launchTyped, state.program.editor.text, state.startsAgain);
    };
    return !(seen(a) == seen(b));
}

AppState afterMeasuring(const char* scenario) {
    AppState state = initialState({initialExperiment(scenarioNamed(scenario)), true},
                                  std::make_shared<RecordingLibrary>(), true);
    state.results.push_back({tests::scriptedMeasurement(state.view.experiment), false});
    apply(state, traceWarpNow(warpInFocus(state)));
    return state;
}

/// States in which, together, every key has something to do.
std::vector<AppState> variedStates() {
    std::vector<AppState> states{afterMeasuring("matadd-swapped"), afterMeasuring("warp-grouping")};
    AppState state = states.front();
    apply(state, Show{.picture = PictureKind::block3d});
    apply(state, SpreadWarps{1});
    apply(state, FrameBlock3d{2, 1, 1});
    states.push_back(state);
    state = states.front();
    apply(state, SetMapArea{{.width = 600, .height = 400, .largestCell = 40}});
    apply(state, ZoomMap{4});
    states.push_back(state);
    state = states.front();
    apply(state, ChooseBlock{{1, 1, 0}});
    states.push_back(state);
    state = states.front();
    apply(state, Measure{});
    states.push_back(state);
    state = states.front();
    apply(state, SetBlock{{32, 8, 1}});
    states.push_back(state);
    apply(state, Undo{});
    states.push_back(state);
    apply(state, Show{.textScale = 2});
    apply(state, SetHelpOpen{true});
    states.push_back(state);
    state = states.front();
    apply(state, Pin{PinSlot::a});
    apply(state, SetMode{Mode::present});
    states.push_back(state);
    state = states.front();
    apply(state, OpenProgram{"a.cu"});
    apply(state, Show{.tab = RightTab::roof});
    apply(state, Show{.picture = PictureKind::times});
    apply(state, Show{.below = LowerTab::source});
    states.push_back(state);
    AppState answered = states.front();
    apply(answered, OpenProgram{"a.cu"});
    apply(answered, CloseProgram{});
    states.push_back(answered);
    apply(answered, OpenLesson{"matadd-swapped"});
    answered.lesson.progress["matadd-swapped"] = {.furthest = 2, .answered = Answered::right};
    states.push_back(std::move(answered));
    AppState saved = states.front();
    apply(saved, LessonsRead{{}, {"rows.cu"}});
    states.push_back(std::move(saved));
    AppState told = states.front();
    apply(told, OpenLesson{"access-stride"});
    apply(told, tellNow(*lessonPlace(told), {}));
    apply(told, SetMode{Mode::present});
    states.push_back(told);
    apply(told, RevealAnswer{});
    states.push_back(std::move(told));
    auto version = std::make_shared<ProgramVersion>();
    version->trace.launches.emplace_back().kernel = "own";
    LaunchReport& costly = version->trace.launches.emplace_back();
    costly.index = 1;
    costly.launch.block = {64, 1, 1};
    version->lines = {"a[i] = 0;"};
    ProgramLine& store = costly.lines.emplace_back();
    store.place = {"a.cu", 1};
    store.sectors = 32;
    apply(state, ProgramTraced{"a.cu", std::move(version)});
    auto remedies = std::make_shared<ProgramRemedies>();
    remedies->place = tracedNow(state.program).value();
    remedies->tried.push_back({.remedy = "exchange-x-and-y",
                               .file = "a.cu",
                               .text = "mended",
                               .places = {{"a.cu", 1}},
                               .diff = "+"});
    apply(state, RemediesFound{remedies});
    states.push_back(state);
    apply(state, ChooseProgramLaunch{0});
    keep(state.program,
         {.digest = {}, .measurement = std::make_shared<const ProgramMeasurement>()});
    apply(state, RemedyWritten{{"a.cu", "as it was", "mended"}, false});
    states.push_back(state);
    apply(state, EditProgram{});
    apply(state, TypeProgram{"before"});
    apply(state, OutboxTaken{});
    states.push_back(state);
    apply(state, UndoTyping{});
    states.push_back(state);
    return states;
}

TEST(Actions, EveryKeyChangesSomethingSomewhere) {
    const std::vector<AppState> states = variedStates();
    for (const Action& action : allActions()) {
        EXPECT_TRUE(std::ranges::any_of(states, [&](const AppState& before) {
            AppState after = before;
            window::apply(after, action.command(after));
            return looksDifferent(before, after);
        })) << action.does;
    }
}

TEST(Actions, NoKeyLeavesAScenarioWithALaunchThatCannotBe) {
    for (const Scenario& scenario : allScenarios()) {
        AppState state = anyState();
        apply(state, ChooseScenario{std::string(scenario.id)});
        for (const Action& action : allActions()) {
            AppState after = state;
            window::apply(after, action.command(after));
            EXPECT_EQ(validate(after.view.experiment), std::vector<LimitViolation>{})
                << scenario.id << ": " << action.does;
        }
    }
}

TEST(Actions, LettersAreLeftAloneWhileTyping) {
    const AppState state = anyState();
    EXPECT_TRUE(commandFor(state, {'W'}, false));
    EXPECT_FALSE(commandFor(state, {'W'}, true));
    EXPECT_TRUE(commandFor(state, {294}, true));
    EXPECT_FALSE(commandFor(state, {'W', true, false}, false));
    AppState asked = anyState();
    window::apply(asked, OpenLesson{"access-offset"});
    window::apply(asked, GuessAnswer{"1"});
    for (int letter = 'A'; letter <= 'Z'; ++letter)
        EXPECT_FALSE(commandFor(asked, {letter}, true)) << static_cast<char>(letter);
}

/// A word typed with no field open costs nobody a measurement, nor the way to the open file.
TEST(Actions, NoLetterLeavesAFileOrBeginsOrEndsAMeasurement) {
    for (AppState state : variedStates()) {
        const std::string file = state.program.path;
        const bool measures = running(state) != nullptr;
        for (int letter = 'A'; letter <= 'Z'; ++letter) {
            for (const bool shift : {false, true}) {
                AppState after = state;
                if (const auto command = commandFor(after, {letter, false, shift}, false))
                    window::apply(after, *command);
                EXPECT_EQ(after.program.path, file) << static_cast<char>(letter);
                EXPECT_EQ(running(after) != nullptr, measures) << static_cast<char>(letter);
                if (measures) {
                    EXPECT_FALSE(running(after)->cancelled) << static_cast<char>(letter);
                }
            }
        }
    }
}

TEST(Actions, LeadBackToTheFileThatWasLeft) {
    AppState state = anyState();
    EXPECT_FALSE(isPossible(state, actionOf(Act::backToFile)));
    apply(state, OpenProgram{"a.cu"});
    EXPECT_FALSE(isPossible(state, actionOf(Act::backToFile)));
    apply(state, ChooseScenario{"matadd-swapped"});
    EXPECT_EQ(state.program.path, "");
    ASSERT_TRUE(isPossible(state, actionOf(Act::backToFile)));
    apply(state, actionOf(Act::backToFile).command(state));
    EXPECT_EQ(state.program.path, "a.cu");
    EXPECT_FALSE(isPossible(state, actionOf(Act::backToFile)));
}

TEST(Actions, NoKeyTakesTheMapFromALaunchOfAPersonsOwnFile) {
    AppState state = anyState();
    apply(state, SetBlock{{32, 8, 1}});
    apply(state, OpenProgram{"a.cu"});
    auto version = std::make_shared<ProgramVersion>();
    version->trace.launches.emplace_back().launch = {.grid = {3, 1, 1}, .block = {96, 1, 1}};
    apply(state, ProgramTraced{"a.cu", std::move(version)});
    for (const KeyPress press : {KeyPress{'X'}, {'G'}, {'Z', true}, {'Y', true}}) {
        EXPECT_FALSE(commandFor(state, press, false)) << keyText(press);
    }
    const std::optional<Command> typed = commandFor(state, {'I'}, false);
    ASSERT_TRUE(typed);
    apply(state, *typed);
    ASSERT_FALSE(state.messages.empty());
    EXPECT_TRUE(state.messages.back().text.starts_with("The file's own main makes its launches"));
}

TEST(Actions, NextScenarioWalksRoundAllOfThem) {
    AppState state = anyState();
    for (std::size_t i = 0; i < allScenarios().size(); ++i) {
        window::apply(state, *commandFor(state, {'N'}, false));
    }
    EXPECT_EQ(state.view.experiment.scenario, allScenarios().front().id);
    window::apply(state, *commandFor(state, {'N', false, true}, false));
    EXPECT_EQ(state.view.experiment.scenario, allScenarios().back().id);
}

TEST(Actions, MoveTheBlock3dWhileItIsShownAndTheMapWhileItIsNot) {
    AppState state = anyState();
    window::apply(state, SetMapArea{{.width = 600, .height = 400, .largestCell = 40}});
    const auto press = [&] {
        window::apply(state, *commandFor(state, {'='}, false));
        window::apply(state, *commandFor(state, {263, true, false}, false));  // to the left
    };
    press();
    EXPECT_EQ(state.block3d, Block3dView{});
    EXPECT_EQ(state.view.map, MapFollows::nothing);
    const MapCamera camera = state.map.camera;
    window::apply(state, Show{.picture = PictureKind::block3d});
    press();
    EXPECT_GT(state.block3d.zoom, 1);
    EXPECT_GT(state.block3d.panX, 0);
    EXPECT_EQ(state.map.camera, camera);
    window::apply(state, Show{.picture = PictureKind::threads});
    window::apply(state, *commandFor(state, {'3'}, false));
    EXPECT_EQ(state.view.picture, PictureKind::block3d);
    const float turn = state.block3d.turn;
    window::apply(state, *commandFor(state, {262, false, true}, false));
    EXPECT_GT(state.block3d.turn, turn);
    window::apply(state, *commandFor(state, {'D'}, false));
    EXPECT_EQ(state.block3d.apart, 1);
    window::apply(state, *commandFor(state, {'D'}, false));
    EXPECT_EQ(state.block3d.apart, 0);
    window::apply(state, *commandFor(state, {'R'}, false));
    EXPECT_EQ(state.block3d, Block3dView{});
    window::apply(state, *commandFor(state, {'2'}, false));
    EXPECT_EQ(state.view.picture, PictureKind::threads);
}

}  // namespace
}  // namespace warplens::window
