#include <gtest/gtest.h>

#include "app/lessons/library.h"
#include "app/window/jobs.h"
#include "app/window/state/apply.h"
#include "app/window/state/comparison.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/timeline.h"

namespace warplens::window {
namespace {

constexpr const char* path = "own.cu";

/// A file of ten lines with a launch of two blocks of two warps: loads on line 3, and on line 5,
/// which one warp alone comes to, stores so many sectors.
std::shared_ptr<const ProgramVersion> versionWith(std::uint64_t sectors) {
    auto version = std::make_shared<ProgramVersion>();
    version->lines.assign(10, "a[i] = 0;");
    for (std::uint32_t index = 0; index < 2; ++index) {
        LaunchReport& launch = version->trace.launches.emplace_back();
        launch.index = index;
        launch.kernel = "kernel";
        launch.launch = {{2, 1, 1}, {64, 1, 1}, 256};
        ProgramLine load;
        load.place = {path, 3, 1};
        load.array = "a";
        load.requests = 4;
        load.sectors = load.idealSectors = 16;
        ProgramLine store;
        store.place = {path, 5, 1};
        store.kind = AccessKind::store;
        store.array = "b";
        store.requests = 2;
        store.sectors = sectors;
        store.idealSectors = 8;
        launch.lines = {load, store};
        launch.values = valuesOf(launch.lines);
    }
    return version;
}

/// Line 3, 4 (a branch), 3 again; and of the second warp line 5.
std::shared_ptr<const BlockSteps> stepsOf(Index3 block) {
    BlockSteps steps;
    steps.kernel = "kernel";
    steps.file = path;
    steps.block = block;
    steps.places = {{path, 3, 1}, {path, 4, 1}, {path, 5, 1}};
    steps.arrays = {{"a", 4, 0}, {"b", 4, 0}};
    steps.branches = {{1, "if (i < n)"}};
    const auto request = [](WarpSteps& warp, std::uint16_t array, std::uint32_t place,
                            std::uint32_t active) {
        warp.steps.push_back({.subject = array, .place = place, .bytes = 4, .active = active});
        for (std::uint64_t lane = 0; lane < 32; ++lane) {
            if ((active >> lane & 1) != 0) warp.offsets.push_back(4 * lane);
        }
        ++warp.total;
    };
    for (std::uint32_t w = 0; w < 2; ++w) {
        WarpSteps& warp = steps.warps.emplace_back();
        request(warp, 0, 0, 0xffffffff);
        warp.steps.push_back({.kind = StepKind::branch, .place = 1, .active = 0xffffffff});
        ++warp.total;
        request(warp, 0, 0, 0xff);
        if (w == 1) request(warp, 1, 2, 0xf);
    }
    return std::make_shared<const BlockSteps>(std::move(steps));
}

void open(AppState& state, std::uint64_t sectors = 8) {
    apply(state, OpenProgram{path});
    apply(state, ProgramTraced{path, versionWith(sectors)});
}

/// The steps that are wanted, as they would be traced.
void traceSteps(AppState& state) {
    const auto place = wantedSteps(state);
    ASSERT_TRUE(place);
    apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(
                     ProgramSteps{*place, stepsOf(place->block), {}})});
    apply(state, traceWarpNow(warpInFocus(state)));
}

void traceWarpInFocus(AppState& state) {
    apply(state, traceWarpNow(warpInFocus(state)));
}

AppState newState() {
    return initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                        std::make_shared<RecordingLibrary>(), false);
}

std::uint32_t shownLine(const AppState& state) {
    const Timeline timeline(state);
    return timeline.size() == 0
               ? 0
               : shownTrace(state)->steps[timeline.stepAt(timeline.position())].line;
}

