#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>

#include "app/window/settings.h"
#include "app/window/state/apply.h"
#include "app/window/state/editing.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/lesson_view.h"
#include "app/window/state/program_editor.h"
#include "core/launch/mapping.h"
#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens::window {
namespace {

AppState commandsStateOf(const char* scenario) {
    return initialState({initialExperiment(scenarioNamed(scenario)), true},
                        std::make_shared<RecordingLibrary>(), true);
}

void enterGrid(AppState& state, Extents grid) {
    apply(state, EnterNumber{"grid x", std::to_string(grid.x)});
    apply(state, EnterNumber{"grid y", std::to_string(grid.y)});
    apply(state, EnterNumber{"grid z", std::to_string(grid.z)});
}

TEST(Figures, StayOpenUntilTheirFilesAreThere) {
    AppState state = commandsStateOf("warp-grouping");
    apply(state, OpenFigure{true});
    ChooseFigure choice{state.figure.choice};
    choice.choice.paper.name = "week 3";
    choice.choice.paper.title = "Warps";
    apply(state, choice);
    apply(state, DrawFigure{FigureTarget::files});
    EXPECT_EQ(state.figures.back().paper->name, "week 3");
    apply(state, FigureDrawn{state.figures.back().number, MessageKind::error, "no folder"});
    EXPECT_TRUE(state.figure.open);
    EXPECT_EQ(state.figure.problem, "no folder");
    EXPECT_TRUE(state.messages.empty());
    apply(state, DrawFigure{FigureTarget::files});
    EXPECT_TRUE(state.figure.problem.empty());
    apply(state, FigureDrawn{state.figures.back().number, MessageKind::note, "saved"});
    EXPECT_FALSE(state.figure.open);
    EXPECT_EQ(state.messages.size(), 1u);
    // The same on other paper has the same words, another figure another name.
    apply(state, OpenFigure{true});
    EXPECT_EQ(state.figure.choice.paper, choice.choice.paper);
    apply(state, OpenFigure{false});
    apply(state, ChooseScenario{"matadd-swapped"});
    apply(state, OpenFigure{true});
    EXPECT_TRUE(state.figure.choice.paper.name.empty());
    EXPECT_TRUE(state.figure.choice.paper.title.empty());
}

TEST(Figures, AreLightUntilSomebodyChoosesOtherwise) {
    AppState state = commandsStateOf("warp-grouping");
    ASSERT_EQ(state.view.theme, Theme::dark);
    apply(state, OpenFigure{true});
    EXPECT_EQ(state.figure.choice.paper.theme, Theme::light);
    ChooseFigure choice{state.figure.choice};
    choice.choice.paper.theme = Theme::dark;
    apply(state, choice);
    apply(state, OpenFigure{false});
    apply(state, OpenFigure{true});
    EXPECT_EQ(state.figure.choice.paper.theme, Theme::dark);
    EXPECT_EQ(settingsFromJson(toJson(settingsOf(state, 800, 600))).figureTheme, Theme::dark);
}

TEST(Commands, SetBlockLetsTheGridCoverTheProblem) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, SetBlock{{32, 8, 1}});
    EXPECT_EQ(state.edit.experiment.launch.grid, (Extents{512, 2048, 1}));
    EXPECT_EQ(state.view.experiment, state.edit.experiment);
}

TEST(Commands, ALessonThatIsMendedIsNoLongerSaidToBeBroken) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, LessonsRead{{"a.json: no title", "b.json: no steps"}});
    ASSERT_EQ(state.messages.size(), 2u);
    apply(state, LessonsRead{{"b.json: no steps"}});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages.front().text, "Lesson not read. b.json: no steps");
}

