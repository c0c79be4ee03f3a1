#include "app/window/ui.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/lessons/library.h"
#include "app/window/jobs.h"
#include "app/window/state/apply.h"
#include "tests/gl/gl_fixture.h"

namespace warplens::window {
namespace {

constexpr PixelSize size{1280, 800};

class UiGl : public GlTest {
  protected:
    UiGl() : GlTest(size) {}
};

std::vector<unsigned char> drawn(Ui& ui, OffscreenSurface& surface, const AppState& state) {
    for (int frame = 0; frame < 3; ++frame) {
        ImGui::GetIO().DisplaySize = {size.width, size.height};
        ImGui::GetIO().DeltaTime = 0.016F;
        surface.bind();
        (void)ui.draw(state, 1);
        surface.present();
    }
    return surface.readPixels();
}

// Rebuilding the fonts must leave nothing behind of the ones before.
TEST_F(UiGl, LooksTheSameWhereverItsTextSizeCameFrom) {
    AppState state = initialState({initialExperiment(allScenarios().front()), true},
                                  std::make_shared<RecordingLibrary>(), true);
    std::vector<unsigned char> changed;
    {
        Ui ui;
        (void)drawn(ui, *surface_, state);
        apply(state, ToggleProjector{});
        changed = drawn(ui, *surface_, state);
    }
    Ui ui;
    EXPECT_TRUE(drawn(ui, *surface_, state) == changed);
}

TEST_F(UiGl, ShowsTheBlockFlatOrAsABlock3d) {
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    Ui ui;
    const auto flat = drawn(ui, *surface_, state);
    EXPECT_TRUE(ui.rects().contains("map"));
    EXPECT_FALSE(ui.rects().contains("cubes"));
    apply(state, Show{.picture = PictureKind::block3d});
    const auto block3d = drawn(ui, *surface_, state);
    EXPECT_FALSE(ui.rects().contains("map"));
    EXPECT_TRUE(ui.rects().contains("cubes"));
    EXPECT_TRUE(block3d != flat);
    apply(state, TurnBlock3d{20, 0});
    EXPECT_TRUE(drawn(ui, *surface_, state) != block3d);
    apply(state, TurnBlock3d{-20, 0});
    EXPECT_TRUE(drawn(ui, *surface_, state) == block3d);
    apply(state, Show{.picture = PictureKind::threads});
    EXPECT_TRUE(drawn(ui, *surface_, state) == flat);
}

// Drawing asks for nothing on its own: what a question is about is what stays on the screen.
TEST_F(UiGl, LeavesEveryLessonAtTheLaunchItAsksAbout) {
    Ui ui;
    for (const Lesson& lesson : builtInLessons().lessons) {
        AppState state = initialState({initialExperiment(allScenarios().front()), true},
                                      std::make_shared<RecordingLibrary>(), true);
        apply(state, OpenLesson{lesson.id});
        apply(state, tellNow(*lessonPlace(state), {}));
        const Experiment asked = state.view.experiment;
        for (int frame = 0; frame < 3; ++frame) {
            ImGui::GetIO().DisplaySize = {size.width, size.height};
            ImGui::GetIO().DeltaTime = 0.016F;
            surface_->bind();
            for (const Command& command : ui.draw(state, 1)) apply(state, command);
            surface_->present();
        }
        EXPECT_EQ(state.view.experiment, asked) << lesson.id;
        EXPECT_TRUE(questionIsOpen(state)) << lesson.id;
    }
}

TEST_F(UiGl, TakesWhatWasTypedOnTheWayToTheFieldAbove) {
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    apply(state, OpenProgram{"k.cu"});
    auto version = std::make_shared<ProgramVersion>();
    version->trace.launches.emplace_back().kernel = "k";
    version->proposed = {{"k", ProposedKind::number, "n", "1024"},
                         {"k", ProposedKind::number, "m", "64"}};
    apply(state, ProgramTraced{"k.cu", std::move(version)});
    Ui ui;
    (void)drawn(ui, *surface_, state);
    const auto frame = [&](bool down) {
        ImGui::GetIO().MouseDown[0] = down;
        surface_->bind();
        for (const Command& command : ui.draw(state, 1)) apply(state, command);
        surface_->present();
    };
    const auto click = [&](const char* name) {
        const ImVec4 rect = ui.rects().at(name);
        ImGui::GetIO().MousePos = {rect.x + rect.z / 2, rect.y + rect.w / 2};
        for (const bool down : {false, true, false, false}) frame(down);
    };
    click("program.wish.m");
    ImGui::GetIO().AddInputCharactersUTF8("128");
    frame(false);
    EXPECT_TRUE(state.program.wishes.empty());
    click("program.wish.n");
    EXPECT_EQ(state.program.wishes,
              (std::vector<ProposedValue>{{"", ProposedKind::number, "m", "128"}}));
}

TEST_F(UiGl, BringsItsPicturesOneByOneWhereEachWaitsForACompiler) {
    AppState state = initialState({initialExperiment(scenarioNamed("matmul-coalesced")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    std::vector<unsigned char> whole;
    {
        Ui ui;
        whole = drawn(ui, *surface_, state);
        EXPECT_TRUE(ui.complete());
    }
    Ui ui;
    ui.compileAtMost(0);
    EXPECT_TRUE(drawn(ui, *surface_, state) != whole);
    EXPECT_FALSE(ui.complete());
    ui.compileAtMost(1);
    int frames = 0;
    do {
        surface_->bind();
        (void)ui.draw(state, 1);
    } while (!ui.complete() && ++frames < 10);
    EXPECT_TRUE(ui.complete());
    EXPECT_TRUE(drawn(ui, *surface_, state) == whole);
}

TEST_F(UiGl, HasEveryPictureReadyAfterPreparingAllAndDrawsNothingMeanwhile) {
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    Ui ui;
    const auto before = drawn(ui, *surface_, state);
    int kinds = 0;
    for (surface_->bind(); ui.prepareNext(); surface_->bind()) ASSERT_LT(++kinds, 100);
    EXPECT_GT(kinds, 10);
    EXPECT_TRUE(surface_->readPixels() == before);
    ui.compileAtMost(0);
    for (const PictureKind view : {PictureKind::threads, PictureKind::block3d}) {
        apply(state, Show{.picture = view});
        for (const auto follows : {MapFollows::block, MapFollows::grid}) {
            for (const Scenario& scenario : allScenarios()) {
                state.edit.experiment = initialExperiment(scenario);
                state.view.experiment = state.edit.experiment;
                apply(state, Show{.map = follows});
                (void)drawn(ui, *surface_, state);
                EXPECT_TRUE(ui.complete()) << scenario.id;
            }
        }
    }
}

}  // namespace
}  // namespace warplens::window
