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

}  // namespace
}  // namespace warplens::window
