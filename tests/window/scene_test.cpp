#include "app/window/state/scene.h"

#include <gtest/gtest.h>

#include "app/window/state/apply.h"
#include "core/json/json.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

AppState started() {
    return initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                        std::make_shared<RecordingLibrary>(), true);
}

AppState arranged() {
    AppState state = started();
    state.results.push_back({tests::scriptedMeasurement(state.view.experiment), false});
    apply(state, Pin{PinSlot::a});
    apply(state, ChooseScenario{"matadd-swapped"});
    apply(state, SetBlock{{32, 8, 1}});
    apply(state, Show{.picture = PictureKind::block3d});
    apply(state, ToggleWarp{{3}});
    apply(state, ChooseBlock{{1, 2, 0}});
    apply(state, ChooseArray{std::size_t{1}, std::uint64_t{2}});
    apply(state, Show{.tab = RightTab::sweep});
    apply(state, Show{.below = LowerTab::source});
    return state;
}

TEST(Scene, IsOneLineThatShowsTheSame) {
    const AppState before = arranged();
    const std::string line = sceneOf(before);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    AppState after = started();
    after.results = before.results;
    apply(after, OpenScene{line});
    EXPECT_EQ(after.view, before.view);
    EXPECT_EQ(after.pinnedA, before.pinnedA);
    EXPECT_FALSE(after.pinnedB);
    EXPECT_TRUE(after.messages.empty());
    EXPECT_EQ(sceneOf(after), line);
    EXPECT_EQ(experimentOfScene(line), before.view.experiment);
}

// Lines are in mails and lecture notes: those that were written stay readable, and new ones the
// same.
TEST(Scene, LinesStayAsTheyAre) {
    EXPECT_EQ(
        sceneOf(arranged()),
        R"({"warplens_scene":1,"experiment":{"scenario":"matadd-swapped","launch":{"grid":[512,2048,1],"block":[32,8,1],"dynamic_shared_bytes":0},"arguments":{"n":16384}},"view":"3d","block":[1,2,0],"warp":3,"array":1,"step":2,"tab":"sweep","below":"source","mode":"explore","pin_a":{"scenario":"matadd-coalesced","launch":{"grid":[1024,1024,1],"block":[16,16,1],"dynamic_shared_bytes":0},"arguments":{"n":16384}}})");
    EXPECT_EQ(
        sceneOf(started()),
        R"({"warplens_scene":1,"experiment":{"scenario":"matadd-coalesced","launch":{"grid":[1024,1024,1],"block":[16,16,1],"dynamic_shared_bytes":0},"arguments":{"n":16384}},"view":"2d","block":[0,0,0],"tab":"measured","below":"memory","mode":"explore"})");
}

TEST(Scene, HoldsEveryPartOfTheLaunchesView) {
    AppState before = arranged();
    apply(before, Show{.map = MapFollows::grid,
                       .numbers = CellNumbers::rank,
                       .capability = ComputeCapability{8, 0},
                       .over = "n=64..256"});
    AppState after = started();
    after.results = before.results;
    apply(after, OpenScene{sceneOf(before)});
    EXPECT_EQ(after.view, before.view);
    // And what it leaves out is as at the start.
    apply(after, OpenScene{sceneOf(started())});
    EXPECT_EQ(after.view, started().view);
}

TEST(Scene, SaysWhichPinIsNotKnownHere) {
    AppState state = started();
    apply(state, OpenScene{sceneOf(arranged())});
    EXPECT_FALSE(state.pinnedA);
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_NE(state.messages.front().text.find("A is neither measured"), std::string::npos);
}

TEST(Scene, OpensItsLessonAndItsSlide) {
    AppState state = started();
    apply(state, OpenLesson{"partial-warp"});
    AppState other = started();
    apply(other, OpenScene{sceneOf(state)});
    EXPECT_EQ(other.view.mode, Mode::learn);
    EXPECT_EQ(other.view.lesson, "partial-warp");
    state = started();
    apply(state, SetMode{Mode::present});
    apply(other, OpenScene{sceneOf(state)});
    EXPECT_EQ(other.view.mode, Mode::present);
}

