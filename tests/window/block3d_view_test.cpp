#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "app/window/state/apply.h"

namespace warplens::window {
namespace {

AppState stateWith(Extents block) {
    AppState state = initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    apply(state, SetBlock{block});
    return state;
}

TEST(Block3dViewCommands, TurningGoesRoundAndTiltingStopsAtThePoles) {
    AppState state = stateWith({5, 7, 3});
    const float turn = state.block3d.turn;
    for (int i = 0; i < 36; ++i) apply(state, TurnBlock3d{10, 10});
    EXPECT_NEAR(state.block3d.turn, turn, 1e-3F);
    EXPECT_EQ(state.block3d.tilt, 90);
    apply(state, TurnBlock3d{0, -1000});
    EXPECT_EQ(state.block3d.tilt, -90);
}

TEST(Block3dViewCommands, StayWithinTheirBoundsAndIgnoreWhatIsNoNumber) {
    AppState state = stateWith({5, 7, 3});
    apply(state, FrameBlock3d{1e9F, -1e9F, 1e9F});
    EXPECT_EQ(state.block3d.zoom, largestZoom);
    EXPECT_EQ(state.block3d.panX, -farthestPan);
    EXPECT_EQ(state.block3d.panY, farthestPan);
    apply(state, SpreadWarps{50});
    EXPECT_EQ(state.block3d.apart, farthestApart);
    const Block3dView before = state.block3d;
    const float none = std::numeric_limits<float>::quiet_NaN();
    apply(state, FrameBlock3d{none, 0, 0});
    apply(state, FrameBlock3d{1, none, 0});
    apply(state, TurnBlock3d{INFINITY, 0});
    apply(state, TurnBlock3d{0, none});
    apply(state, SpreadWarps{none});
    apply(state, SliceBlock3d{3, {0, 0}});
    EXPECT_EQ(state.block3d, before);
}

TEST(Block3dViewCommands, SlicesLieInsideTheBlockAndHoldAtLeastOneIndex) {
    AppState state = stateWith({5, 7, 3});
    apply(state, SliceBlock3d{0, {1, 3}});
    EXPECT_EQ(state.block3d.slices[0], (IndexRange{1, 3}));
    apply(state, SliceBlock3d{0, {3, 1}});
    EXPECT_EQ(state.block3d.slices[0], (IndexRange{3, 3}));
    apply(state, SliceBlock3d{2, {9, 9}});
    EXPECT_EQ(state.block3d.slices[2], (IndexRange{2, UINT32_MAX}));
    apply(state, SliceBlock3d{0, {0, 4}});
    apply(state, SliceBlock3d{2, {0, 2}});
    EXPECT_EQ(state.block3d, Block3dView{});
}

TEST(Block3dViewCommands, AnotherBlockIsWholeAndSeenFromTheSameSide) {
    AppState state = stateWith({5, 7, 3});
    apply(state, TurnBlock3d{20, 5});
    apply(state, SpreadWarps{0.5F});
    apply(state, SliceBlock3d{1, {2, 2}});
    apply(state, FrameBlock3d{3, 1, 1});
    const Block3dView seen = state.block3d;
    apply(state, SetBlock{{0, 7, 3}});  // cannot be drawn: what is shown stays
    EXPECT_EQ(state.block3d, seen);
    apply(state, SetBlock{{7, 5, 3}});
    EXPECT_EQ(state.block3d,
              (Block3dView{.turn = seen.turn, .tilt = seen.tilt, .apart = seen.apart}));
    apply(state, ResetBlock3d{});
    EXPECT_EQ(state.block3d, Block3dView{});
}

TEST(Block3dViewCommands, TheViewIsChosenAndLeavesTheBlock3dAsItWas) {
    AppState state = stateWith({5, 7, 3});
    apply(state, TurnBlock3d{20, 5});
    const Block3dView seen = state.block3d;
    apply(state, Show{.picture = PictureKind::block3d});
    EXPECT_EQ(state.view.picture, PictureKind::block3d);
    apply(state, Show{.picture = PictureKind::threads});
    EXPECT_EQ(state.view.picture, PictureKind::threads);
    EXPECT_EQ(state.block3d, seen);
}

}  // namespace
}  // namespace warplens::window
