// A person's own file from one version to the next: its launches, findings, lines and what is said
// of them.
#include "app/window/state/program_changes.h"

#include <gtest/gtest.h>

#include "app/drawing/line_meaning.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"
#include "app/window/state/palette.h"
#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens::window {
namespace {

constexpr const char* changedFile = "own.cu";

/// A launch of each of the kernels, in that order, which stores so many sectors on line 2.
std::shared_ptr<ProgramVersion> madeOf(const std::vector<std::string>& kernels,
                                       std::uint64_t sectors = 4) {
    auto version = std::make_shared<ProgramVersion>();
    version->lines = {"one", "two", "three", "four"};
    for (const std::string& kernel : kernels) {
        LaunchReport& launch = version->trace.launches.emplace_back();
        launch.index = static_cast<std::uint32_t>(version->trace.launches.size() - 1);
        launch.kernel = kernel;
        launch.launch = {{4, 1, 1}, {64, 1, 1}};
        ProgramLine& line = launch.lines.emplace_back();
        line.place = {changedFile, 2, 1};
        line.kind = AccessKind::store;
        line.requests = 1;
        line.sectors = sectors;
        line.idealSectors = 4;
    }
    version->trace.exit.status = 0;
    return version;
}

AppState openedWith(std::shared_ptr<const ProgramVersion> version) {
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, OpenProgram{changedFile});
    apply(state, ProgramTraced{changedFile, std::move(version)});
    return state;
}

std::vector<std::string> namesOf(const std::vector<const LaunchReport*>& launches) {
    std::vector<std::string> names;
    for (const LaunchReport* launch : launches) {
        names.push_back(std::to_string(launch->index) + ' ' + launch->kernel);
    }
    return names;
}

std::vector<std::string> wordsIn(const std::vector<const Finding*>& findings) {
    std::vector<std::string> words;
    for (const Finding* finding : findings) words.push_back(finding->words);
    return words;
}

TEST(OpenedProgram, ShowsTheHeaderThatItsKernelsStandInUnlessSomebodyComesBack) {
    const tests::TemporaryFolder folder;
    const std::string main = (folder.path() / "main.cu").string();
    const std::string header = (folder.path() / "field.cuh").string();
    for (const std::string& file : {main, header}) writeFileAtomically(file, "one\n");
    auto version = madeOf({"upwind"}, 32);
    version->trace.program = main;
    version->trace.launches[0].lines[0].place.file = header;
    AppState state = openedWith(madeOf({"fill"}));
    apply(state, OpenProgram{main});
    apply(state, ProgramTraced{main, version});
    EXPECT_EQ(state.program.path, header);
    apply(state, ProgramTraced{header, version});
    EXPECT_EQ(state.program.line, 2U);
    // The palette finds the files of the program by their names.
    apply(state, OpenProgram{main});
    apply(state, ProgramTraced{main, version});
    EXPECT_EQ(state.program.path, main) << "somebody came back to it";
    apply(state, OpenPalette{true});
    apply(state, FilterPalette{"field.cuh"});
    const std::vector<PaletteEntry> entries = paletteEntries(state);
    EXPECT_TRUE(std::ranges::any_of(entries, [&](const PaletteEntry& entry) {
        const auto* const opens = entry.commands.front().as<OpenProgram>();
        return opens != nullptr && opens->path == header;
    }));
}

TEST(ClosedProgram, GivesBackTheLaunchThatWasExplored) {
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, SetBlock{{8, 8, 1}});
    apply(state, ToggleWarp{WarpRank{1}});
    const View explored = state.view;
    apply(state, OpenProgram{changedFile});
    apply(state, ProgramTraced{changedFile, madeOf({"fill"})});
    ASSERT_EQ(state.view.experiment.launch, (Launch{{4, 1, 1}, {64, 1, 1}}));
    const Settings settings = settingsOf(state, 1600, 960);
    EXPECT_EQ(settings.view.experiment, explored.experiment) << "for a session without the file";
    EXPECT_TRUE(settings.gridCovers);
    apply(state, OpenProgram{"another.cu"});
    apply(state, CloseProgram{});
    EXPECT_EQ(state.view.experiment, explored.experiment);
    EXPECT_EQ(state.view.warp, explored.warp);
    EXPECT_TRUE(state.edit.gridCovers);
}

TEST(OpenedExercise, HasNoRemediesUntilItIsDone) {
    const auto writes = [](const std::vector<ProgramWarning>& left) {
        auto version = madeOf({"fill"}, 32);
        version->exercise = ExerciseStanding{"access-stride", left};
        AppState state = openedWith(version);
        EXPECT_EQ(wantedRemedies(state.program).has_value(), left.empty());
        auto found = std::make_shared<ProgramRemedies>();
        found->place = tracedNow(state.program).value();
        found->tried.emplace_back().diff = "+the solution";
        apply(state, RemediesFound{found});
        apply(state, ApplyRemedy{});
        return state.outbox.writesRemedy.has_value();
    };
    EXPECT_FALSE(writes({{"over-budget", {changedFile, 2, 0}, "", "", "more than 4 sectors"}}));
    EXPECT_TRUE(writes({}));
}

using Lines = std::vector<std::string>;

TEST(OpenProgram, WhatIsSaidOfItGoesWithTheNextVersionAndWithAnotherFile) {
    AppState state = openedWith(madeOf({"fill"}));
    const Report said{MessageKind::error, "Not written: it was changed since", true};
    apply(state, said);
    apply(state, Report{MessageKind::error, "No GPU"});
    apply(state, ProgramText{changedFile, std::make_shared<const Lines>(Lines{"a"})});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages.front().text, "No GPU");
    apply(state, said);
    apply(state, CloseProgram{});
    EXPECT_EQ(state.messages.size(), 1u);
}

TEST(OpenProgram, ARemedyIsTakenBackWhileNobodyElseHasChangedTheFile) {
    AppState state = openedWith(madeOf({"fill"}));
    apply(state, RemedyWritten{{changedFile, "a\n", "a\n\tb\r\n"}, false});
    apply(state, ProgramText{changedFile, std::make_shared<const Lines>(Lines{"a", "    b"})});
    EXPECT_TRUE(state.program.takeBack.has_value());
    const auto undoing = [&] { return commandFor(state, {'Z', true, false}, false); };
    EXPECT_TRUE(undoing()->is<TakeRemedyBack>());
    apply(state, EditProgram{true});
    EXPECT_TRUE(undoing()->is<UndoTyping>()) << "of the text that is edited";
    apply(state, EditProgram{false});
    apply(state, ProgramText{changedFile, std::make_shared<const Lines>(Lines{"a", "    c"})});
    EXPECT_FALSE(state.program.takeBack.has_value());
    EXPECT_FALSE(undoing());
}