TEST(Commands, AKernelOfACourseIsSaidToBeAnotherAsLongAsItIs) {
    AppState state = commandsStateOf("matadd-coalesced");
    for (int times = 0; times < 2; ++times) {
        apply(state, LessonsRead{{}, {"halo.cu"}});
        ASSERT_EQ(state.messages.size(), 1u);
        EXPECT_TRUE(state.messages.front().text.starts_with("halo.cu was saved"));
    }
    AppState again = state;
    apply(again, StartAgain{});
    EXPECT_TRUE(again.startsAgain);
    apply(state, LessonsRead{});
    EXPECT_TRUE(state.messages.empty());
    apply(state, StartAgain{});
    EXPECT_FALSE(state.startsAgain) << "nothing is out of date";
}

TEST(Commands, LessonsThatAreReadAnewAreNoneThatWasBegun) {
    AppState state = commandsStateOf("matadd-coalesced");
    haveLessonReady(state, "matadd-coalesced");
    apply(state, LessonsRead{});
    EXPECT_TRUE(state.lesson.progress.empty());
    openLesson(state, "matadd-coalesced");
    apply(state, LessonsRead{});
    EXPECT_EQ(state.view.mode, Mode::learn);
}

TEST(Commands, AnEnteredGridStays) {
    AppState state = commandsStateOf("matadd-coalesced");
    enterGrid(state, {3, 2, 1});
    apply(state, SetBlock{{8, 8, 1}});
    EXPECT_EQ(state.edit.experiment.launch.grid, (Extents{3, 2, 1}));
    apply(state, SetGridCovers{true});
    EXPECT_EQ(state.edit.experiment.launch.grid, (Extents{2048, 2048, 1}));
}

TEST(Commands, AnIllegalBlockIsKeptInTheFieldsAndNotDrawn) {
    AppState state = commandsStateOf("matadd-coalesced");
    const Experiment before = state.view.experiment;
    for (const Extents block :
         {Extents{0, 16, 1}, {1025, 1, 1}, {4294967295u, 4294967295u, 9}, {1, 1, 65}, {0, 0, 0}}) {
        apply(state, SetBlock{block});
        EXPECT_EQ(state.edit.experiment.launch.block, block);
        EXPECT_EQ(state.view.experiment, before);
        EXPECT_FALSE(violationsOf(state).empty());
        EXPECT_FALSE(mayMeasure(state));
    }
    apply(state, SetBlock{{32, 32, 1}});
    EXPECT_EQ(state.view.experiment.launch.block, (Extents{32, 32, 1}));
}

TEST(Commands, AnArgumentOutOfItsBoundsIsAViolationAndLeavesTheGrid) {
    AppState state = commandsStateOf("matadd-coalesced");
    const Extents grid = state.edit.experiment.launch.grid;
    for (const std::int64_t n :
         {std::int64_t{0}, std::int64_t{-5}, std::int64_t{46341}, INT64_MAX, INT64_MIN}) {
        apply(state, EnterNumber{"n", std::to_string(n)});
        EXPECT_EQ(violationsOf(state).size(), 1u);
        EXPECT_EQ(state.edit.experiment.launch.grid, grid);
    }
    apply(state, EnterNumber{"no such size", std::to_string(1)});
    EXPECT_FALSE(state.edit.experiment.arguments.contains("no such size"));
}

TEST(Commands, SwapBlockAxesSwapsXAndY) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, SetBlock{{32, 8, 1}});
    apply(state, SwapBlockAxes{});
    EXPECT_EQ(state.view.experiment.launch.block, (Extents{8, 32, 1}));
}

TEST(Commands, UndoAndRedoWalkThroughTheEdits) {
    AppState state = commandsStateOf("matadd-coalesced");
    const Edit first = state.edit;
    apply(state, SetBlock{{32, 8, 1}});
    apply(state, ChooseScenario{"warp-grouping"});
    const Edit last = state.edit;
    apply(state, Undo{});
    EXPECT_EQ(state.edit.experiment.launch.block, (Extents{32, 8, 1}));
    apply(state, Undo{});
    EXPECT_EQ(state.edit, first);
    apply(state, Undo{});
    EXPECT_EQ(state.edit, first);
    apply(state, Redo{});
    apply(state, Redo{});
    apply(state, Redo{});
    EXPECT_EQ(state.edit, last);
    EXPECT_EQ(state.view.experiment, last.experiment);
}

