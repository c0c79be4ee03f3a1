#include "app/window/settings.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "app/window/opening.h"
#include "app/window/state/apply.h"
#include "core/json/json.h"
#include "core/text/files.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace warplens::window {
namespace {

using tests::TemporaryFolder;

Settings sample() {
    Settings settings;
    settings.view = {.experiment = complete({.scenario = "matadd-swapped",
                                             .grid = Extents{3, 2, 1},
                                             .block = Extents{8, 8, 1},
                                             .set = {{"n", 99}}}),
                     .picture = PictureKind::block3d,
                     .block = {2, 1, 0},
                     .warp = WarpRank{1},
                     .array = 2,
                     .step = 3,
                     .tab = RightTab::sweep,
                     .over = "block=256",
                     .below = LowerTab::source,
                     .theme = Theme::light,
                     .textScale = 1.5F};
    settings.hasLaunch = true;
    settings.gridCovers = false;
    settings.stepsPerSecond = 16;
    settings.recent = {"/home/me/own.cu"};
    settings.width = 1234;
    settings.height = 777;
    return settings;
}

TEST(Settings, ComeBackAsTheyWereKept) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "deep" / "settings.json";
    writeSettings(file, sample());
    const SettingsReading reading = readSettings(file);
    EXPECT_EQ(reading.settings, sample());
    EXPECT_EQ(reading.problem, "");
}

TEST(Settings, KeepWhatStandsInTheCells) {
    Settings settings = sample();
    settings.view.numbers = CellNumbers::element;
    EXPECT_EQ(settingsFromJson(toJson(settings)).view.numbers, CellNumbers::element);
}

TEST(Settings, OfVersion020AreReadAsTheyWere) {
    Settings settings = sample();
    settings.recent.clear();
    EXPECT_EQ(
        settingsFromJson(
            R"({"schema": "warplens.settings/1", "version": "0.2.0", "theme": "light", "text_scale": 1.5, "block_view": "3d", "width": 1234, "height": 777, "steps_per_second": 16.0, "right_tab": "sweep", "lower_tab": "source", "sweep_over": "block=256", "places": [], "place": "", "gpu": "", "mode": "explore", "lesson": "", "motion": true, "welcome": true, "lessons": {}, "experiment": {"scenario": "matadd-swapped", "launch": {"grid": [3, 2, 1], "block": [8, 8, 1], "dynamic_shared_bytes": 0}, "arguments": {"n": 99}}, "grid_covers": false, "shown_block": [2, 1, 0], "held_warp": 1, "array": 2, "step": 3})"),
        settings);
}

// A launch with several sizes must be found among the recordings after a restart.
TEST(Settings, KeepEveryScenariosLaunch) {
    for (const Scenario& scenario : allScenarios()) {
        Settings settings = sample();
        settings.view.experiment = initialExperiment(scenario);
        EXPECT_EQ(settingsFromJson(toJson(settings)), settings) << scenario.id;
    }
}

TEST(Settings, AreWhatTheirSchemaDescribes) {
    const TemporaryFolder folder;
    std::string files;
    for (const Settings& settings : {sample(), Settings{}}) {
        const auto file = folder.path() / std::to_string(files.size());
        writeSettings(file, settings);
        files += " " + file.string();
    }
    const int status = std::system(("python3 -B " JUDGE " " SCHEMAS " settings" + files).c_str());
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Settings, KeepEveryView) {
    for (const PictureRow& row : pictures) {
        if (!isInWindow(row)) continue;
        Settings settings = sample();
        settings.view.picture = row.picture;
        EXPECT_EQ(settingsFromJson(toJson(settings)).view, settings.view);
    }
    EXPECT_EQ(fromWord<PictureKind>("time"), PictureKind::times);
    EXPECT_EQ(fromWord<PictureKind>("unheard of"), std::nullopt);
}

TEST(Settings, WithoutAStepAreReadWithoutOneAndThoseOf010AreRefused) {
    const std::string sizes = R"("theme": "dark", "text_scale": 1, "width": 800, "height": 600})";
    const Settings settings = settingsFromJson(R"({"schema": "warplens.settings/1", )" + sizes);
    EXPECT_EQ(settings.view, View{});
    EXPECT_EQ(settings.stepsPerSecond, 4);
    const std::string why = tests::refusal<MalformedJson>(
        [&] { (void)settingsFromJson(R"({"warplens_settings": 1, )" + sizes); });
    EXPECT_EQ(why, "'settings of Warplens 0.1.0', this version reads warplens.settings/1");
}

TEST(Settings, AFileNamedOnTheCommandLineLeavesWhatWasExploredBefore) {
    const TemporaryFolder folder;
    WindowOptions options;
    options.settingsFile = folder.path() / "settings.json";
    writeSettings(options.settingsFile, sample());
    options.program = "own.cu";
    options.view.experiment = initialExperiment(scenarioNamed("warp-grouping"));
    AppState state = openState(options).state;
    EXPECT_EQ(settingsOf(state, 1234, 777).view.experiment, sample().view.experiment);
    apply(state, CloseProgram{});
    EXPECT_EQ(state.view.experiment, sample().view.experiment);
    EXPECT_EQ(state.view.warp, sample().view.warp);
}

