#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "app/window/state/command.h"

namespace warplens::window {
namespace {

AppState stateWith(Extents block) {
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    apply(state, SetBlock{block});
    return state;
}

TEST(SolidViewCommands, TurningGoesRoundAndTiltingStopsAtThePoles) {
    AppState state = stateWith({5, 7, 3});
    const float turn = state.solid.turn;
    for (int i = 0; i < 36; ++i) apply(state, TurnSolid{10, 10});
    EXPECT_NEAR(state.solid.turn, turn, 1e-3F);
    EXPECT_EQ(state.solid.tilt, 90);
    apply(state, TurnSolid{0, -1000});
    EXPECT_EQ(state.solid.tilt, -90);
}

TEST(SolidViewCommands, StayWithinTheirBoundsAndIgnoreWhatIsNoNumber) {
    AppState state = stateWith({5, 7, 3});
    apply(state, FrameSolid{1e9F, -1e9F, 1e9F});
    EXPECT_EQ(state.solid.zoom, largestZoom);
    EXPECT_EQ(state.solid.panX, -farthestPan);
    EXPECT_EQ(state.solid.panY, farthestPan);
    apply(state, SpreadWarps{50});
    EXPECT_EQ(state.solid.apart, farthestApart);
    const SolidView before = state.solid;
    const float none = std::numeric_limits<float>::quiet_NaN();
    apply(state, FrameSolid{none, 0, 0});
    apply(state, FrameSolid{1, none, 0});
    apply(state, TurnSolid{INFINITY, 0});
    apply(state, TurnSolid{0, none});
    apply(state, SpreadWarps{none});
    apply(state, SliceSolid{3, {0, 0}});
    EXPECT_EQ(state.solid, before);
}

TEST(SolidViewCommands, SlicesLieInsideTheBlockAndHoldAtLeastOneIndex) {
    AppState state = stateWith({5, 7, 3});
    apply(state, SliceSolid{0, {1, 3}});
    EXPECT_EQ(state.solid.slices[0], (IndexRange{1, 3}));
    apply(state, SliceSolid{0, {3, 1}});
    EXPECT_EQ(state.solid.slices[0], (IndexRange{3, 3}));
    apply(state, SliceSolid{2, {9, 9}});
    EXPECT_EQ(state.solid.slices[2], (IndexRange{2, UINT32_MAX}));
    apply(state, SliceSolid{0, {0, 4}});
    apply(state, SliceSolid{2, {0, 2}});
    EXPECT_EQ(state.solid, SolidView{});
}

TEST(SolidViewCommands, AnotherBlockIsWholeAndSeenFromTheSameSide) {
    AppState state = stateWith({5, 7, 3});
    apply(state, TurnSolid{20, 5});
    apply(state, SpreadWarps{0.5F});
    apply(state, SliceSolid{1, {2, 2}});
    apply(state, FrameSolid{3, 1, 1});
    const SolidView seen = state.solid;
    apply(state, SetBlock{{0, 7, 3}});  // cannot be drawn: what is shown stays
    EXPECT_EQ(state.solid, seen);
    apply(state, SetBlock{{7, 5, 3}});
    EXPECT_EQ(state.solid, (SolidView{.turn = seen.turn, .tilt = seen.tilt, .apart = seen.apart}));
    apply(state, ResetSolid{});
    EXPECT_EQ(state.solid, SolidView{});
}

TEST(SolidViewCommands, TheViewIsChosenAndLeavesTheSolidAsItWas) {
    AppState state = stateWith({5, 7, 3});
    apply(state, TurnSolid{20, 5});
    const SolidView seen = state.solid;
    apply(state, SetBlockView{BlockView::solid});
    EXPECT_EQ(state.view, BlockView::solid);
    apply(state, SetBlockView{BlockView::flat});
    EXPECT_EQ(state.view, BlockView::flat);
    EXPECT_EQ(state.solid, seen);
}

}  // namespace
}  // namespace warplens::window