TEST(Commands, OneDragIsOneStepToUndo) {
    AppState state = commandsStateOf("matadd-coalesced");
    const Edit first = state.edit;
    for (std::uint32_t x = 17; x < 30; ++x) apply(state, SetBlock{{x, 16, 1}});
    apply(state, FinishEdit{});
    const Edit dragged = state.edit;
    for (std::uint32_t x = 30; x < 40; ++x) apply(state, SetBlock{{x, 16, 1}});
    apply(state, Undo{});
    EXPECT_EQ(state.edit, dragged);
    apply(state, Undo{});
    EXPECT_EQ(state.edit, first);
}

TEST(Commands, AnEditForgetsWhatCouldBeRedone) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, SetBlock{{32, 8, 1}});
    apply(state, Undo{});
    apply(state, SetBlock{{8, 8, 1}});
    apply(state, Redo{});
    EXPECT_EQ(state.edit.experiment.launch.block, (Extents{8, 8, 1}));
}

TEST(Commands, AnUnknownScenarioChangesNothing) {
    AppState state = commandsStateOf("warp-grouping");
    const Edit before = state.edit;
    apply(state, ChooseScenario{"no-such-scenario"});
    apply(state, ChooseScenario{""});
    apply(state, Show{.experiment = Experiment{"no-such-scenario", {}, {}}});
    EXPECT_EQ(state.edit, before);
}

TEST(Commands, AnExperimentWithoutItsKernelsSizesChangesNothing) {
    AppState state = commandsStateOf("warp-grouping");
    const Edit before = state.edit;
    Experiment bare = initialExperiment(scenarioNamed("matadd-coalesced"));
    bare.arguments = {};
    apply(state, Show{.experiment = bare});
    bare.arguments = {{"rows", 3}};
    apply(state, Show{.experiment = bare});
    bare.arguments = {{"n", 64}, {"rows", 3}};
    apply(state, Show{.experiment = bare});
    bare.arguments = {{"n", 64}};
    bare.arrayOffset = mostArrayOffset + 1;
    apply(state, Show{.experiment = bare});
    EXPECT_EQ(state.edit, before);
    bare.arrayOffset = mostArrayOffset;
    bare.arguments = {{"n", -64}};
    apply(state, Show{.experiment = bare});
    EXPECT_EQ(state.edit.experiment.arguments.at("n"), -64) << "a size out of its bounds is named";
    EXPECT_EQ(violationsOf(state).size(), 1u);
}

TEST(Commands, TheSelectionStaysInsideTheLaunch) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, ChooseBlock{{31, 31, 0}});
    apply(state, ToggleWarp{{7}});
    apply(state, PointAtThread{Index3{15, 15, 0}});
    apply(state, SetBlock{{4, 4, 1}});
    EXPECT_EQ(state.view.block, (Index3{31, 31, 0}));
    EXPECT_EQ(state.view.warp, std::nullopt);
    EXPECT_EQ(state.pointed, std::nullopt);
    apply(state, EnterNumber{"n", std::to_string(8)});
    EXPECT_EQ(state.view.block, Index3{});
    apply(state, ChooseBlock{{99, 99, 99}});
    EXPECT_EQ(state.view.block, (Index3{1, 1, 0}));
    apply(state, ToggleWarp{{31}});
    EXPECT_EQ(state.view.warp, std::nullopt);
}

TEST(Commands, ToggleWarpHoldsAndReleases) {
    AppState state = commandsStateOf("warp-grouping");
    apply(state, ToggleWarp{{5}});
    EXPECT_EQ(state.view.warp, WarpRank{5});
    apply(state, ToggleWarp{{6}});
    EXPECT_EQ(state.view.warp, WarpRank{6});
    apply(state, ToggleWarp{{6}});
    EXPECT_EQ(state.view.warp, std::nullopt);
}