TEST(Settings, TheWindowOpensWithTheStepItWasClosedWith) {
    const TemporaryFolder folder;
    WindowOptions options;
    options.settingsFile = folder.path() / "settings.json";
    writeSettings(options.settingsFile, sample());
    const AppState again = openState(options).state;
    View expected = sample().view;
    expected.lesson = "matadd-swapped";  // stands ready
    EXPECT_EQ(again.view, expected);
    EXPECT_EQ(again.playback.stepsPerSecond, 16);
    EXPECT_EQ(settingsOf(again, 1234, 777), sample());

    Settings changed = sample();
    changed.view.block = {9, 9, 9};
    changed.view.warp = WarpRank{31};
    changed.view.array = 40;
    writeSettings(options.settingsFile, changed);
    const View fitted = openState(options).state.view;
    EXPECT_EQ(fitted.block, (Index3{2, 1, 0}));
    EXPECT_FALSE(fitted.warp.has_value());
    EXPECT_FALSE(fitted.array.has_value());

    options.view.experiment = initialExperiment(scenarioNamed("matadd-coalesced"));
    const View other = openState(options).state.view;
    EXPECT_EQ(other.block, Index3{}) << "that is another launch";
    EXPECT_FALSE(other.warp || other.array || other.step);
    options.view.warp = WarpRank{3};
    options.view.step = 3;
    EXPECT_EQ(openState(options).state.view.warp, WarpRank{3});
    EXPECT_EQ(openState(options).state.view.step, 3u);
}

TEST(Settings, AMissingFileIsNoProblem) {
    const TemporaryFolder folder;
    EXPECT_EQ(readSettings(folder.path() / "none.json").problem, "");
    EXPECT_EQ(readSettings({}).problem, "");
}

TEST(Settings, AFileThatIsNotSettingsIsKeptAsideAndNamed) {
    const std::string whole = toJson(sample());
    const std::vector<std::string> bad{
        "",
        "{",
        "nonsense",
        "[]",
        "{}",
        "null",
        whole.substr(0, whole.size() / 2),
        std::string("\0\xff\xfe", 3),
        R"({"warplens_settings": 99})",
        R"({"schema": "warplens.settings/99"})",
        R"({"schema": "warplens.lesson/1"})",
        R"({"schema": "warplens.settings/1", "theme": 5, "text_scale": 1, "width": 1, "height": 1})",
        R"({"schema": "warplens.settings/1", "theme": "dark", "text_scale": 1, "width": 1, "height": 1,
            "grid_covers": true, "experiment": {"scenario": "gone"}})"};
    for (const std::string& text : bad) {
        const TemporaryFolder folder;
        const auto file = folder.path() / "settings.json";
        writeFileAtomically(file, text);
        const SettingsReading reading = readSettings(file);
        EXPECT_EQ(reading.settings, Settings{}) << text;
        EXPECT_NE(reading.problem.find("settings.json.bad"), std::string::npos) << text;
        EXPECT_FALSE(std::filesystem::exists(file));
        EXPECT_EQ(readFile(folder.path() / "settings.json.bad"), text);
    }
}

TEST(Settings, AFolderInThePlaceOfTheFileIsSurvived) {
    const TemporaryFolder folder;
    EXPECT_NE(readSettings(folder.path()).problem, "");
}

TEST(Settings, NumbersOutOfTheirRangeAreBroughtIntoIt) {
    const Settings settings = settingsFromJson(
        R"({"schema": "warplens.settings/1", "theme": "?", "text_scale": 900, "width": -4, "height": 9})");
    EXPECT_EQ(settings.view.theme, Theme::dark);
    EXPECT_EQ(settings.view.textScale, largestTextScale);
    EXPECT_EQ(settings.width, 640);
    EXPECT_EQ(settings.height, 480);
}

TEST(Settings, AnIllegalLaunchComesBackAndIsNotDrawn) {
    Settings settings = sample();
    settings.view.experiment.launch.block = {0, 70000, 1};
    const TemporaryFolder folder;
    WindowOptions options;
    options.settingsFile = folder.path() / "settings.json";
    writeSettings(options.settingsFile, settings);
    const Opening opening = openState(options);
    EXPECT_EQ(opening.state.edit, (Edit{settings.view.experiment, settings.gridCovers}));
    EXPECT_TRUE(validate(opening.state.view.experiment).empty());
}