TEST(Scene, AsksBeforeAFileIsRun) {
    AppState state = started();
    apply(state, OpenProgram{"/home/student/mean.cu"});
    AppState other = started();
    apply(other, OpenScene{sceneOf(state)});
    EXPECT_FALSE(other.program.isOpen());
    EXPECT_TRUE(other.program.asking);
    EXPECT_EQ(other.program.proposed, "/home/student/mean.cu");
}

TEST(Scene, ChangesNothingWhereTheTextIsNone) {
    for (const std::string& text :
         {std::string(), std::string("hello"), std::string("{}"), std::string("[1]"),
          std::string(R"({"warplens_scene":2})"), std::string(R"({"warplens_scene":1})"),
          std::string(R"({"warplens_scene":1,"experiment":{"scenario":"no-such"}})"),
          std::string(longestScene + 1, ' ')}) {
        AppState state = started();
        apply(state, OpenScene{text});
        EXPECT_EQ(state.view.experiment, started().view.experiment);
        ASSERT_EQ(state.messages.size(), 1u) << text;
        EXPECT_EQ(state.messages.front().kind, MessageKind::error);
        EXPECT_TRUE(state.messages.front().text.starts_with("No scene: "));
    }
}

TEST(Scene, WhatIsPastedBesideAnOwnFileAndIsNoneIsNoFault) {
    AppState state = started();
    apply(state, OpenProgram{"own.cu"});
    for (int times = 0; times < 2; ++times) apply(state, OpenScene{"__global__ void f() {}"});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages.front().kind, MessageKind::note);
    EXPECT_NE(state.messages.front().text.find("click in the text"), std::string::npos);
    apply(state, OpenScene{R"({"warplens_scene":2})"});
    EXPECT_EQ(state.messages.back().kind, MessageKind::error) << "one of a later version, say";
}

TEST(Scene, OfWrongTypesIsRefusedWithWords) {
    AppState state = started();
    std::string line = sceneOf(state);
    line.insert(line.size() - 1, R"(,"warp":"three")");
    apply(state, OpenScene{line});
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages.front().kind, MessageKind::error);
}

TEST(CopiedText, IsTheSceneOrTheTableOfTheOpenTab) {
    AppState state = arranged();
    apply(state, CopyText{CopiedText::scene});
    EXPECT_EQ(state.outbox.text, sceneOf(state));
    apply(state, Show{.tab = RightTab::measured});
    state.results.push_back({tests::scriptedMeasurement(state.view.experiment), false});
    apply(state, CopyText{CopiedText::csv});
    EXPECT_TRUE(
        state.outbox.text.starts_with("metric,variant,subject,source,value,unit,unavailable\n"));
    EXPECT_NE(state.outbox.text.find("\ntime,"), std::string::npos) << state.outbox.text;
    apply(state, CopyText{CopiedText::markdown});
    EXPECT_TRUE(state.outbox.text.starts_with("| metric | variant |"));
    state.lesson.progress["access-stride"] = {.tries = 2, .answered = Answered::right};
    apply(state, CopyText{CopiedText::progress});
    EXPECT_TRUE(state.outbox.text.starts_with("name,lesson,title,answered,"));
    EXPECT_NE(state.outbox.text.find("\n,access-stride,Strided access,right,3,0,0,0,1,6\n"),
              std::string::npos)
        << state.outbox.text;
    apply(state, OpenLesson{"access-stride"});
    apply(state, CopyText{CopiedText::exercise});
    EXPECT_TRUE(state.outbox.text.starts_with("// Exercise of the lesson access-stride\n"));
    apply(state, OutboxTaken{});
    EXPECT_EQ(state.outbox, Outbox{});
}

}  // namespace
}  // namespace warplens::window