TEST(Commands, StepBackGoesOneLevelOut) {
    AppState state = commandsStateOf("warp-grouping");
    apply(state, Report{MessageKind::note, "something"});
    apply(state, ToggleWarp{{5}});
    apply(state, SetHelpOpen{true});
    apply(state, StepBack{});
    EXPECT_FALSE(state.helpOpen);
    EXPECT_TRUE(state.view.warp);
    apply(state, StepBack{});
    EXPECT_FALSE(state.view.warp);
    EXPECT_EQ(state.messages.size(), 1u);
    apply(state, StepBack{});
    EXPECT_TRUE(state.messages.empty());
    apply(state, StepBack{});
}

TEST(Commands, StepBackFirstEndsAFailureThatWouldStay) {
    AppState state = commandsStateOf("warp-grouping");
    apply(state, ToggleWarp{{5}});
    apply(state, Report{MessageKind::error, "Not opened"});
    apply(state, Report{MessageKind::note, "something"});
    apply(state, StepBack{});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text, "something");
    EXPECT_TRUE(state.view.warp);
}

TEST(Commands, TextScaleStaysReadable) {
    AppState state = commandsStateOf("warp-grouping");
    apply(state, Show{.textScale = 100});
    EXPECT_EQ(state.view.textScale, largestTextScale);
    apply(state, Show{.textScale = -1});
    EXPECT_EQ(state.view.textScale, leastTextScale);
    apply(state, Show{.textScale = std::numeric_limits<float>::quiet_NaN()});
    EXPECT_EQ(state.view.textScale, leastTextScale);
}

TEST(Commands, RandomEditsNeverBreakTheState) {
    std::mt19937 random(11);
    const std::vector<std::uint32_t> extents{0,  1,  2,    5,    31,    32,          33,
                                             64, 65, 1024, 1025, 65536, 2147483648u, 4294967295u};
    const auto pick = [&](const auto& from) { return from[random() % from.size()]; };
    const auto any = [&] { return Extents{pick(extents), pick(extents), pick(extents)}; };
    for (const Scenario& scenario : allScenarios()) {
        AppState state = commandsStateOf(scenario.id.data());
        for (int i = 0; i < 2000; ++i) {
            switch (random() % 9) {
                case 0:
                    apply(state, SetBlock{any()});
                    break;
                case 1:
                    enterGrid(state, any());
                    break;
                case 2:
                    apply(state, SetGridCovers{random() % 2 == 0});
                    break;
                case 3:
                    apply(state, Undo{});
                    break;
                case 4:
                    apply(state, Redo{});
                    break;
                case 5:
                    apply(state, SwapBlockAxes{});
                    break;
                case 6:
                    apply(state, ToggleWarp{{pick(extents)}});
                    break;
                case 7:
                    apply(state, ChooseBlock{{pick(extents), pick(extents), pick(extents)}});
                    break;
                default:
                    for (const KernelSize& parameter : kernelOf(state).sizes) {
                        apply(state, EnterNumber{std::string(parameter.name),
                                                 std::to_string(std::int64_t{pick(extents)} - 1)});
                    }
            }
            ASSERT_TRUE(validate(state.view.experiment).empty());
            ASSERT_LT(state.view.block.x, state.view.experiment.launch.grid.x);
            ASSERT_LT(state.view.block.y, state.view.experiment.launch.grid.y);
            ASSERT_LT(state.view.block.z, state.view.experiment.launch.grid.z);
        }
    }
}

