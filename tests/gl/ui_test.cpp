#include "app/window/ui.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/window/gl/offscreen_surface.h"
#include "app/window/window.h"

namespace warplens::window {
namespace {

constexpr PixelSize size{1280, 800};

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
TEST(UiGl, LooksTheSameWhereverItsTextSizeCameFrom) {
    std::unique_ptr<OffscreenSurface> surface;
    try {
        surface = std::make_unique<OffscreenSurface>(size);
    } catch (const WindowUnavailable& unavailable) {
        GTEST_SKIP() << "NO OPENGL, NOTHING TESTED: " << unavailable.what();
    }
    AppState state = initialState({initialExperiment(allScenarios().front()), true},
                                  std::make_shared<RecordingLibrary>(), true);
    std::vector<unsigned char> changed;
    {
        Ui ui;
        (void)drawn(ui, *surface, state);
        apply(state, ToggleProjector{});
        changed = drawn(ui, *surface, state);
    }
    Ui ui;
    EXPECT_TRUE(drawn(ui, *surface, state) == changed);
}

TEST(UiGl, ShowsTheBlockFlatOrAsASolid) {
    std::unique_ptr<OffscreenSurface> surface;
    try {
        surface = std::make_unique<OffscreenSurface>(size);
    } catch (const WindowUnavailable& unavailable) {
        GTEST_SKIP() << "NO OPENGL, NOTHING TESTED: " << unavailable.what();
    }
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    Ui ui;
    const auto flat = drawn(ui, *surface, state);
    EXPECT_TRUE(ui.rects().contains("map"));
    EXPECT_FALSE(ui.rects().contains("solid"));
    apply(state, SetBlockView{BlockView::solid});
    const auto solid = drawn(ui, *surface, state);
    EXPECT_FALSE(ui.rects().contains("map"));
    EXPECT_TRUE(ui.rects().contains("solid"));
    EXPECT_TRUE(solid != flat);
    apply(state, TurnSolid{20, 0});
    EXPECT_TRUE(drawn(ui, *surface, state) != solid);
    apply(state, TurnSolid{-20, 0});
    EXPECT_TRUE(drawn(ui, *surface, state) == solid);
    apply(state, SetBlockView{BlockView::flat});
    EXPECT_TRUE(drawn(ui, *surface, state) == flat);
}

TEST(UiGl, BringsItsPicturesOneByOneWhereEachWaitsForACompiler) {
    std::unique_ptr<OffscreenSurface> surface;
    try {
        surface = std::make_unique<OffscreenSurface>(size);
    } catch (const WindowUnavailable& unavailable) {
        GTEST_SKIP() << "NO OPENGL, NOTHING TESTED: " << unavailable.what();
    }
    AppState state = initialState({initialExperiment(scenarioNamed("matmul-coalesced")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    for (const BlockView view : {BlockView::flat, BlockView::solid}) {
        apply(state, SetBlockView{view});
        std::vector<unsigned char> whole;
        {
            Ui ui;
            whole = drawn(ui, *surface, state);
            EXPECT_TRUE(ui.complete());
        }
        Ui ui;
        ui.compileAtMost(0);
        EXPECT_TRUE(drawn(ui, *surface, state) != whole);
        EXPECT_FALSE(ui.complete());
        ui.compileAtMost(1);
        int frames = 0;
        do {
            surface->bind();
            (void)ui.draw(state, 1);
        } while (!ui.complete() && ++frames < 10);
        EXPECT_TRUE(ui.complete());
        EXPECT_GE(frames, view == BlockView::solid ? 2 : 0);  // it has three layers
        EXPECT_TRUE(drawn(ui, *surface, state) == whole);
    }
}

TEST(UiGl, HasEveryPictureReadyAfterPreparingAllAndDrawsNothingMeanwhile) {
    std::unique_ptr<OffscreenSurface> surface;
    try {
        surface = std::make_unique<OffscreenSurface>(size);
    } catch (const WindowUnavailable& unavailable) {
        GTEST_SKIP() << "NO OPENGL, NOTHING TESTED: " << unavailable.what();
    }
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    Ui ui;
    const auto before = drawn(ui, *surface, state);
    int kinds = 0;
    for (surface->bind(); ui.prepareNext(); surface->bind()) ASSERT_LT(++kinds, 100);
    EXPECT_GT(kinds, 10);
    EXPECT_TRUE(surface->readPixels() == before);
    ui.compileAtMost(0);
    for (const BlockView view : {BlockView::flat, BlockView::solid}) {
        apply(state, SetBlockView{view});
        for (const auto follows : {MapFollows::block, MapFollows::grid}) {
            for (const Scenario& scenario : allScenarios()) {
                state.edit.experiment = initialExperiment(scenario);
                state.shown = state.edit.experiment;
                apply(state, FitMap{follows});
                (void)drawn(ui, *surface, state);
                EXPECT_TRUE(ui.complete()) << scenario.id;
            }
        }
    }
}

}  // namespace
}  // namespace warplens::window