TEST(OpenProgram, WhereARemedyOrAHandHasMendedTheChosenLineTheNextFaultIsChosen) {
    auto before = madeOf({"fill"});
    for (const std::uint32_t line : {2U, 4U}) {
        Finding& finding = before->trace.findings.emplace_back();
        finding.kind = FindingKind::globalRace;
        finding.kernel = "fill";
        finding.launch = 0;
        finding.place = {changedFile, line, 1};
    }
    auto after = std::make_shared<ProgramVersion>(*before);
    after->trace.findings.erase(after->trace.findings.begin());
    for (const bool isRemedy : {false, true}) {
        AppState state = openedWith(before);
        ASSERT_EQ(state.program.line, 2U);
        if (isRemedy) apply(state, RemedyWritten{{changedFile, "a\n", "b\n"}, false});
        apply(state, ProgramTraced{changedFile, after});
        EXPECT_EQ(state.program.line, 4U);
    }
}

TEST(OpenProgram, BeginsWithTheCostliestLineOfAnyKind) {
    auto version = madeOf({"fill"}, 4);
    version->lines = {"a", "b", "c", "d", "e"};
    std::vector<ProgramLine>& lines = version->trace.launches[0].lines;
    const auto add = [&](std::uint32_t line, AccessKind kind) -> ProgramLine& {
        ProgramLine& added = lines.emplace_back();
        added.place = {changedFile, line, 1};
        added.kind = kind;
        added.requests = 40;
        return added;
    };
    EXPECT_EQ(openedWith(std::make_shared<ProgramVersion>(*version)).program.line, 0u);
    ProgramLine& load = add(3, AccessKind::load);  // no warning: less than twice
    load.sectors = 200;
    load.idealSectors = 160;
    EXPECT_EQ(openedWith(std::make_shared<ProgramVersion>(*version)).program.line, 3u);
    add(4, AccessKind::branch).divergent = 30;
    EXPECT_EQ(openedWith(std::make_shared<ProgramVersion>(*version)).program.line, 4u);
    ProgramLine& banks = add(5, AccessKind::sharedStore);
    banks.wavefronts = 320;
    banks.idealWavefronts = 40;
    EXPECT_EQ(openedWith(std::make_shared<ProgramVersion>(*version)).program.line, 5u);
    Finding& onHost = version->trace.findings.emplace_back();
    onHost.kind = FindingKind::devicePointer;
    onHost.place = {changedFile, 1, 1};
    EXPECT_EQ(openedWith(std::make_shared<ProgramVersion>(*version)).program.line, 1u);
}

TEST(OpenProgram, BeginsWithItsWorstLaunchAndStaysAtTheOneThatIsChosen) {
    auto version = madeOf({"fill", "columns", "rows"}, 4);
    version->trace.launches[1].lines[0].sectors = 32;
    version->trace.launches[2].lines[0].sectors = 8;
    AppState state = openedWith(version);
    EXPECT_EQ(state.program.launch, 1U);
    EXPECT_EQ(state.program.line, 2U);
    apply(state, ChooseProgramLaunch{0});
    apply(state, ProgramTraced{changedFile, std::make_shared<ProgramVersion>(*version)});
    EXPECT_EQ(state.program.launch, 0U);
    Finding& wrong = version->trace.findings.emplace_back();
    wrong.kind = FindingKind::outOfBounds;
    wrong.launch = 2;
    wrong.place = {changedFile, 3, 1};
    const ProgramState faulty = openedWith(version).program;
    EXPECT_EQ(faulty.launch, 2U) << "what is wrong comes before what costs";
    EXPECT_EQ(faulty.line, 3U);
    wrong.kind = FindingKind::neverFreed;
    EXPECT_EQ(openedWith(version).program.launch, 1U);
}

TEST(OpenProgram, BeginsAtTheLineOfTheLaunchThatItIsHeldAgainst) {
    // Costs on lines 2 and 4, most on the one that is given.
    const auto made = [](std::uint32_t worst, const std::string& second) {
        auto version = madeOf({"rows"});
        version->lines = {"head", "int a = in[i];", "}", second};
        std::vector<ProgramLine>& lines = version->trace.launches[0].lines;
        lines.push_back(lines[0]);
        lines[1].place.line = 4;
        lines[worst == 2 ? 0 : 1].sectors = 32;
        return version;
    };
    AppState state = openedWith(made(4, "out[i] = a;"));
    ASSERT_EQ(state.program.line, 4U);
    apply(state, ChooseProgramLine{2});
    apply(state, Pin{PinSlot::a});
    apply(state, CloseProgram{});
    apply(state, OpenProgram{changedFile});
    apply(state, ProgramTraced{changedFile, made(4, "  out[i] = a + 1;")});
    EXPECT_EQ(state.program.line, 2U) << "it reads alike";
    apply(state, CloseProgram{});
    apply(state, OpenProgram{changedFile});
    auto other = made(4, "out[i] = a;");
    other->lines[1] = "int a = in[2 * i];";
    apply(state, ProgramTraced{changedFile, std::move(other)});
    EXPECT_EQ(state.program.line, 4U) << "what costs most";
}

TEST(OpenProgram, TheChosenLineMovesWithWhatIsWrittenAboveIt) {
    AppState state = openedWith(madeOf({"fill"}));
    apply(state, ChooseProgramLine{2});
    auto guarded = madeOf({"fill"});
    guarded->lines.insert(guarded->lines.begin() + 1, "if (i >= n) return;");
    apply(state, ProgramTraced{changedFile, guarded});
    EXPECT_EQ(state.program.line, 3U);
    auto other = madeOf({"fill"});
    other->lines = {"one", "if (i >= n) return;", "other", "three", "four"};
    apply(state, ProgramTraced{changedFile, other});
    EXPECT_EQ(state.program.line, 3U) << "where it was";
    apply(state, ChooseProgramLine{2});
    auto moved = madeOf({"fill"}, 32);
    moved->lines = {"one", "int i = 0;", "other", "out[i] = 0;"};
    moved->trace.launches[0].lines[0].place.line = 4;
    apply(state, ProgramTraced{changedFile, moved});
    EXPECT_EQ(state.program.line, 4U) << "nothing is counted on what took its place";
}