TEST(Opening, TheCommandLineGoesBeforeTheSettings) {
    const TemporaryFolder folder;
    WindowOptions options;
    options.settingsFile = folder.path() / "settings.json";
    writeSettings(options.settingsFile, sample());
    options.view.theme = Theme::dark;
    options.view.textScale = 2;
    EXPECT_EQ(openState(options).state.view.picture, PictureKind::block3d);
    options.view.picture = PictureKind::slots;
    EXPECT_EQ(openState(options).state.view.picture, PictureKind::slots);
    options.view.picture = PictureKind::threads;
    options.view.experiment =
        complete({.scenario = "warp-grouping", .grid = {}, .block = {}, .set = {}});
    const Opening opening = openState(options);
    EXPECT_EQ(opening.state.view.theme, Theme::dark);
    EXPECT_EQ(opening.state.view.textScale, 2);
    EXPECT_EQ(opening.state.view.picture, PictureKind::threads);
    EXPECT_EQ(opening.state.view.experiment.scenario, "warp-grouping");
    EXPECT_FALSE(opening.state.canMeasure);
}

TEST(Opening, ATextSizeOfTheCommandLineIsKeptForLaterRunsOnlyWhereItIsChangedInTheWindow) {
    const TemporaryFolder folder;
    WindowOptions options;
    options.settingsFile = folder.path() / "settings.json";
    writeSettings(options.settingsFile, sample());
    options.view.textScale = 2;
    AppState state = openState(options).state;
    EXPECT_EQ(state.view.textScale, 2);
    EXPECT_EQ(settingsOf(state, 1234, 777).view.textScale, sample().view.textScale);
    apply(state, Show{.textScale = 1.25F});
    EXPECT_EQ(settingsOf(state, 1234, 777).view.textScale, 1.25F);
}

TEST(Opening, ALessonIsPresentedAtThePageThatIsAskedFor) {
    WindowOptions options;
    options.view.lesson = "shared-banks";
    options.view.mode = Mode::present;
    options.lessonAnswered = true;
    options.lessonPage = 2;
    AppState state = openState(options).state;
    EXPECT_EQ(state.view.mode, Mode::present);
    EXPECT_EQ(state.view.experiment.scenario, "shared-banks");
    EXPECT_TRUE(state.view.step.has_value()) << "that of the page";
    apply(state, StepBack{});
    EXPECT_EQ(state.view.mode, Mode::learn);
    EXPECT_EQ(progressOf(state).page, 2u);
    EXPECT_EQ(progressOf(state).answered, Answered::shown);
    options.lessonPage = 3;
    EXPECT_EQ(openState(options).state.view.experiment.scenario, "shared-banks-padded");
    options.view.lesson = "row-major";
    options.lessonPage = 2;
    EXPECT_EQ(openState(options).state.view.numbers, CellNumbers::element) << "those of the page";
}

TEST(Opening, ALessonThatWasFinishedIsPresentedFromItsQuestionOn) {
    const TemporaryFolder folder;
    WindowOptions options;
    options.settingsFile = folder.path() / "settings.json";
    Settings finished = sample();
    const LessonProgress own{.page = 4, .furthest = 4, .answered = Answered::right};
    finished.progress["shared-banks"] = own;
    writeSettings(options.settingsFile, finished);
    options.view.lesson = "shared-banks";
    options.view.mode = Mode::present;
    AppState state = openState(options).state;
    EXPECT_TRUE(state.present.lesson);
    EXPECT_EQ(progressOf(state).page, 0u);
    EXPECT_TRUE(questionIsOpen(state));
    apply(state, StepBack{});
    EXPECT_EQ(progressOf(state), own);
}

TEST(Opening, AGuessOfTheCommandLineStandsInTheFieldOrIsRefusedInWords) {
    const TemporaryFolder folder;
    WindowOptions options;
    options.settingsFile = folder.path() / "settings.json";
    options.view.lesson = "shared-banks";
    options.lessonGuess = "7";
    const AppState state = openState(options).state;
    EXPECT_EQ(progressOf(state).guess, "7");
    EXPECT_EQ(progressOf(state).tries, 0u) << "it is not handed in";
    const auto next = settingsOf(state, 1600, 960).progress;
    EXPECT_EQ(next.at("shared-banks").guess, "") << "what was not handed in was no answer";
    EXPECT_TRUE(state.messages.empty());

    Settings answered;
    answered.progress["shared-banks"].answered = Answered::shown;
    writeSettings(options.settingsFile, answered);
    const AppState later = openState(options).state;
    ASSERT_EQ(later.messages.size(), 1u);
    EXPECT_NE(later.messages[0].text.find("answered already"), std::string::npos);
}

TEST(Opening, ARecordingThatCouldNotBeReadIsAMessage) {
    WindowOptions options;
    options.library.problems.push_back("x.json: truncated");
    const Opening opening = openState(options);
    ASSERT_EQ(opening.state.messages.size(), 1u);
    EXPECT_NE(opening.state.messages[0].text.find("x.json"), std::string::npos);
}

}  // namespace
}  // namespace warplens::window