TEST(ProgramSteps, ALineChoosesTheWarpsNextStepThereAndElseTheFirstWarpThatComesToIt) {
    AppState state = newState();
    EXPECT_FALSE(wantedSteps(state));
    open(state);
    EXPECT_EQ(shownTrace(state), nullptr) << "the built-in kernel behind the map is not shown";
    traceSteps(state);
    ASSERT_NE(shownTrace(state), nullptr);
    EXPECT_EQ(shownTrace(state)->subjects.arrayNames(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(state.program.line, 3U) << "no line wastes anything: that of the first request";
    EXPECT_EQ(state.view.step, 0U);
    apply(state, ChooseProgramLine{3});
    EXPECT_EQ(state.view.step, 2U);
    apply(state, ChooseProgramLine{3});
    EXPECT_EQ(state.view.step, 0U);
    apply(state, ChooseProgramLine{5});
    EXPECT_EQ(state.view.warp, WarpRank{1});
    EXPECT_EQ(state.view.step, 3U);
    traceWarpInFocus(state);
    EXPECT_EQ(shownLine(state), 5U);
    apply(state, ChooseProgramLine{8});
    EXPECT_EQ(state.program.line, 8U) << "nobody comes to it";
    EXPECT_FALSE(state.view.step.has_value());
    EXPECT_EQ(lineWithoutStep(state), 8U);
    apply(state, ChooseProgramLine{3});
    EXPECT_EQ(lineWithoutStep(state), 0U);
}

TEST(ProgramSteps, OfALineThatIsWrongTheAccessThatIsWrongIsShown) {
    AppState state = newState();
    apply(state, OpenProgram{path});
    auto version = std::make_shared<ProgramVersion>(*versionWith(8));
    Finding& finding = version->trace.findings.emplace_back();
    finding.kind = FindingKind::globalRace;
    finding.kernel = "kernel";
    finding.launch = 0;
    finding.place = {path, 3, 1};
    finding.words = "load from b[7], which another thread writes";
    apply(state, ProgramTraced{path, std::move(version)});
    const auto place = wantedSteps(state);
    ASSERT_TRUE(place);
    BlockSteps steps = *stepsOf(place->block);
    for (WarpSteps& warp : steps.warps) warp.steps[2].subject = 1;
    apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(ProgramSteps{
                     *place, std::make_shared<const BlockSteps>(std::move(steps)), {}})});
    EXPECT_EQ(state.view.step, 2U) << "not the first step of the line, which is of a";
}

TEST(ProgramSteps, OfAnotherTextTheStepIsThatOfWhatIsToldAndOfAnotherKernelTheWarp) {
    AppState state = newState();
    open(state);
    traceSteps(state);
    apply(state, ChooseProgramLine{5});
    ASSERT_EQ(state.view.warp, WarpRank{1});
    ASSERT_TRUE(state.view.step);
    auto typed = std::make_shared<ProgramVersion>(*versionWith(8));
    typed->lines[1] = "// above";
    apply(state, ProgramTraced{path, typed});
    EXPECT_TRUE(state.view.step) << "the line is as it was";
    typed = std::make_shared<ProgramVersion>(*versionWith(8));
    typed->lines[4] = "b[i] = 1;";
    apply(state, ProgramTraced{path, typed});
    EXPECT_FALSE(state.view.step);
    EXPECT_EQ(state.view.warp, WarpRank{1});
    auto other = std::make_shared<ProgramVersion>(*versionWith(64));
    for (LaunchReport& launch : other->trace.launches) launch.kernel = "pasted";
    for (std::string& line : other->lines) line = "another";
    apply(state, ProgramTraced{path, other});
    EXPECT_FALSE(state.view.warp);
    EXPECT_EQ(state.program.line, 5U);
}

/// Steps of which the second warp, of that block alone, diverges on line 4.
void traceDiverging(AppState& state, std::uint32_t inBlock) {
    const auto place = wantedSteps(state);
    ASSERT_TRUE(place);
    BlockSteps steps = *stepsOf(place->block);
    if (place->block.x == inBlock) steps.warps[1].steps[1].taken = 0xff;
    apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(ProgramSteps{
                     *place, std::make_shared<const BlockSteps>(std::move(steps)), {}})});
}

/// Opened, with a branch on line 4 at which one warp diverges.
AppState divergingState() {
    AppState state = newState();
    apply(state, OpenProgram{path});
    auto version = std::make_shared<ProgramVersion>(*versionWith(8));
    ProgramLine& branch = version->trace.launches[0].lines.emplace_back();
    branch.place = {path, 4, 1};
    branch.kind = AccessKind::branch;
    branch.requests = 4;
    branch.divergent = 1;
    apply(state, ProgramTraced{path, std::move(version)});
    return state;
}