TEST(OpenProgram, GoesToWhatIsWrongNowUnlessALineThatCostsWasPickedSince) {
    auto right = madeOf({"fill"}, 32);
    right->lines = {"head", "out[i] = 0;", "int j = i;", "}"};
    const auto faultyAt = [&](std::uint32_t line) {
        auto version = std::make_shared<ProgramVersion>(*right);
        Finding& wrong = version->trace.findings.emplace_back();
        wrong.kind = FindingKind::outOfBounds;
        wrong.launch = 0;
        wrong.place = {changedFile, line, 1};
        return version;
    };
    AppState state = openedWith(right);
    ASSERT_EQ(state.program.line, 2U);
    apply(state, ProgramTraced{changedFile, faultyAt(3)});
    EXPECT_EQ(state.program.line, 3U);
    apply(state, ChooseProgramLine{.line = 2, .isOfCaret = true});
    apply(state, ProgramTraced{changedFile, faultyAt(3)});
    EXPECT_EQ(state.program.line, 3U) << "the caret was there, where it was edited";
    apply(state, ChooseProgramLine{2});
    apply(state, ProgramTraced{changedFile, faultyAt(3)});
    EXPECT_EQ(state.program.line, 2U) << "it was picked";
    apply(state, ChooseProgramLine{3});
    apply(state, ProgramTraced{changedFile, faultyAt(4)});
    EXPECT_EQ(state.program.line, 4U) << "nothing is to be said of what was picked";
    apply(state, ProgramTraced{changedFile, faultyAt(3)});
    EXPECT_EQ(state.program.line, 3U) << "not since";
    auto other = faultyAt(4);
    other->trace.findings[0].kind = FindingKind::notReached;
    other->trace.findings[0].launch = 1;
    other->trace.launches.push_back(other->trace.launches[0]);
    other->trace.launches[1].index = 1;
    apply(state, ProgramTraced{changedFile, other});
    EXPECT_EQ(state.program.line, 4U) << "also of another launch, and what may be meant";
    EXPECT_EQ(state.program.launch, 1U);
    apply(state, ProgramTraced{changedFile, faultyAt(4)});
    apply(state, ShowFinding{0});
    apply(state, ProgramTraced{changedFile, faultyAt(3)});
    EXPECT_EQ(state.program.line, 3U) << "what was wrong at the picked one is mended";
}

TEST(OpenProgram, BeginsALineOfTwoFaultsWithTheOneThatWasChosenAndItsOwnEdit) {
    auto version = madeOf({"fill"}, 32);
    for (const FindingKind kind : {FindingKind::sharedRace, FindingKind::blockRace}) {
        Finding& wrong = version->trace.findings.emplace_back();
        wrong.kind = kind;
        wrong.launch = 0;
        wrong.place = {changedFile, 2, 1};
    }
    AppState state = openedWith(version);
    ASSERT_EQ(state.program.line, 2U);
    auto remedies = std::make_shared<ProgramRemedies>();
    remedies->place = tracedNow(state.program).value();
    for (const Finding& wrong : version->trace.findings)
        remedies->tried.push_back({.remedy = "use-atomic",
                                   .rule = ruleOf(wrong.kind).id,
                                   .places = {{changedFile, 2, 1}},
                                   .diff = "+"});
    apply(state, RemediesFound{remedies});
    EXPECT_EQ(editOfLine(state.program), 0U) << "in the order of the cards";
    apply(state, ShowFinding{1});
    EXPECT_EQ(findingsHere(state.program).front()->kind, FindingKind::blockRace);
    EXPECT_EQ(editOfLine(state.program), 1U);
    remedies = std::make_shared<ProgramRemedies>(*remedies);
    remedies->tried[1].diff.clear();
    apply(state, RemediesFound{remedies});
    EXPECT_FALSE(editOfLine(state.program)) << "the other one's is none of this fault";
    apply(state, ShowFinding{0});
    EXPECT_EQ(editOfLine(state.program), 0U);
}

TEST(OpenProgram, HasThePictureInPlaceOfTheSourceUntilALineIsChosenOrItIsEdited) {
    AppState state = openedWith(madeOf({"fill"}, 32));
    const auto press = [&](const Action& action) { apply(state, action.command(state)); };
    EXPECT_FALSE(state.program.pictured);
    press(actionOf(PictureKind::block3d));
    EXPECT_TRUE(state.program.pictured);
    apply(state, ChooseProgramLine{1});
    EXPECT_FALSE(state.program.pictured);
    press(actionOf(PictureKind::slots));
    EXPECT_TRUE(state.program.pictured);
    press(actionOf(PictureKind::slots));
    EXPECT_FALSE(state.program.pictured) << "pressed once more";
    press(actionOf(Act::source));
    EXPECT_TRUE(state.program.pictured);
    apply(state, EditProgram{});
    EXPECT_FALSE(state.program.pictured);
}

TEST(OpenProgram, NoLessonIsAboutItAndEscapeLeavesThem) {
    AppState state = openedWith(madeOf({"fill"}));
    apply(state, ToggleLessons{});
    EXPECT_EQ(state.view.mode, Mode::learn);
    EXPECT_EQ(state.view.lesson, "") << "all are listed";
    apply(state, StepBack{});
    EXPECT_EQ(state.view.mode, Mode::explore);
    EXPECT_TRUE(state.program.isOpen());
}

TEST(ProgramVersions, ALaunchThatIsNoLongerMadeIsToldAndItsNeighbourChosen) {
    AppState state = openedWith(madeOf({"fill", "scan", "scan", "sum"}));
    apply(state, ChooseProgramLaunch{2});
    apply(state, ProgramTraced{changedFile, madeOf({"fill", "scan", "sum"})});
    EXPECT_EQ(namesOf(launchesGone(state.program)), (std::vector<std::string>{"2 scan"}));
    EXPECT_EQ(chosenLaunch(state.program)->kernel, "scan") << "the last that is left of its kernel";
    EXPECT_EQ(state.program.launch, 1U);

    apply(state, ProgramTraced{changedFile, madeOf({"fill", "sum"})});
    EXPECT_EQ(namesOf(launchesGone(state.program)), (std::vector<std::string>{"1 scan"}));
    EXPECT_EQ(chosenLaunch(state.program)->kernel, "sum") << "what is in its place";

    apply(state, ProgramTraced{changedFile, madeOf({"fill"})});
    EXPECT_EQ(state.program.launch, 0U);
    EXPECT_EQ(namesOf(launchesGone(state.program)), (std::vector<std::string>{"1 sum"}));
    apply(state, ProgramTraced{changedFile, madeOf({"fill"})});
    EXPECT_TRUE(launchesGone(state.program).empty()) << "against the version before alone";
}