TEST(Commands, AFigureIsOrderedOfWhatIsShownThenAndReportedWhenItIsDrawn) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, ToggleWarp{{2}});
    apply(state, DrawFigure{FigureTarget::files});
    const Experiment then = state.view.experiment;
    apply(state, SetBlock{{8, 32, 1}});
    apply(state, DrawFigure{FigureTarget::clipboard});
    ASSERT_EQ(state.figures.size(), 2u);
    EXPECT_EQ(state.figures[0].view.experiment, then);
    EXPECT_EQ(state.figures[0].view.warp, WarpRank{2});
    EXPECT_EQ(state.figures[0].target, FigureTarget::files);
    EXPECT_EQ(state.figures[1].view.experiment, state.view.experiment);
    EXPECT_LT(state.figures[0].number, state.figures[1].number);

    apply(state, FigureDrawn{state.figures[0].number, MessageKind::note, "Figure saved: there"});
    ASSERT_EQ(state.figures.size(), 1u);
    EXPECT_EQ(state.figures[0].target, FigureTarget::clipboard);
    EXPECT_EQ(state.messages.back().text, "Figure saved: there");
}

TEST(Commands, WhoeverHoldsTheKeyForFiguresIsToldThatEnoughWait) {
    AppState state = commandsStateOf("matadd-coalesced");
    for (std::size_t i = 0; i < 3 * mostFiguresDue; ++i) {
        apply(state, DrawFigure{FigureTarget::files});
    }
    EXPECT_EQ(state.figures.size(), mostFiguresDue);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text, "8 figures wait to be drawn; try again later.");
    apply(state, FigureDrawn{state.figures[0].number, MessageKind::note, "Figure saved: there"});
    apply(state, DrawFigure{FigureTarget::files});
    EXPECT_EQ(state.figures.size(), mostFiguresDue);
}

TEST(Commands, WishesForAFileWithoutMainStayWhileItHasNone) {
    AppState state = commandsStateOf("warp-grouping");
    apply(state, OpenProgram{"k.cu"});
    const auto traced = [&](std::vector<ProposedValue> proposed) {
        auto version = std::make_shared<ProgramVersion>();
        LaunchReport launch;
        launch.kernel = "shapes::axpy";
        version->trace.launches.push_back(launch);
        version->proposed = std::move(proposed);
        apply(state, ProgramTraced{"k.cu", std::move(version)});
    };
    const ProposedValue n{"axpy", ProposedKind::number, "n", "1024"};
    traced({n, {"other", ProposedKind::block, "", "256"}});
    EXPECT_EQ(proposedForChosen(state.program), std::vector{n});

    apply(state, WishForProgram{{"axpy", ProposedKind::number, "n", "64"}});
    apply(state, WishForProgram{{"axpy", ProposedKind::number, "n", "128"}});
    EXPECT_EQ(state.program.wishes,
              (std::vector<ProposedValue>{{"", ProposedKind::number, "n", "128"}}));
    EXPECT_EQ(state.program.stage, "compiling");
    apply(state, OpenProgram{"k.cu"});  // once more
    EXPECT_EQ(state.program.wishes.size(), 1u);
    apply(state, WishForProgram{{"", ProposedKind::number, "n", ""}});
    EXPECT_TRUE(state.program.wishes.empty());

    apply(state, WishForProgram{n});
    traced({});
    EXPECT_TRUE(state.program.wishes.empty());
    apply(state, WishForProgram{n});
    apply(state, OpenProgram{__FILE__});  // another that there is
    EXPECT_TRUE(state.program.wishes.empty());
    EXPECT_EQ(state.program.path, __FILE__);
}

std::shared_ptr<const ProgramVersion> versionWith(const Launch& launch) {
    auto version = std::make_shared<ProgramVersion>();
    version->trace.launches.emplace_back().launch = launch;
    return version;
}

TEST(Commands, ALessonThatCannotBeToldSaysWhy) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, OpenLesson{"matadd-swapped"});
    EXPECT_EQ(failureOfShown(state), "") << "its numbers are on the way";
    apply(state, LessonResolved{nullptr, LessonFailure{"matadd-swapped", "no such launch"}});
    EXPECT_EQ(failureOfShown(state), "no such launch");
    apply(state, OpenLesson{"access-stride"});
    EXPECT_EQ(failureOfShown(state), "") << "of another one";
}