TEST(ProgramSteps, OfALineThatDivergesTheWarpThatDoesIsShown) {
    AppState state = divergingState();
    traceDiverging(state, 0);
    apply(state, ChooseProgramLine{3});
    EXPECT_EQ(warpInFocus(state).warp, WarpRank{0});
    apply(state, ChooseProgramLine{4});
    EXPECT_EQ(warpInFocus(state).warp, WarpRank{1});
    EXPECT_EQ(state.view.step, 1U);
    EXPECT_EQ(divergingWarps(state), (std::vector<std::uint32_t>{1}));
    apply(state, ToggleWarp{{0}});
    EXPECT_EQ(warpInFocus(state).warp, WarpRank{0}) << "whoever asks for another has it";
}

TEST(ProgramSteps, ABlockWithoutAWarpThatDivergesAtTheLineIsLeftForAnother) {
    AppState state = divergingState();
    state.program.line = 4;
    traceDiverging(state, 1);
    EXPECT_EQ(state.view.block, (Index3{1, 0, 0}));
    traceDiverging(state, 1);
    EXPECT_EQ(warpInFocus(state).warp, WarpRank{1});
    EXPECT_EQ(state.view.step, 1U);
}

TEST(ProgramSteps, OfAFindingItsBlockAndWarpAreShown) {
    AppState state = newState();
    apply(state, OpenProgram{path});
    auto version = std::make_shared<ProgramVersion>(*versionWith(8));
    Finding& finding = version->trace.findings.emplace_back();
    finding.kernel = "kernel";
    finding.launch = 0;
    finding.place = {path, 3, 1};
    finding.words = "load from a[100], which has 100 elements";
    finding.block = {1, 0, 0};
    finding.thread = {36, 0, 0};
    apply(state, ProgramTraced{path, std::move(version)});
    EXPECT_EQ(state.view.block, (Index3{1, 0, 0}));
    traceSteps(state);
    EXPECT_EQ(warpInFocus(state).warp, WarpRank{1});
    for (const Index3 looked : {Index3{}, Index3{1, 0, 0}, Index3{1, 0, 0}}) {
        apply(state, ChooseBlock{looked});
        traceSteps(state);
        apply(state, ShowFinding{0});
        if (state.view.block != looked) traceSteps(state);
        EXPECT_EQ(state.view.block, (Index3{1, 0, 0}));
        EXPECT_EQ(warpInFocus(state).warp, WarpRank{1});
        EXPECT_EQ(state.view.step, 0U) << "its access, also once it is clicked again";
        state.view.step = 1;
    }
}

TEST(ProgramSteps, OfACostTheAccessThatCostsMostIsShownWhateverWasShownBefore) {
    AppState state = newState();
    open(state);
    const auto trace = [&](std::uint32_t line) {
        BlockSteps steps = *stepsOf(state.view.block);
        for (std::size_t lane = 0; lane < 8; ++lane) steps.warps[1].offsets[32 + lane] *= 32;
        steps.places.front().line = line;
        apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(ProgramSteps{
                         *wantedSteps(state), std::make_shared<const BlockSteps>(steps), {}})});
    };
    apply(state, ChooseBlock{{1, 0, 0}});
    trace(3);
    state.view.step = 1;
    apply(state, ChooseProgramLine{.line = 3, .costs = AccessKind::load});
    EXPECT_EQ(state.view.block, Index3{});
    for (int click = 0; click < 2; ++click) {
        trace(3);
        EXPECT_EQ(warpInFocus(state).warp, WarpRank{1});
        EXPECT_EQ(state.view.step, 2U) << "lanes are 32 elements apart";
        apply(state, ChooseProgramLine{.line = 3, .costs = AccessKind::load});
    }
    apply(state, ChooseBlock{{1, 0, 0}});
    trace(3);
    apply(state, ChooseProgramLine{.line = 3, .costs = AccessKind::load});
    trace(6);
    EXPECT_EQ(state.view.block, (Index3{1, 0, 0})) << "this one has none";
    apply(state, ChooseProgramLine{.line = 3});
    EXPECT_EQ(state.view.block, (Index3{1, 0, 0})) << "the line alone leaves the block";
}