TEST(ProgramVersions, OneWithNoneOfTheKernelsIsAnotherProgramAsIsWhatANewFileBeginsWith) {
    auto first = madeOf({"twice"});
    first->trace.findings.emplace_back().words = "a[64] of 64";
    AppState state = openedWith(first);
    state.map.area.width = 700;
    state.map.area.height = 500;
    apply(state, ZoomMap{3});
    apply(state, ChooseBlock{{2, 0, 0}});
    apply(state, ProgramTraced{changedFile, madeOf({"scan", "sum"})});
    EXPECT_TRUE(launchesGone(state.program).empty());
    EXPECT_TRUE(findingChangesOf(state.program).gone.empty());
    EXPECT_TRUE(changesOf(state.program).empty());
    // It is looked at from its beginning, as another launch is.
    EXPECT_EQ(state.view.map, MapFollows::block);
    EXPECT_EQ(state.view.block, (Index3{}));
    apply(state, ZoomMap{3});
    apply(state, ChooseBlock{{2, 0, 0}});
    apply(state, ProgramTraced{changedFile, madeOf({"scan", "sum"})});
    EXPECT_EQ(state.view.block, (Index3{2, 0, 0})) << "the same one stays as it is looked at";
    EXPECT_EQ(state.view.map, MapFollows::nothing);
    apply(state, ChooseProgramLaunch{1});
    EXPECT_EQ(state.view.block, (Index3{}));
    EXPECT_EQ(state.view.map, MapFollows::block);
}

TEST(ProgramVersions, AreComparedLaunchByLaunchOfOneKernelHoweverManyComeBefore) {
    AppState state = openedWith(madeOf({"scan", "sum"}, 4));
    apply(state, ChooseProgramLaunch{1});
    auto more = madeOf({"fill", "scan", "sum"}, 4);
    more->trace.launches[2].lines[0].sectors = 32;
    apply(state, ProgramTraced{changedFile, more});
    EXPECT_EQ(state.program.launch, 2U) << "the same launch as before";
    const auto changes = changesOf(state.program);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].what, "Sectors");
    EXPECT_EQ(changes[0].before, 4);
    EXPECT_EQ(changes[0].now, 32);
    EXPECT_TRUE(launchesGone(state.program).empty());
}

TEST(ProgramVersions, AVersionThatDoesNotCompileTakesNothingAway) {
    AppState state = openedWith(madeOf({"fill", "scan"}));
    apply(state, ChooseProgramLaunch{1});
    auto broken = std::make_shared<ProgramVersion>();
    broken->failure = "own.cu:1: error";
    apply(state, ProgramTraced{changedFile, broken});
    EXPECT_TRUE(launchesGone(state.program).empty());
    EXPECT_TRUE(findingChangesOf(state.program).gone.empty());
    apply(state, ProgramTraced{changedFile, madeOf({"fill", "scan"})});
    EXPECT_EQ(state.program.launch, 1U);
    EXPECT_TRUE(launchesGone(state.program).empty());
}

TEST(ProgramVersions, FindingsThatWentAreToldAsAreThoseThatCame) {
    const auto finding = [](FindingKind kind, const char* words) {
        Finding made;
        made.kind = kind;
        made.words = words;
        made.place = {changedFile, 2, 1};
        return made;
    };
    auto first = madeOf({"fill"});
    first->trace.findings = {finding(FindingKind::neverFreed, "a is never freed"),
                             finding(FindingKind::outOfBounds, "a[64] of 64")};
    AppState state = openedWith(first);
    EXPECT_TRUE(findingChangesOf(state.program).come.empty()) << "there was no run before";
    auto second = madeOf({"fill"});
    second->trace.findings = {finding(FindingKind::sharedRace, "two threads write s[0]"),
                              finding(FindingKind::neverFreed, "a is never freed")};
    second->trace.findings[1].place.line = 3;  // it has moved
    apply(state, ProgramTraced{changedFile, second});
    FindingChanges changes = findingChangesOf(state.program);
    EXPECT_EQ(wordsIn(changes.gone), (std::vector<std::string>{"a[64] of 64"}));
    EXPECT_EQ(wordsIn(changes.come), (std::vector<std::string>{"two threads write s[0]"}));

    // Where no launch was made there are findings all the same.
    auto refused = madeOf({});
    refused->trace.findings = {finding(FindingKind::launchRefused, "2048 threads")};
    apply(state, ProgramTraced{changedFile, refused});
    apply(state, ProgramTraced{changedFile, madeOf({"fill"})});
    EXPECT_EQ(wordsIn(findingChangesOf(state.program).gone),
              (std::vector<std::string>{"2048 threads"}));

    auto ended = madeOf({"fill"});
    ended->trace.exit.stopped = "it was cancelled";
    apply(state, ProgramTraced{changedFile, second});
    apply(state, ProgramTraced{changedFile, ended});
    EXPECT_TRUE(findingChangesOf(state.program).gone.empty()) << "nobody knows what it would find";
}

TEST(ProgramVersions, AFindingIsNotGoneWhereTheLaunchIsAnotherOne) {
    Finding race;
    race.kind = FindingKind::blockRace;
    race.words = "store to b[0], which block (1, 0, 0) writes too";
    race.kernel = "count";
    auto first = madeOf({"count"});
    first->trace.findings = {race};
    AppState state = openedWith(first);
    auto oneBlock = madeOf({"count"});
    oneBlock->trace.launches[0].launch.grid = {1, 1, 1};
    apply(state, ProgramTraced{changedFile, oneBlock});
    EXPECT_TRUE(findingChangesOf(state.program).gone.empty());
    EXPECT_EQ(wordsIn(findingChangesOf(state.program).notTried), std::vector{race.words});

    apply(state, ProgramTraced{changedFile, first});
    apply(state, ProgramTraced{changedFile, madeOf({"other"})});
    EXPECT_TRUE(findingChangesOf(state.program).gone.empty()) << "its kernel is launched no more";

    apply(state, ProgramTraced{changedFile, first});
    apply(state, ProgramTraced{changedFile, madeOf({"count", "other"})});
    EXPECT_EQ(wordsIn(findingChangesOf(state.program).gone), std::vector{race.words});
    EXPECT_TRUE(findingChangesOf(state.program).notTried.empty());

    // What is wrong with a launch is mended by another one.
    race.kind = FindingKind::launchRefused;
    auto refused = madeOf({});
    refused->trace.findings = {race};
    apply(state, ProgramTraced{changedFile, refused});
    apply(state, ProgramTraced{changedFile, madeOf({"count"})});
    EXPECT_EQ(findingChangesOf(state.program).gone.size(), 1U);

    // As is what no thread of it reached.
    race.kind = FindingKind::notReached;
    first->trace.findings = {race};
    apply(state, ProgramTraced{changedFile, first});
    apply(state, ProgramTraced{changedFile, oneBlock});
    EXPECT_EQ(findingChangesOf(state.program).gone.size(), 1U);
    EXPECT_TRUE(findingChangesOf(state.program).notTried.empty());
    // But not where the program says itself that it is wrong: another index may hide it.
    apply(state, ProgramTraced{changedFile, first});
    auto failing = madeOf({"count"});
    failing->trace.exit.status = 1;
    apply(state, ProgramTraced{changedFile, failing});
    EXPECT_TRUE(findingChangesOf(state.program).gone.empty());
    EXPECT_EQ(findingChangesOf(state.program).notTried.size(), 1U);
}