TEST(Commands, ALessonThatWasOnlyLookedAtIsNotBegun) {
    AppState state = commandsStateOf("matadd-coalesced");
    const auto standing = [&] {
        const auto all = standingsOf(state.lesson.progress, false);
        return std::ranges::find(all, "matadd-swapped", &LessonStanding::lesson)->answered;
    };
    apply(state, OpenLesson{"matadd-swapped"});
    state.lesson.progress["matadd-swapped"];
    EXPECT_EQ(standing(), "not begun");
    apply(state, GuessAnswer{"4"});
    EXPECT_EQ(standing(), "open");
}

TEST(Commands, WhatGoesWrongIsToldAndEndsNothing) {
    AppState state = commandsStateOf("matadd-coalesced");
    guarded(state, [] { throw std::out_of_range("no such launch"); });
    ASSERT_EQ(state.messages.size(), 1U);
    EXPECT_EQ(state.messages.front().text, "That went wrong: no such launch");
}

TEST(Commands, AFileThatIsTracedAnewLeavesALessonItsLaunch) {
    AppState state = commandsStateOf("matadd-coalesced");
    const Launch own{.grid = {3, 1, 1}, .block = {96, 1, 1}};
    apply(state, OpenProgram{"k.cu"});
    apply(state, ProgramTraced{"k.cu", versionWith(own)});
    EXPECT_EQ(state.view.experiment.launch, own);
    apply(state, OpenLesson{"matadd-swapped"});
    const Experiment ofLesson = state.view.experiment;
    apply(state, ProgramTraced{"k.cu", versionWith(own)});
    EXPECT_EQ(state.view.experiment, ofLesson);
    apply(state, ToggleLessons{});
    EXPECT_EQ(state.view.experiment.launch, own);
}

TEST(Commands, AFileThatIsOpenedInALessonIsShown) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, OpenLesson{"matadd-swapped"});
    apply(state, OpenProgram{"k.cu"});
    EXPECT_TRUE(showsProgram(state));
}

TEST(Commands, AFileThatIsNotThereLeavesTheOpenOneOpen) {
    AppState state = commandsStateOf("warp-grouping");
    apply(state, OpenProgram{"k.cu"});
    auto version = std::make_shared<ProgramVersion>();
    version->lines = {"the text"};
    apply(state, ProgramTraced{"k.cu", version});
    apply(state, OpenProgram{"no/such.cu"});
    EXPECT_EQ(state.program.path, "k.cu");
    EXPECT_EQ(state.program.now, version);
    EXPECT_FALSE(state.program.asking);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages.front().text,
              "Not opened: there is no file no/such.cu; k.cu stays open.");
    apply(state, OpenProgram{std::filesystem::temp_directory_path().string()});
    EXPECT_EQ(state.program.path, "k.cu") << "a folder is no file";
}

TEST(Commands, AFolderIsNotOpenedAndACourseSaysHow) {
    const tests::TemporaryFolder folder;
    AppState state = commandsStateOf("warp-grouping");
    apply(state, AskForProgram{});
    const auto opening = [&] {
        apply(state, OpenProgram{folder.path().string()});
        EXPECT_FALSE(state.program.isOpen());
        EXPECT_TRUE(state.program.asking) << "what was typed stays, to be put right";
        return state.program.problem;
    };
    const std::string refusal = folder.path().string() + " is a folder";
    EXPECT_EQ(opening(), refusal);
    writeFileAtomically(folder.path() / "k.cu", "// scenario A1: k");
    EXPECT_EQ(opening(),
              refusal + "; `warplens " + folder.path().string() + "` opens it as a course");
}

TEST(Commands, ANewFileHasTheNameThatWasTypedUnlessThereIsOne) {
    const tests::TemporaryFolder folder;
    const std::string named = (folder.path() / "q4.cu").string();
    AppState state = commandsStateOf("warp-grouping");
    apply(state, NewProgram{});
    EXPECT_TRUE(state.program.asking) << "for its name";
    EXPECT_FALSE(state.outbox.newProgram);
    EXPECT_TRUE(state.program.proposed.starts_with(std::filesystem::current_path().string()));
    apply(state, NewProgram{named.substr(0, named.size() - 3)});
    EXPECT_EQ(state.outbox.newPath, named);
    apply(state, OutboxTaken{});
    writeFileAtomically(named, "// nothing yet");
    apply(state, NewProgram{named});
    EXPECT_FALSE(state.outbox.newProgram);
    EXPECT_EQ(state.program.problem, named + " is there already: open it");
}