TEST(ProgramSteps, OfALineThatDivergesAndIsWrongWhatIsWrongIsShown) {
    AppState state = divergingState();
    state.program.line = 4;
    apply(state, ChooseBlock{{1, 0, 0}});
    auto version = std::make_shared<ProgramVersion>(*state.program.now);
    Finding& finding = version->trace.findings.emplace_back();
    finding.kernel = "kernel";
    finding.launch = 0;
    finding.place = {path, 4, 1};
    finding.words = "store to shared tile[2][0], which thread (2, 0, 0) reads in line 5";
    finding.block = Index3{};
    finding.thread = Index3{};
    apply(state, ProgramTraced{path, std::move(version)});
    EXPECT_EQ(state.view.block, Index3{}) << "not the block that was looked at before";
    traceDiverging(state, 1);
    EXPECT_EQ(state.view.block, Index3{}) << "no other is looked for that diverges";
}

TEST(ProgramSteps, ABlockThatNeverComesToTheCostliestLineIsLeftForAnotherUnlessItWasChosen) {
    const auto traceWithoutStores = [](AppState& state) {
        const auto place = wantedSteps(state);
        BlockSteps steps = *stepsOf(place->block);
        steps.places.back().line = 6;
        apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(ProgramSteps{
                         *place, std::make_shared<const BlockSteps>(std::move(steps)), {}})});
    };
    AppState state = newState();
    open(state, 64);
    ASSERT_EQ(state.program.line, 5U);
    traceWithoutStores(state);
    EXPECT_EQ(state.view.block, (Index3{1, 0, 0}));
    traceSteps(state);
    EXPECT_EQ(state.view.step, 3U);
    apply(state, ChooseBlock{{0, 0, 0}});
    traceWithoutStores(state);
    EXPECT_EQ(state.view.block, Index3{});
}

TEST(ProgramSteps, ALaunchThatIsChosenAgainIsShownAtItsCostliestLine) {
    AppState state = newState();
    open(state, 64);
    traceSteps(state);
    apply(state, ChooseProgramLine{3});
    apply(state, ChooseProgramLaunch{0});
    traceWarpInFocus(state);
    EXPECT_EQ(state.program.line, 5U);
    EXPECT_EQ(shownLine(state), 5U);
}

TEST(ProgramSteps, AStepInAnotherFileSaysWhere) {
    AppState state = newState();
    open(state);
    const auto place = wantedSteps(state);
    ASSERT_TRUE(place);
    BlockSteps steps = *stepsOf(place->block);
    steps.places[1].file = "sub/relax.cu";
    steps.places[2].file = "sub/relax.cu";
    apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(ProgramSteps{
                     *place, std::make_shared<const BlockSteps>(std::move(steps)), {}})});
    traceWarpInFocus(state);
    const WarpTrace& trace = *shownTrace(state);
    EXPECT_EQ(trace.rounds.at(trace.steps.at(0).rounds), "iteration 1 of 2");
    EXPECT_EQ(trace.rounds.at(trace.steps.at(1).rounds), "relax.cu:4");
}

TEST(ProgramSteps, ALessonHasTheLineThatItWasOpenedFromAmongItsPictures) {
    AppState state = newState();
    open(state);
    traceSteps(state);
    apply(state, ChooseProgramLine{5});
    traceWarpInFocus(state);
    apply(state, OpenLesson{"access-stride", true});
    ASSERT_TRUE(state.lesson.own);
    const OwnStep own = *state.lesson.own;
    EXPECT_EQ(own.where, "Line 5 of own.cu");
    EXPECT_EQ(own.trace->steps.at(own.step).line, 5U);
    const std::vector<LearnPicture> pictures = picturesOf(state, *findLesson("access-stride"));
    EXPECT_TRUE(pictures.back().own);
    EXPECT_TRUE(pictures.back().covered) << "it might tell the answer";
    EXPECT_FALSE(pictures.front().own);
    // One that was read to its end is opened at its first page, another where it was left.
    LessonProgress& progress = state.lesson.progress["access-stride"];
    progress.answered = Answered::right;
    const std::uint32_t last = pageCount(*findLesson("access-stride")) - 1;
    for (const std::uint32_t furthest : {last - 1, last}) {
        progress.page = 1;
        progress.furthest = furthest;
        apply(state, OpenLesson{"access-stride", true});
        EXPECT_EQ(progress.page, furthest == last ? 0U : 1U);
    }
    apply(state, OpenLesson{"matadd-swapped"});
    EXPECT_FALSE(state.lesson.own);
    apply(state, ToggleLessons{});
    EXPECT_TRUE(showsProgram(state));
}