TEST(ProgramVersions, AMistakeThatOtherWordsTellIsNeitherGoneNorNew) {
    Finding unwritten;
    unwritten.kind = FindingKind::unwrittenMemory;
    unwritten.words = "load from bins[7], which nobody has written: no copy, no kernel";
    unwritten.kernel = "count";
    auto first = madeOf({"count"});
    first->trace.findings = {unwritten};
    AppState state = openedWith(first);
    auto second = madeOf({"count"});
    second->trace.findings = {unwritten};
    second->trace.findings[0].words = "atomic on bins[7], which nobody has written: no copy";
    apply(state, ProgramTraced{changedFile, second});
    EXPECT_TRUE(findingChangesOf(state.program).gone.empty());
    EXPECT_TRUE(findingChangesOf(state.program).come.empty());

    // Which of its elements is read first is left to chance; another array is another mistake.
    second = madeOf({"count"});
    second->trace.findings = {unwritten};
    second->trace.findings[0].words = "load from bins[6], which nobody has written: no copy";
    apply(state, ProgramTraced{changedFile, second});
    EXPECT_TRUE(findingChangesOf(state.program).gone.empty());
    EXPECT_TRUE(findingChangesOf(state.program).come.empty());
    second = madeOf({"count"});
    second->trace.findings = {unwritten};
    second->trace.findings[0].words = "load from keys[7], which nobody has written: no copy";
    apply(state, ProgramTraced{changedFile, second});
    EXPECT_EQ(findingChangesOf(state.program).gone.size(), 1U);
    EXPECT_EQ(findingChangesOf(state.program).come.size(), 1U);
}

TEST(ProgramVersions, OfTwoRacesTheOneBetweenLinesThatStillRaceIsNotGone) {
    const auto race = [](std::uint32_t line, std::uint32_t other, const char* words) {
        Finding made;
        made.kind = FindingKind::sharedRace;
        made.kernel = "hist";
        made.place = {changedFile, line, 1};
        made.otherLine = other;
        made.words = words;
        return made;
    };
    auto first = madeOf({"hist"});
    first->trace.findings = {race(2, 2, "load from shared s[0], which thread (1, 0, 0) changes"),
                             race(3, 2, "load from shared s[1], which thread (2, 0, 0) writes")};
    AppState state = openedWith(first);
    // The element that is told is now the one that the other race was told of.
    auto second = madeOf({"hist"});
    second->lines = {"zero", "one", "two, by an atomic", "three", "four"};
    second->trace.findings = {race(4, 3, "load from shared s[0], which others change")};
    apply(state, ProgramTraced{changedFile, second});
    FindingChanges changes = findingChangesOf(state.program);
    EXPECT_EQ(wordsIn(changes.gone), std::vector{first->trace.findings[0].words});
    EXPECT_TRUE(changes.come.empty());

    // The reverse; and what both lines of a race say of each other is one race.
    auto third = madeOf({"hist"});
    third->lines = {"zero", "one", "two", "wait", "three", "four"};
    third->trace.findings = {race(3, 3, "load from shared s[1], which thread (1, 0, 0) changes")};
    apply(state, ProgramTraced{changedFile, first});
    apply(state, ProgramTraced{changedFile, third});
    changes = findingChangesOf(state.program);
    EXPECT_EQ(wordsIn(changes.gone), std::vector{first->trace.findings[1].words});
    EXPECT_TRUE(changes.come.empty());
    auto fourth = madeOf({"hist"});
    fourth->trace.findings = {race(2, 3, "store to shared s[9], which thread (3, 0, 0) reads")};
    apply(state, ProgramTraced{changedFile, first});
    apply(state, ProgramTraced{changedFile, fourth});
    changes = findingChangesOf(state.program);
    EXPECT_EQ(wordsIn(changes.gone), std::vector{first->trace.findings[0].words});
    EXPECT_TRUE(changes.come.empty());
}

TEST(ProgramVersions, LessIsNoGainWhereTheLaunchIsAnotherOneAndStoresLess) {
    const auto storing = [](std::uint64_t bytes, Extents grid, std::uint64_t sectors) {
        auto version = madeOf({"copy"}, sectors);
        version->trace.launches[0].launch.grid = grid;
        version->trace.launches[0].lines[0].uniqueBytes = bytes;
        return version;
    };
    // 992 of 1,000 elements: the grid no longer covers them.
    AppState state = openedWith(storing(4000, {4, 1, 1}, 128));
    apply(state, ProgramTraced{changedFile, storing(3968, {31, 1, 1}, 124)});
    std::vector<VersionChange> changes = changesOf(state.program);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].what, "Sectors");
    EXPECT_FALSE(changes[0].sameWork);
    EXPECT_EQ(changes[1].what, "Bytes stored");
    EXPECT_EQ(changes[1].now, 3968U);
    // A quarter of the threads, four elements each.
    apply(state, ProgramTraced{changedFile, storing(3968, {1, 1, 1}, 120)});
    changes = changesOf(state.program);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_TRUE(changes[0].sameWork);
    // The same launch, which needs to store less.
    apply(state, ProgramTraced{changedFile, storing(1984, {1, 1, 1}, 62)});
    EXPECT_TRUE(changesOf(state.program).front().sameWork);
    // The same launch, which stores what it had left out.
    apply(state, ProgramTraced{changedFile, storing(3968, {1, 1, 1}, 120)});
    EXPECT_FALSE(changesOf(state.program).front().sameWork);
    // Of launches that store nothing, those of as many threads.
    apply(state, ProgramTraced{changedFile, storing(0, {4, 1, 1}, 8)});
    apply(state, ProgramTraced{changedFile, storing(0, {2, 1, 1}, 4)});
    EXPECT_FALSE(changesOf(state.program).front().sameWork);
}