TEST(Commands, AFileThatWasOpenedIsAmongTheRecentOnesTheNewestFirst) {
    const tests::TemporaryFolder folder;
    AppState state = commandsStateOf("warp-grouping");
    std::vector<std::string> paths;
    for (const char* name : {"a.cu", "b.cu"}) {
        paths.push_back((folder.path() / name).string());
        writeFileAtomically(paths.back(), "// nothing yet");
        apply(state, OpenProgram{paths.back()});
    }
    apply(state, OpenProgram{"no/such.cu"});
    EXPECT_EQ(state.recent, (std::vector{paths[1], paths[0]}));
    apply(state, OpenProgram{paths[0]});
    EXPECT_EQ(state.recent, paths);
    EXPECT_EQ(settingsOf(state, 1600, 960).recent, paths);
}

/// A file that is open and edited, whose text is `text`.
AppState editing(const std::string& text) {
    AppState state = commandsStateOf("warp-grouping");
    apply(state, OpenProgram{"k.cu"});
    apply(state, EditProgram{});
    EXPECT_TRUE(state.outbox.readsProgram);
    apply(state, ProgramRead{"k.cu", text});
    apply(state, OutboxTaken{});
    return state;
}

TEST(Editor, TakesWhatAnotherProgramWritesUntilSomethingIsTyped) {
    AppState state = editing("one");
    const ProgramEditor& editor = state.program.editor;
    apply(state, ProgramRead{"k.cu", "two"});
    EXPECT_EQ(editor.text, "two");
    EXPECT_FALSE(editor.isChanged());
    apply(state, UndoTyping{});
    EXPECT_EQ(editor.text, "one");
    apply(state, RedoTyping{});
    apply(state, TypeProgram{"mine"});
    apply(state, ProgramRead{"k.cu", "theirs"});
    EXPECT_EQ(editor.text, "mine");
    EXPECT_EQ(editor.theirs, "theirs");
    apply(state, SaveProgram{});
    EXPECT_FALSE(state.outbox.savesProgram) << "until it is said whose stays";
}

TEST(Editor, LosesNeitherTextWhereBothHaveWritten) {
    for (const bool theirs : {true, false}) {
        AppState state = editing("one");
        const ProgramEditor& editor = state.program.editor;
        apply(state, TypeProgram{"mine"});
        apply(state, ProgramRead{"k.cu", "theirs"});
        apply(state, ResolveEdit{theirs});
        EXPECT_FALSE(editor.theirs);
        EXPECT_EQ(editor.text, theirs ? "theirs" : "mine");
        EXPECT_EQ(state.outbox.savesProgram, !theirs);
        apply(state, UndoTyping{});
        EXPECT_EQ(editor.text, theirs ? "mine" : "theirs");
    }
}

TEST(Editor, KeepsWhatWasNotSavedWhenTheFileIsLeft) {
    AppState state = editing("one");
    apply(state, TypeProgram{"mine"});
    apply(state, CloseProgram{});
    EXPECT_EQ(state.outbox.drafts, (std::map<std::string, std::string>{{"k.cu", "mine"}}));
}

TEST(Editor, UndoesWhatIsTypedInOneGoAtOnce) {
    AppState state = editing("one");
    for (const char* text : {"one t", "one tw", "one two"}) {
        apply(state, TypeProgram{text});
        apply(state, Tick{0.1});
    }
    apply(state, Tick{2});
    apply(state, TypeProgram{"one two three"});
    apply(state, UndoTyping{});
    EXPECT_EQ(state.program.editor.text, "one two");
    apply(state, UndoTyping{});
    EXPECT_EQ(state.program.editor.text, "one");
}

