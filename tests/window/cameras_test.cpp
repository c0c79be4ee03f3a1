#include "app/window/state/cameras.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "app/drawing/elements.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"

namespace warplens::window {
namespace {

AppState stateOfMap(const char* scenario) {
    AppState state = initialState({initialExperiment(scenarioNamed(scenario)), true},
                                  std::make_shared<RecordingLibrary>(), true);
    MapArea area;
    area.width = 700;
    area.height = 500;
    apply(state, SetMapArea{area});
    return state;
}

MapCamera cameraOf(const AppState& state) {
    return mapCamera(state, mapLayout(state));
}

TEST(MapView, StartsWithTheChosenBlockAndFollowsIt) {
    AppState state = stateOfMap("picture-76x62");
    EXPECT_EQ(state.view.map, MapFollows::block);
    apply(state, ChooseBlock{{3, 2, 0}});
    EXPECT_EQ(blockAt(mapLayout(state), cameraOf(state).centre.place), (Index3{3, 2, 0}));
}

TEST(MapView, ZoomingSetsTheCameraFreeFromWhereItWas) {
    AppState state = stateOfMap("picture-76x62");
    const MapCamera before = cameraOf(state);
    apply(state, ZoomMap{2, Point{100, 120}});
    EXPECT_EQ(state.view.map, MapFollows::nothing);
    EXPECT_DOUBLE_EQ(cameraOf(state).cell, 2 * before.cell);
    const MapLayout layout = mapLayout(state);
    const Point there = pixelAt(cameraOf(state), layout, state.map.area,
                                pointAt(before, layout, state.map.area, {100, 120}));
    EXPECT_NEAR(there.x, 100, 1e-3);
    EXPECT_NEAR(there.y, 120, 1e-3);
}

TEST(MapView, AKeyZoomsAboutTheChosenBlockWhereItIsInSight) {
    AppState state = stateOfMap("picture-76x62");
    const auto middle = [&] {
        const MapLayout layout = mapLayout(state);
        return pixelAt(
            cameraOf(state), layout, state.map.area,
            {placeOf(layout, state.view.block), layout.pitchX / 2.0, layout.pitchY / 2.0});
    };
    const Point before = middle();
    EXPECT_GT(std::abs(before.x - state.map.area.width / 2), 1) << "it stands at the map's edge";
    apply(state, ZoomMap{2});
    EXPECT_NEAR(middle().x, before.x, 1e-3);
    EXPECT_NEAR(middle().y, before.y, 1e-3);
    // Of one that is out of sight nothing is known to whoever looks.
    apply(state, ZoomMap{8, Point{650, 450}});
    const MapCamera away = cameraOf(state);
    EXPECT_LT(middle().x, 0);
    apply(state, ZoomMap{0.5});
    EXPECT_NEAR(cameraOf(state).centre.x, away.centre.x, 1e-3);
}

TEST(MapView, NonsenseMovesNothing) {
    AppState state = stateOfMap("picture-76x62");
    const MapView before = state.map;
    for (const double factor : {0.0, -2.0, std::nan(""), HUGE_VAL}) {
        apply(state, ZoomMap{factor});
    }
    apply(state, PanMap{std::nan(""), 0});
    apply(state, ZoomMap{2, Point{std::nanf(""), 3}});
    apply(state, ZoomMap{2, Point{3, HUGE_VALF}});
    EXPECT_EQ(state.map, before);
}

TEST(MapView, ASheetWithALengthThatIsNoneIsNotTaken) {
    AppState state = stateOfMap("picture-76x62");
    const MapView before = state.map;
    for (float MapArea::*length :
         {&MapArea::width, &MapArea::height, &MapArea::left, &MapArea::above, &MapArea::gapX,
          &MapArea::gapY, &MapArea::largestCell, &MapArea::line}) {
        for (const float nonsense : {-1.0F, std::nanf(""), HUGE_VALF, 1e9F}) {
            MapArea area = before.area;
            area.*length = nonsense;
            apply(state, SetMapArea{area});
            EXPECT_EQ(state.map, before) << nonsense;
        }
    }
    MapArea none = before.area;
    none.width = 0;
    apply(state, SetMapArea{none});
    EXPECT_EQ(state.map, before);
}

TEST(MapView, HoweverFarAMoveGoesPartOfTheMapStaysInSight) {
    AppState state = stateOfMap("picture-76x62");
    for (const double far : {1e12, -1e12, 1e300, -1e300}) {
        apply(state, PanMap{far, far});
        const MapCamera camera = cameraOf(state);
        const MapLayout layout = mapLayout(state);
        EXPECT_GE(camera.centre.place.column, -static_cast<std::int64_t>(layout.placesX())) << far;
        EXPECT_LE(camera.centre.place.column, 2 * static_cast<std::int64_t>(layout.placesX()))
            << far;
        EXPECT_TRUE(std::isfinite(camera.centre.x) && std::isfinite(camera.centre.y)) << far;
    }
}

TEST(MapView, AFitLastsThroughEditsAndEndsWithTheFirstMove) {
    AppState state = stateOfMap("matadd-coalesced");
    apply(state, Show{.map = MapFollows::grid});
    apply(state, SetBlock{{32, 8, 1}});
    EXPECT_EQ(cameraOf(state), fittedToGrid(mapLayout(state), state.map.area));
    apply(state, PanMap{10, 0});
    EXPECT_EQ(state.view.map, MapFollows::nothing);
}

TEST(MapView, AFreeCameraKeepsItsBlockThroughEdits) {
    AppState state = stateOfMap("matadd-coalesced");
    apply(state, ChooseBlock{{9, 14, 0}});
    apply(state, ZoomMap{0.7});
    apply(state, SetBlock{{32, 8, 1}});
    EXPECT_EQ(blockAt(mapLayout(state), state.map.camera.centre.place), (Index3{9, 14, 0}));
    MapArea wider = state.map.area;
    wider.width = 1100;
    apply(state, SetMapArea{wider});
    EXPECT_EQ(blockAt(mapLayout(state), state.map.camera.centre.place), (Index3{9, 14, 0}));
}

TEST(MapView, AnotherScenarioStartsWithItsFirstBlock) {
    AppState state = stateOfMap("matadd-coalesced");
    apply(state, ZoomMap{0.1});
    apply(state, ChooseScenario{"picture-76x62"});
    EXPECT_EQ(state.view.map, MapFollows::block);
}

TEST(MapView, CentringMovesAFreeCameraAlone) {
    AppState state = stateOfMap("matadd-coalesced");
    apply(state, CentreMap{{5, 6, 0}});
    EXPECT_EQ(state.view.map, MapFollows::block);
    apply(state, ZoomMap{0.5});
    const double cell = cameraOf(state).cell;
    apply(state, CentreMap{{5, 6, 0}});
    EXPECT_EQ(blockAt(mapLayout(state), cameraOf(state).centre.place), (Index3{5, 6, 0}));
    EXPECT_EQ(cameraOf(state).cell, cell);
}

TEST(MapView, KeysZoomFitPanAndChangeTheNumbers) {
    AppState state = stateOfMap("picture-76x62");
    const auto press = [&](KeyPress key) {
        const auto command = commandFor(state, key, false);
        ASSERT_TRUE(command);
        apply(state, *command);
    };
    const double before = cameraOf(state).cell;
    press({'='});
    EXPECT_GT(cameraOf(state).cell, before);
    press({'-'});
    press({'-'});
    EXPECT_LT(cameraOf(state).cell, before);
    press({'F'});
    EXPECT_EQ(state.view.map, MapFollows::block);
    press({'F'});
    EXPECT_EQ(state.view.map, MapFollows::grid);
    press({262, true, false});
    EXPECT_EQ(state.view.map, MapFollows::nothing);
    for (const CellNumbers numbers :
         {CellNumbers::coordinates, CellNumbers::rank, CellNumbers::element, CellNumbers::warp}) {
        press({'E'});
        EXPECT_EQ(state.view.numbers, numbers);
    }
}

/// The picture's guard and the numbers beside it come from the same problem.
TEST(MapView, TheGuardWastesWhatCoverageCountsForEveryScenario) {
    for (const Scenario& scenario : allScenarios()) {
        for (const Extents block : {Extents{32, 1, 1}, {9, 2, 1}, {16, 16, 1}, {4, 2, 8}}) {
            Experiment experiment = initialExperiment(scenario);
            experiment.launch.block = block;
            experiment.launch.grid = {7, 3, 2};
            const Kernel& kernel = kernelOf(scenario.kernel);
            std::uint64_t wasted = 0;
            for (const auto& count : countBlockCases(blockGuard(experiment), {7, 3, 2})) {
                wasted += count.wasted;
            }
            const std::uint64_t counted =
                kernel.work.empty()
                    ? 0
                    : coverageOf(experiment.launch, kernel.work(experiment.arguments)).wasted();
            EXPECT_EQ(wasted, counted) << scenario.id << ' ' << toString(block);
        }
    }
}

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