TEST(ProgramVersions, AreJudgedByWhatIsBetterAndItsPrice) {
    auto before = madeOf({"turn"}, 32);
    auto now = madeOf({"turn"}, 4);
    LaunchReport& launch = now->trace.launches[0];
    ProgramLine& shared = launch.lines.emplace_back();
    shared.kind = AccessKind::sharedLoad;
    shared.requests = shared.wavefronts = shared.idealWavefronts = 3;
    launch.lines[0].requests = 2;
    ProgramLine& tail = launch.lines.emplace_back();
    tail.kind = AccessKind::branch;
    tail.isGuard = true;
    tail.requests = 100;
    tail.divergent = 6;
    AppState state = openedWith(before);
    apply(state, ProgramTraced{changedFile, now});
    const std::vector<VersionChange> changes = changesOf(state.program);
    ASSERT_EQ(changes.size(), 3U) << "a guard that seldom parts a warp costs nothing";
    for (const VersionChange& change : changes)
        EXPECT_EQ(change.isWaste, change.what == "Sectors") << change.what;
    EXPECT_EQ(verdictOf(state.program, changes),
              "Better: 28 fewer sectors; its price: 1 more request, 3 more shared wavefronts. No "
              "line costs more than it must.");
    auto little = std::make_shared<ProgramVersion>(*now);
    little->trace.launches[0].lines[0].sectors = 5;
    AppState left = openedWith(before);
    apply(left, ProgramTraced{changedFile, little});
    EXPECT_TRUE(verdictOf(left.program, changesOf(left.program))
                    .ends_with(". No line breaks a rule; line 2 could take 2.00 sectors a request "
                               "at best, and takes 2.50."));
    AppState back = openedWith(now);
    apply(back, ProgramTraced{changedFile, before});
    EXPECT_EQ(verdictOf(back.program, changesOf(back.program)).substr(0, 62),
              "Worse: 28 more sectors; it has 1 fewer request, 3 fewer shared");
    // Fewer requests alone are no gain; what moved from one array to another is told.
    auto in = std::make_shared<ProgramVersion>(*before);
    ProgramLine& load = in->trace.launches[0].lines.emplace_back(in->trace.launches[0].lines[0]);
    load.kind = AccessKind::load;
    load.array = "in";
    load.sectors = 4;
    auto out = std::make_shared<ProgramVersion>(*in);
    std::swap(out->trace.launches[0].lines[0].sectors, out->trace.launches[0].lines.back().sectors);
    --out->trace.launches[0].lines.back().requests;
    AppState moved = openedWith(in);
    apply(moved, ProgramTraced{changedFile, out});
    EXPECT_TRUE(verdictOf(moved.program, changesOf(moved.program))
                    .starts_with("As many sectors in all: 36; in takes now what "))
        << verdictOf(moved.program, changesOf(moved.program));
    ++out->trace.launches[0].lines.back().requests;
    AppState still = openedWith(in);
    apply(still, ProgramTraced{changedFile, out});
    EXPECT_TRUE(changesOf(still.program).empty());
    EXPECT_TRUE(verdictOf(still.program, {}).starts_with("As many sectors in all: 36; in takes"));
    auto wrong = std::make_shared<ProgramVersion>(*now);
    wrong->trace.findings.emplace_back().kind = FindingKind::sharedRace;
    EXPECT_EQ(verdictOf(openedWith(wrong).program, changes),
              "What it costs counts once nothing is wrong: race in shared memory is to be mended "
              "first.");
    // Of branches alone nobody knows what they are worth.
    EXPECT_TRUE(verdictOf(state.program, {{"Divergent branches", 9, 4}})
                    .starts_with("Memory costs the same; 5 fewer divergent branches."));
    // What lanes meet by the data of is no fault, and is told where a number beside it says so.
    auto byData = std::make_shared<ProgramVersion>(*now);
    ProgramLine& counted = byData->trace.launches[0].lines.emplace_back();
    counted.place = {changedFile, 3, 1};
    counted.kind = AccessKind::sharedAtomic;
    counted.requests = 2;
    counted.wavefronts = 5;
    counted.idealWavefronts = 2;
    EXPECT_EQ(leftInWords(byData->trace.launches[0]).find("data"), std::string::npos);
    counted.decidedBy = CostDecider::data;
    EXPECT_TRUE(leftInWords(byData->trace.launches[0])
                    .ends_with("line 3 takes 2.50 wavefronts a request because of its data, which "
                               "is no fault."))
        << leftInWords(byData->trace.launches[0]);
    // What mends a fault may cost more, and is no loss.
    auto racing = std::make_shared<ProgramVersion>(*before);
    racing->trace.findings = wrong->trace.findings;
    AppState mended = openedWith(racing);
    apply(mended, ProgramTraced{changedFile, now});
    EXPECT_TRUE(verdictOf(mended.program, changesOf(mended.program))
                    .starts_with("No fault is left; its price: 1 more request, 3 more shared "
                                 "wavefronts; it has 28 fewer sectors. "));
    EXPECT_TRUE(verdictOf(mended.program, {{"Sectors", 9, 6}})
                    .starts_with("No fault is left; it has 3 fewer sectors. "));
}

ProgramExit endedBy(const char* signal, const char* stopped) {
    ProgramExit exit;
    exit.signal = signal;
    exit.stopped = stopped;
    return exit;
}

TEST(ProgramWithoutLaunch, SaysWhatWasTheCase) {
    ProgramTrace trace;
    trace.exit.status = 0;
    EXPECT_EQ(whyWithout("a launch", trace), "The program ended without a launch.");
    trace.exit.status = 2;
    EXPECT_EQ(whyWithout("this launch", trace), "The program returned 2 before this launch.");
    trace.exit = endedBy("SIGSEGV", "");
    EXPECT_EQ(whyWithout("a launch", trace), "The program was ended by SIGSEGV before a launch.");
    trace.exit = endedBy("SIGKILL", "it was cancelled");
    EXPECT_EQ(whyWithout("a launch", trace), "The run was stopped before a launch.");
    trace.exit = endedBy("SIGKILL", "it took longer than 60 s");
    EXPECT_EQ(whyWithout("a launch", trace),
              "The run was ended before a launch: it took longer than 60 s.");
    trace.exit = {};
    trace.findings.resize(1);
    trace.findings[0].kind = FindingKind::notSupported;
    EXPECT_EQ(whyWithout("a launch", trace),
              "The program was not run: it uses what cannot be traced.");
    trace.exit.status = 0;
    trace.findings[0].kind = FindingKind::launchRefused;
    EXPECT_EQ(whyWithout("a launch", trace), "CUDA refuses the launch: nothing of it runs.");
}