TEST(ProgramSteps, AGoalIsCheckedWithEachVersionOfTheFile) {
    AppState state = newState();
    open(state, 64);
    ASSERT_EQ(state.program.line, 5U);
    apply(state, ToggleLineGoal{});
    EXPECT_EQ(state.program.goal, (LineGoal{"kernel", "b", AccessKind::store, 4, 2}));
    EXPECT_EQ(standingOfGoal(state.program)->most, 32);
    apply(state, ProgramTraced{path, versionWith(8)});
    EXPECT_EQ(standingOfGoal(state.program)->most, 4);
    // Requests of another shape have a best of their own.
    auto uneven = std::make_shared<ProgramVersion>(*versionWith(9));
    for (LaunchReport& launch : uneven->trace.launches) launch.lines.at(1).idealSectors = 9;
    apply(state, ProgramTraced{path, uneven});
    EXPECT_EQ(standingOfGoal(state.program)->most, 4.5);
    EXPECT_EQ(standingOfGoal(state.program)->least, 4.5) << "reached";
    apply(state, ProgramTraced{path, versionWith(8)});
    EXPECT_EQ(faultOf(state.program), nullptr);
    auto wrong = std::make_shared<ProgramVersion>(*versionWith(8));
    wrong->trace.findings.emplace_back().kind = FindingKind::sharedRace;
    apply(state, ProgramTraced{path, wrong});
    EXPECT_EQ(faultOf(state.program)->kind, FindingKind::sharedRace) << "no goal is reached so";
    auto other = std::make_shared<ProgramVersion>(*versionWith(8));
    for (LaunchReport& launch : other->trace.launches) launch.kernel = "renamed";
    apply(state, ProgramTraced{path, other});
    EXPECT_EQ(standingOfGoal(state.program), std::nullopt);
    apply(state, ToggleLineGoal{});
    EXPECT_FALSE(state.program.goal);
    apply(state, ToggleLineGoal{});
    EXPECT_FALSE(state.program.goal) << "the line is good as it is";
    // Rows that begin within a sector: no kernel takes fewer.
    for (const std::int64_t row : {1200, 1280}) {
        auto apart = std::make_shared<ProgramVersion>(*versionWith(64));
        LaunchReport& launch = apart->trace.launches.at(0);
        launch.launch.block = {16, 16, 1};
        for (ProgramLine& line : launch.lines) line.address = AddressFormula{.thread = {row, 4, 0}};
        apply(state, ProgramTraced{path, apart});
        EXPECT_EQ(goalOfLine(state.program)->most, row == 1200 ? 6 : 4);
        EXPECT_EQ(goalOfLine(state.program)->within, row == 1200 ? 2 : 0);
    }
}

TEST(ProgramSteps, AFileThatIsComeBackToHasItsGoalItsEditorAndTheVersionBefore) {
    AppState state = newState();
    open(state, 64);
    apply(state, ToggleLineGoal{});
    const std::optional<LineGoal> goal = state.program.goal;
    const auto now = versionWith(8);
    apply(state, ProgramTraced{path, now});
    const auto before = state.program.before;
    apply(state, EditProgram{true});
    const auto comeBack = [&](const std::shared_ptr<const ProgramVersion>& version) {
        apply(state, actionOf(Act::backToFile).command(state));
        EXPECT_EQ(state.program.goal, goal);
        EXPECT_TRUE(state.program.editor.open);
        apply(state, ProgramTraced{path, version});
    };
    apply(state, CloseProgram{});
    EXPECT_FALSE(state.program.goal);
    comeBack(now);
    EXPECT_EQ(state.program.before, before);
    apply(state, OpenProgram{__FILE__});
    EXPECT_FALSE(state.program.goal) << "another file's";
    EXPECT_FALSE(state.program.editor.open);
    apply(state, CloseProgram{});
    apply(state, OpenProgram{path});
    EXPECT_EQ(state.program.goal, goal);
    apply(state, CloseProgram{});
    auto other = std::make_shared<ProgramVersion>(*versionWith(4));
    other->lines.push_back("}");
    comeBack(other);
    EXPECT_EQ(state.program.before, now) << "it was changed meanwhile";
}