TEST(Editor, SetsLinesInAsTheFileDoes) {
    EXPECT_EQ(indentStep("int main() {  // {\n\n  if (a) {\n      b();\n"), "  ");
    EXPECT_EQ(indentStep("void f()\n{\n\tg();\n}\n"), "\t");
    EXPECT_EQ(indentStep("int a;\n  int b;\n"), "    ");
    EXPECT_EQ(indentBehind("void f() {\n  if (a) {  // it is", "  "), "    ");
    EXPECT_EQ(indentBehind("\tg();  // {", "\t"), "\t");
    EXPECT_EQ(indentOfClosing("  if (a) {\n    for (;;) { b(\"{\"); }\n    "), "  ");
    EXPECT_EQ(indentOfClosing("a;\n    "), std::nullopt);
}

TEST(Editor, HasTheCompilersWordsAtTheirLinesOfWhatIsTypedNow) {
    AppState state = editing("a\nb\nc");
    auto version = std::make_shared<ProgramVersion>();
    version->lines = {"a", "b", "c"};
    version->failure = "k.cu:2: error: no b\n  b\n  ^\nother.h:1: error: no\nk.cu:3:4: error: no c";
    version->failureLine = 2;
    apply(state, ProgramTraced{"k.cu", version});
    const auto marks = editorMarks(state.program, {"new", "a", "b", "c"});
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].line, 3u);
    EXPECT_EQ(marks[0].words, "error: no b");
    EXPECT_EQ(marks[1].line, 4u);
    EXPECT_EQ(marks[1].words, "error: no c");
}

TEST(Editor, TellsWhatIsWrongFromWhatIsOnlyWarnedOf) {
    AppState state = editing("a\nb");
    auto version = std::make_shared<ProgramVersion>();
    version->lines = {"a", "b"};
    for (const auto& [line, kind] :
         {std::pair(1U, FindingKind::neverFreed), std::pair(2U, FindingKind::outOfBounds)}) {
        Finding& finding = version->trace.findings.emplace_back();
        finding.kind = kind;
        finding.place = {"k.cu", line};
    }
    apply(state, ProgramTraced{"k.cu", version});
    const auto marks = editorMarks(state.program, {"a", "b"});
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_TRUE(marks[0].isWarning);
    EXPECT_FALSE(marks[1].isWarning);
}

TEST(Commands, TextsFromElsewhereAreBoundedAndUtf8) {
    AppState state = commandsStateOf("matadd-coalesced");
    apply(state, Report{MessageKind::error, "last words \xff" + std::string(100'000, 'x')});
    EXPECT_LE(state.messages[0].text.size(), 2000u);
    EXPECT_TRUE(state.messages[0].text.starts_with("last words \xef\xbf\xbdxxx"));
    apply(state, EnterNumber{"n", std::string(100'000, 'x')});
    EXPECT_EQ(state.edit.unread.at("n"), std::string(64, 'x'));
    apply(state, Show{.over = std::string(100'000, 'x') + "\xff"});
    EXPECT_LE(state.view.over.size(), 240u);
    apply(state, OpenLesson{"matadd-swapped"});
    apply(state, GuessAnswer{"größergrößergrößergrößer"});
    EXPECT_EQ(progressOf(state).guess, "größergrößergrößer");
    apply(state, ToggleLessons{});
    apply(state, Undo{});
    apply(state, Measure{});
    ASSERT_NE(running(state), nullptr);
    apply(state, WorkerSaid{running(state)->number, Progress{std::string(5000, 's'), 7}});
    EXPECT_EQ(running(state)->stage.size(), 100u);
    EXPECT_EQ(running(state)->fraction, 1);
    apply(state, WorkerSaid{running(state)->number, Progress{"timing", std::nan("")}});
    EXPECT_EQ(running(state)->fraction, 0);
}

}  // namespace
}  // namespace warplens::window