TEST(ProgramThatDoesNotCompile, SaysFirstWhatIsMissing) {
    const std::string linked =
        "/usr/bin/ld: /usr/lib/x86_64-linux-gnu/crt1.o: in function `_start':\n"
        "(.text+0x1b): undefined reference to `main'\ncollect2: error: ld returned 1 exit status";
    EXPECT_EQ(errorsIn(linked), std::vector<std::string_view>{"undefined reference to `main'"});
    EXPECT_EQ(errorHint(linked), "There is no main: a program begins at int main().");
    const std::string_view compiled = "k.cu(3): error: expected a \";\"\n  int t\n      ^";
    EXPECT_EQ(errorsIn(compiled), std::vector{compiled.substr(0, compiled.find('\n'))});
    EXPECT_TRUE(errorHint(compiled).starts_with("A ; is often missing"));
    EXPECT_TRUE(errorHint("undefined reference to `f(int)'").starts_with("It is used, but"));
    EXPECT_TRUE(errorsIn("no such file").empty());
    const std::string atomic =
        "k.cu:3: error: no instance of overloaded function \"atomicAdd\" matches the argument "
        "list\n"
        "            argument types are: (";
    EXPECT_TRUE(errorHint(atomic + "int, int)").starts_with("An atomic takes an address: put &"));
    EXPECT_EQ(errorHint(atomic + "char *, char)"), "") << "it is one";
    EXPECT_EQ(errorHint("k.cu(3): error: x is undefined"), "");
}

TEST(ProgramText, ANewTextStandsAtOnceWithTheNumbersOfLinesThatAreTheSame) {
    AppState state = openedWith(madeOf({"fill"}));
    EXPECT_EQ(shownText(state.program).traced, (std::vector<std::uint32_t>{1, 2, 3, 4}));
    const auto read = [&](std::vector<std::string> lines) {
        apply(state, ProgramText{changedFile, std::make_shared<const std::vector<std::string>>(
                                                  std::move(lines))});
        return shownText(state.program);
    };
    const ShownText more = read({"one", "new", "newer", "two", "three", "four"});
    EXPECT_EQ(state.program.stage, "compiling") << "its numbers are not there yet";
    EXPECT_EQ(more.lines[1], "new");
    EXPECT_EQ(more.traced, (std::vector<std::uint32_t>{1, 0, 0, 2, 3, 4}));
    EXPECT_EQ(read({"one", "four"}).traced, (std::vector<std::uint32_t>{1, 4}));
    EXPECT_EQ(read({"one", "2", "three", "four"}).traced, (std::vector<std::uint32_t>{1, 0, 3, 4}));
    // A line that was written twice is one of the traced text only once.
    EXPECT_EQ(read({"one", "two", "two", "three", "four"}).traced,
              (std::vector<std::uint32_t>{1, 2, 0, 3, 4}));
    EXPECT_TRUE(read({}).traced.empty());
    apply(state, ProgramText{"another.cu", nullptr});
    EXPECT_TRUE(shownText(state.program).lines.empty()) << "of a file that is not open";
    apply(state, ProgramTraced{changedFile, madeOf({"fill"})});
    EXPECT_EQ(shownText(state.program).lines.size(), 4U);
}

/// So many requests, which ask for so many sectors or wavefronts, or part so often; four each would
/// do, one in shared memory.
ProgramLine accessesOf(AccessKind kind, std::uint64_t requests, std::uint64_t units) {
    ProgramLine line;
    line.place = {changedFile, 7, 1};
    line.kind = kind;
    line.requests = requests;
    if (kind == AccessKind::branch) {
        line.divergent = units;
    } else if (kind == AccessKind::sharedLoad || kind == AccessKind::sharedStore) {
        line.wavefronts = units;
        line.idealWavefronts = requests;
    } else {
        line.sectors = units;
        line.idealSectors = 4 * requests;
    }
    return line;
}

std::string meaningOf(std::vector<ProgramLine> lines) {
    // What another line, file or source says is nothing of it.
    for (const SourcePlace& place :
         {SourcePlace{changedFile, 8, 1}, SourcePlace{"other.h", 7, 1}}) {
        lines.push_back(accessesOf(AccessKind::load, 1, 32));
        lines.back().place = place;
    }
    lines.push_back(accessesOf(AccessKind::load, 1, 32));
    lines.back().source = Source::counted;
    LaunchReport launch;
    launch.lines = std::move(lines);
    return meaningOfLine(launch, changedFile, 7);
}

TEST(MeaningOfLine, PraisesNothingOfALineWithAFinding) {
    LaunchReport launch;
    launch.lines = {accessesOf(AccessKind::load, 2, 8), accessesOf(AccessKind::sharedLoad, 2, 2)};
    EXPECT_EQ(meaningOfLine(launch, changedFile, 7, true), "");
    EXPECT_NE(meaningOfLine(launch, changedFile, 7, false), "");
    launch.lines.push_back(accessesOf(AccessKind::store, 1, 32));
    EXPECT_EQ(meaningOfLine(launch, changedFile, 7, true),
              "The stores of a warp access bytes that lie in 32.00 sectors of 32 bytes; side by "
              "side they would lie in 4.00.");

    ProgramTrace trace;
    trace.findings.resize(3);
    trace.findings[0].place = {"./own.cu", 7, 1};
    trace.findings[1].place = {changedFile, 8, 1};
    trace.findings[2].place = {"other.h", 7, 1};
    EXPECT_EQ(findingsAt(trace, changedFile, 7),
              std::vector<const Finding*>{trace.findings.data()});
}

TEST(MeaningOfLine, TellsOfConstantMemoryWhenItIsGoodToo) {
    ProgramLine constant = accessesOf(AccessKind::sharedLoad, 2, 2);
    constant.kind = AccessKind::constantLoad;
    EXPECT_EQ(meaningOf({constant}),
              "Of constant memory all lanes of a warp ask for one address: one turn.");
    constant.wavefronts = 64;
    EXPECT_EQ(meaningOf({constant}),
              "The lanes of a warp ask constant memory for 32 different addresses, which it serves "
              "one after the other: 32 turns.");
    constant.array = "tariff";
    constant.wavefronts = 47;
    ProgramLine one = constant;
    one.array = "weekday";
    one.wavefronts = 2;
    EXPECT_EQ(meaningOf({constant, one}),
              "Of tariff the lanes of a warp ask constant memory for 23.5 different addresses, "
              "which it serves one after the other: 23.5 turns.");
}

TEST(MeaningOfLine, TellsOfPathsBeforeWhatTheyMakeItsAccessesCost) {
    ProgramLine load = accessesOf(AccessKind::load, 40, 160);
    load.idealSectors = 80;
    load.activeLanes = 40 * 16;
    load.address = AddressFormula{.thread = {4, 0, 0}};
    ProgramLine branch = accessesOf(AccessKind::branch, 2, 2);
    branch.lanes = DivergingLanes{.oneWay = 0xaaaaaaaa, .otherWay = 0x55555555};
    const ProgramLine loop = accessesOf(AccessKind::branch, 40, 0);
    EXPECT_EQ(meaningOf({load, branch, loop}),
              "In 2 of 2 cases some lanes of the warp go one way and some the other; the paths run "
              "one after the other. The lanes of a warp access bytes that lie in 4.00 sectors of "
              "32 bytes; side by side they would lie in 2.00.");
    LaunchReport launch;
    launch.lines = {load, branch, loop};
    EXPECT_FALSE(worstAccessOfLine(launch, changedFile, 7)) << "no goal to reach in memory";
    launch.lines[1].divergent = 0;
    EXPECT_TRUE(worstAccessOfLine(launch, changedFile, 7));
}