/// Of a line whose second access wastes something: a step of it is shown first.
void expectWorstFirst(AccessKind kind, StepKind stepKind) {
    AppState state = newState();
    auto version = std::make_shared<ProgramVersion>(*versionWith(8));
    ProgramLine worst = version->trace.launches[0].lines[1];
    worst.place.line = 3;  // beside a load that wastes nothing
    worst.kind = kind;
    if (kind == AccessKind::constantLoad)
        worst.wavefronts = 64, worst.idealWavefronts = 2;
    else
        worst.sectors = 64;
    version->trace.launches[0].lines.push_back(worst);
    apply(state, OpenProgram{path});
    apply(state, ProgramTraced{path, version});
    ASSERT_EQ(state.program.line, 3U);
    auto steps = std::make_shared<BlockSteps>(*stepsOf({}));
    steps->warps[0].steps[2].kind = stepKind;
    steps->warps[0].steps[2].subject = 1;
    apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(
                     ProgramSteps{*wantedSteps(state), steps, {}})});
    EXPECT_EQ(state.view.step, 2U) << "and not the load before it";
}

TEST(ProgramSteps, OfALineThatWastesTheAccessThatDoesIsShownFirst) {
    expectWorstFirst(AccessKind::store, StepKind::store);
    expectWorstFirst(AccessKind::load, StepKind::load);
    expectWorstFirst(AccessKind::constantLoad, StepKind::constantLoad);
}

TEST(ProgramSteps, WhatLoadsAConstantInOneTurnIsShownBehindWhatLoadsFromMemory) {
    for (const bool isOnlyOne : {false, true}) {
        AppState state = newState();
        open(state);
        auto steps = std::make_shared<BlockSteps>(*stepsOf({}));
        steps->warps[0].steps[0].kind = StepKind::constantLoad;
        if (isOnlyOne) steps->warps[0].steps[2].kind = StepKind::constantLoad;
        apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(
                         ProgramSteps{*wantedSteps(state), steps, {}})});
        apply(state, ChooseProgramLine{4});
        state.view.step.reset();
        apply(state, ChooseProgramLine{3});
        EXPECT_EQ(state.view.step, isOnlyOne ? 0U : 2U);
    }
}

TEST(ProgramSteps, TheLineFollowsTheStepsAndAnotherWarpIsShownAtTheLine) {
    AppState state = newState();
    open(state);
    traceSteps(state);
    apply(state, MoveStep{1});
    EXPECT_EQ(state.program.line, 4U);
    apply(state, MoveStep{1});
    EXPECT_EQ(state.program.line, 3U);
    apply(state, ToggleWarp{{1}});
    traceWarpInFocus(state);
    EXPECT_EQ(shownLine(state), 3U);
    apply(state, ChooseArray{1});
    EXPECT_EQ(Timeline(state).size(), 1U);
    apply(state, ChooseStep{0});
    EXPECT_EQ(state.program.line, 5U);
    apply(state, ChooseArray{2});
    EXPECT_EQ(state.view.array, 1U) << "there is no such array";
}

TEST(ProgramSteps, LanesOfTheStepAndOfItsLineAreTold) {
    AppState state = newState();
    EXPECT_FALSE(lanesAtStep(state));
    open(state);
    EXPECT_FALSE(lanesAtStep(state)) << "not traced yet";
    traceSteps(state);
    apply(state, ChooseStep{2});
    auto lanes = lanesAtStep(state);
    ASSERT_TRUE(lanes);
    EXPECT_EQ(lanes->at(0), 0xffU) << "of the warp in focus those of the step";
    EXPECT_EQ(lanes->at(1), 0xffU) << "of the others those that come to it again, too";
    apply(state, ChooseStep{0});
    EXPECT_EQ(lanesAtStep(state).value().at(1), 0xffffffffU);
    apply(state, ChooseProgramLine{5});
    traceWarpInFocus(state);
    lanes = lanesAtStep(state);
    ASSERT_TRUE(lanes);
    EXPECT_EQ(lanes->at(0), 0U);
    EXPECT_EQ(lanes->at(1), 0xfU);
}