TEST(MeaningOfLine, SpeaksOfEveryKindOfAccessOnTheLine) {
    const ProgramLine load = accessesOf(AccessKind::load, 2, 8);
    const ProgramLine store = accessesOf(AccessKind::store, 2, 8);
    const ProgramLine strided = accessesOf(AccessKind::store, 2, 64);
    EXPECT_EQ(meaningOf({load, store}), "The lanes' bytes lie in as few sectors as they can.");
    LaunchReport launch;
    launch.lines = {load, strided, accessesOf(AccessKind::sharedLoad, 2, 64)};
    EXPECT_EQ(worstAccessOfLine(launch, changedFile, 7).value().kind, AccessKind::store);
    launch.lines[1] = store;
    EXPECT_EQ(worstAccessOfLine(launch, changedFile, 7).value().kind, AccessKind::sharedLoad);
    launch.lines.pop_back();
    EXPECT_FALSE(worstAccessOfLine(launch, changedFile, 7));
    ProgramLine rows = accessesOf(AccessKind::load, 2, 64);
    rows.array = "a";
    launch.lines = {load, rows};
    EXPECT_EQ(worstAccessOfLine(launch, changedFile, 7).value().array, "a") << "of two loads";
    EXPECT_EQ(meaningOf({strided}),
              "The lanes of a warp access bytes that lie in 32.00 sectors of 32 bytes; side by "
              "side they would lie in 4.00.");
    EXPECT_EQ(meaningOf({load, strided}),
              "The stores of a warp access bytes that lie in 32.00 sectors of 32 bytes; side by "
              "side they would lie in 4.00. The bytes of its loads lie in as few sectors as they "
              "can.");
    EXPECT_EQ(meaningOf({accessesOf(AccessKind::load, 2, 64), store}),
              "The loads of a warp access bytes that lie in 32.00 sectors of 32 bytes; side by "
              "side they would lie in 4.00. The bytes of its stores lie in as few sectors as "
              "they can.");
    const ProgramLine conflicts = accessesOf(AccessKind::sharedStore, 2, 64);
    EXPECT_EQ(meaningOf({store, conflicts}),
              "Lanes want different words of the same bank of shared memory, one after the other: "
              "32.00 wavefronts a request. The lanes' bytes lie in as few sectors as they can.");
    EXPECT_EQ(meaningOf({conflicts, accessesOf(AccessKind::sharedLoad, 2, 2)}),
              "In its stores lanes want different words of the same bank of shared memory, one "
              "after the other: 32.00 wavefronts a request. In its loads no two lanes want "
              "different words of one bank of shared memory.");
    EXPECT_EQ(meaningOf({accessesOf(AccessKind::branch, 4, 0)}),
              "All lanes of each warp go the same way here.");
    EXPECT_EQ(meaningOf({accessesOf(AccessKind::branch, 4, 3), store}),
              "In 3 of 4 cases some lanes of the warp go one way and some the other; the paths run "
              "one after the other. The lanes' bytes lie in as few sectors as they can.");
    ProgramLine compiled = load;
    compiled.source = Source::compiled;
    EXPECT_EQ(meaningOf({accessesOf(AccessKind::branch, 4, 3), compiled}),
              "In 3 of 4 cases some lanes of the warp go one way and some the other, as it is "
              "written; compiled, no branch here diverges.");
    ProgramLine atomic = accessesOf(AccessKind::atomic, 1, 1);
    atomic.mostSameAddress = 32;
    EXPECT_EQ(meaningOf({atomic}),
              "Up to 32 lanes of a warp change one address: they come one after the other.");
    EXPECT_EQ(meaningOf({atomic, load}),
              "Up to 32 lanes of a warp change one address: they come one after the other. The "
              "bytes of its loads lie in as few sectors as they can.");
    ProgramLine counted = accessesOf(AccessKind::sharedAtomic, 2, 2);
    counted.mostSameAddress = 1;
    counted.isJoined = true;
    EXPECT_EQ(
        meaningOf({counted}),
        "In shared memory lanes that add 1 to one address do not wait for each other: the compiled "
        "code counts them, and adds their number once. In global memory they do so only where the "
        "compiler sees that all have one address; else they wait. No two lanes want different "
        "words of one bank of shared memory.");
}

TEST(FindingsByCause, OneMissingBarrierIsOneCause) {
    const auto finding = [](FindingKind kind, std::uint32_t line,
                            std::optional<std::uint32_t> other, const std::string& words) {
        Finding made;
        made.kind = kind;
        made.kernel = "k";
        made.place = {"a.cu", line, 1};
        made.otherLine = other;
        made.words = words;
        made.isWrittenLater = words.ends_with("later");
        return made;
    };
    const std::vector<std::vector<std::size_t>> causes = findingsByCause(
        {finding(FindingKind::sharedRace, 6, 9, "store to shared t[1][0], which ..."),
         finding(FindingKind::sharedRace, 9, 6, "load from shared t[0][1], which ..."),
         finding(FindingKind::sharedRace, 9, 12, "load from shared t[0][1], which ..."),
         finding(FindingKind::sharedRace, 6, 9, "store to shared u[1], which ..."),
         finding(FindingKind::uninitialisedShared, 9, {}, "load from shared t[1][0], ... later"),
         finding(FindingKind::outOfBounds, 9, {}, "load from t[4096]"),
         // What is never given a value needs one, not a barrier, and that once.
         finding(FindingKind::uninitialisedShared, 6, {}, "atomic on shared t[1][0], which ..."),
         finding(FindingKind::uninitialisedShared, 12, {}, "load from shared t[1][0], which ..."),
         // One index is too large in several arrays; another index is another mistake.
         finding(FindingKind::outOfBounds, 9, {}, "store to u[4096], which has 4096 elements"),
         finding(FindingKind::outOfBounds, 9, {}, "load from u[4097], which has 4096 elements")});
    EXPECT_EQ(causes,
              (std::vector<std::vector<std::size_t>>{{0, 1, 4}, {2}, {3}, {5, 8}, {6, 7}, {9}}));
}

}  // namespace
}  // namespace warplens::window