TEST(ProgramSteps, StepsOfAnotherBlockLaunchOrVersionAreNotShown) {
    AppState state = newState();
    open(state);
    const StepsPlace first = *wantedSteps(state);
    traceSteps(state);
    apply(state, ChooseBlock{{1, 0, 0}});
    EXPECT_EQ(shownTrace(state), nullptr);
    EXPECT_EQ(wantedSteps(state)->block, (Index3{1, 0, 0}));
    apply(state, ProgramStepsTraced{
                     std::make_shared<const ProgramSteps>(ProgramSteps{first, stepsOf({}), {}})});
    EXPECT_EQ(shownSteps(state), nullptr) << "they are of the block before";
    traceSteps(state);
    EXPECT_NE(shownTrace(state), nullptr);
    apply(state, ChooseProgramLaunch{1});
    EXPECT_EQ(shownSteps(state), nullptr);
    traceSteps(state);
    apply(state, ProgramTraced{path, versionWith(8)});
    EXPECT_EQ(shownSteps(state), nullptr) << "the file was saved";
    apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(
                     ProgramSteps{*wantedSteps(state), nullptr, "it did not come to it"})});
    ASSERT_NE(shownSteps(state), nullptr);
    EXPECT_EQ(shownSteps(state)->failure, "it did not come to it");
    EXPECT_EQ(shownTrace(state), nullptr);
    apply(state, CloseProgram{});
    EXPECT_FALSE(wantedSteps(state));
    traceWarpInFocus(state);
    EXPECT_NE(shownTrace(state), nullptr) << "a built-in scenario again";
}

TEST(ProgramComparison, ThePinnedLaunchIsHeldAgainstTheOneThatIsShown) {
    AppState state = newState();
    open(state, 64);
    apply(state, Pin{PinSlot::a});
    EXPECT_FALSE(programComparison(state)) << "it is the one that is shown";
    EXPECT_FALSE(figureOf(state).programAgainst);
    const auto next = std::make_shared<ProgramVersion>(*versionWith(16));
    ProgramLine atomic;
    atomic.place = {path, 5, 1};
    atomic.kind = AccessKind::atomic;
    atomic.array = "b";
    atomic.requests = 2;
    atomic.sameAddress = 64;
    LaunchReport& launch = next->trace.launches.front();
    launch.lines.push_back(atomic);
    atomic.kind = AccessKind::sharedAtomic;
    atomic.array = "own";
    atomic.isJoined = true;
    launch.lines.push_back(atomic);
    ProgramLine guard;
    guard.place = {path, 6, 1};
    guard.kind = AccessKind::branch;
    guard.requests = guard.divergent = 3;
    guard.isGuard = true;
    launch.lines.push_back(guard);
    launch.values = valuesOf(launch.lines);
    apply(state, ProgramTraced{path, next});
    auto compared = programComparison(state);
    ASSERT_TRUE(compared);
    EXPECT_EQ(compared->a, "kernel<<<2, 64, 256>>>, as it was");
    EXPECT_EQ(compared->b, "kernel<<<2, 64, 256>>>");
    const auto line = std::ranges::find(compared->lines, "Store sectors", &Comparison::name);
    ASSERT_NE(line, compared->lines.end());
    EXPECT_EQ(line->a, "64");
    EXPECT_EQ(line->b, "16");
    EXPECT_EQ(line->ratio, "4.00× fewer");
    EXPECT_EQ(line->verdict, 1);
    // Of each memory by itself, as the figure of the pair tells them.
    for (const std::string memory : {"global", "shared"}) {
        const auto turns = std::ranges::find(
            compared->lines, "Turns of atomics in " + memory + " memory", &Comparison::name);
        ASSERT_NE(turns, compared->lines.end()) << memory;
        EXPECT_EQ(turns->b, "64") << memory;
    }
    const auto guards =
        std::ranges::find(compared->lines, "Divergent, guards too", &Comparison::name);
    ASSERT_NE(guards, compared->lines.end()) << "a figure counts those apart";
    EXPECT_EQ(guards->b, "3");
    EXPECT_EQ(guards->verdict, 0) << "of guards alone neither is better";
    launch.lines.back().isGuard = false;
    apply(state, ProgramTraced{path, std::make_shared<ProgramVersion>(*next)});
    compared = programComparison(state);
    EXPECT_EQ(std::ranges::find(compared->lines, "Divergent branches", &Comparison::name)->verdict,
              -1);
    ASSERT_TRUE(figureOf(state).programAgainst);
    EXPECT_EQ(figureOf(state).programAgainst->predicted().lines[1].sectors, 64U);
    apply(state, ChooseProgramLaunch{1});
    EXPECT_TRUE(programComparison(state)) << "another launch";
    apply(state, ClearPins{});
    EXPECT_FALSE(programComparison(state));
}

}  // namespace
}  // namespace warplens::window
