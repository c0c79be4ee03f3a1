#include <cmath>
#include <gtest/gtest.h>

#include "app/drawing/map_layout.h"

namespace warplens {
namespace {

MapArea areaOf(float width = 700, float height = 500) {
    MapArea area;
    area.width = width;
    area.height = height;
    area.left = 30;
    area.above = 40;
    return area;
}

TEST(MapCamera, FittedToABlockHasItsLinesOnWholePixels) {
    for (const Extents block : {Extents{32, 32, 1}, {5, 7, 3}, {33, 1, 1}, {4, 2, 8}}) {
        const MapArea area = areaOf();
        const MapLayout layout = layOutMap({.grid = {9, 9, 1}, .block = block}, area);
        const MapCamera camera = fittedToBlock(layout, area, {4, 4, 0});
        EXPECT_EQ(camera.cell, std::floor(camera.cell));
        const Point corner = pixelAt(camera, layout, area, cornerOf(layout, {4, 4, 0}, {}));
        EXPECT_NEAR(corner.x + 0.5F, std::round(corner.x + 0.5F), 1e-3);
        EXPECT_NEAR(corner.y + 0.5F, std::round(corner.y + 0.5F), 1e-3);
        EXPECT_GE(corner.x + 0.5F, area.left);
        EXPECT_GE(corner.y + 0.5F, area.above);
    }
}

TEST(MapCamera, FittedToABlockAtTheMapsEdgeLeavesItsRoomToNeighbours) {
    const MapArea area = areaOf();
    const MapLayout layout = layOutMap({.grid = {9, 9, 1}, .block = {16, 16, 1}}, area);
    const auto cornerAt = [&](Index3 block) {
        const MapCamera camera = fittedToBlock(layout, area, block);
        return pixelAt(camera, layout, area, cornerOf(layout, block, {}));
    };
    const float right = area.width - static_cast<float>(layout.fittedCell * layout.block.width());
    const auto margin = static_cast<float>(layout.marginX() * layout.fittedCell);
    EXPECT_NEAR(cornerAt({0, 4, 0}).x, area.left + margin, 2)
        << "to a whole pixel, half a line further";
    EXPECT_NEAR(cornerAt({4, 4, 0}).x, (area.left + right) / 2, 1);
    EXPECT_NEAR(cornerAt({8, 4, 0}).x, right - margin, 2);
    const MapLayout alone = layOutMap({.grid = {1, 1, 1}, .block = {16, 16, 1}}, area);
    const Point corner =
        pixelAt(fittedToBlock(alone, area, {}), alone, area, cornerOf(alone, {}, {}));
    EXPECT_NEAR(corner.x, (area.left + right) / 2, 1) << "with nothing beside it, in the middle";
}

TEST(MapCamera, FittedToTheGridHasItsFirstAndLastBlockOnTheSheet) {
    for (const Extents grid : {Extents{1, 1, 1}, {5, 4, 1}, {2147483647u, 1, 1}, {3, 3, 50}}) {
        const MapArea area = areaOf();
        const MapLayout layout = layOutMap({.grid = grid, .block = {16, 16, 1}}, area);
        const MapCamera camera = fittedToGrid(layout, area);
        const Point first = pixelAt(camera, layout, area, {{0, 0}, 0, 0});
        const Point last = pixelAt(camera, layout, area,
                                   {{static_cast<std::int64_t>(layout.placesX()) - 1,
                                     static_cast<std::int64_t>(layout.placesY()) - 1},
                                    layout.pitchX,
                                    layout.pitchY});
        EXPECT_GE(first.x, -0.01F) << toString(grid);
        EXPECT_GE(first.y, -0.01F) << toString(grid);
        EXPECT_LE(last.x, area.width + 0.01F) << toString(grid);
        EXPECT_LE(last.y, area.height + 0.01F) << toString(grid);
        EXPECT_NEAR(first.x, area.width - last.x, 0.05F) << toString(grid);
    }
}

TEST(MapCamera, FittedToAGridOfSmallBlocksHasRoomForNumbersAboveThem) {
    MapArea area = areaOf(900, 600);
    area.gapY = 20;
    const MapLayout layout = layOutMap({.grid = {63, 63, 1}, .block = {16, 16, 1}}, area);
    const MapCamera camera = fittedToGrid(layout, area);
    EXPECT_GE(pixelAt(camera, layout, area, {{0, 0}, 0, 0}).y, area.above);
    EXPECT_LE(pixelAt(camera, layout, area, {{0, 63}, 0, 0}).y, area.height);
}

TEST(MapCamera, ZoomingKeepsWhatIsUnderThePointer) {
    const MapArea area = areaOf();
    const MapLayout layout = layOutMap({.grid = {2147483647u, 1, 1}, .block = {32, 1, 1}}, area);
    // Also at the map's ends, as long as the pointer is on it.
    for (const Index3 far : {Index3{0, 0, 0}, {1234567890, 0, 0}, {2147483646u, 0, 0}}) {
        MapCamera camera = fittedToBlock(layout, area, far);
        MapPoint under = cornerOf(layout, far, {});
        under.x += 7.25;
        under.y += 0.5;
        const Point pixel = pixelAt(camera, layout, area, under);
        for (int i = 0; i < 10; ++i) camera = zoomed(camera, layout, area, 1.25, pixel);
        for (int i = 0; i < 30; ++i) camera = zoomed(camera, layout, area, 1 / 1.25, pixel);
        for (int i = 0; i < 20; ++i) camera = zoomed(camera, layout, area, 1.25, pixel);
        const Point now = pixelAt(camera, layout, area, under);
        EXPECT_NEAR(now.x, pixel.x, 0.01) << far.x;
        EXPECT_NEAR(now.y, pixel.y, 0.01) << far.x;
    }
}

/// One movement: from the whole of the largest grid to a single lane of its last block.
TEST(MapCamera, ZoomsFromTheWholeOfTheLargestGridToOneLane) {
    const MapArea area = areaOf();
    const Launch launch{.grid = {2147483647u, 65535, 65535}, .block = {32, 32, 1}};
    const MapLayout layout = layOutMap(launch, area);
    const Index3 block{2147483646u, 65534, 65534};
    const Index3 thread{31, 31, 0};
    MapPoint lane = cornerOf(layout, block, thread);
    lane.x += 0.5;
    lane.y += 0.5;
    MapCamera camera = fittedToGrid(layout, area);
    EXPECT_EQ(detailOf(layout, camera.cell), MapDetail::field);
    int notches = 0;
    double before = 0;
    while (camera.cell > before) {
        before = camera.cell;
        // The lane's pixel drifts at first, where a pixel is far wider than what is looked for.
        camera = zoomed(camera, layout, area, 1.5, pixelAt(camera, layout, area, lane));
        ++notches;
    }
    EXPECT_LT(notches, 120);
    EXPECT_GE(camera.cell, 0.6 * area.height);
    const auto hit = pick(camera, layout, area, pixelAt(camera, layout, area, lane));
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->block, block);
    EXPECT_EQ(hit->thread, thread);
}

TEST(MapCamera, StaysOnTheMapHoweverFarItIsPulled) {
    const MapArea area = areaOf();
    const MapLayout layout = layOutMap({.grid = {5, 4, 1}, .block = {16, 16, 1}}, area);
    const MapCamera camera = fittedToGrid(layout, area);
    for (const Point pull : {Point{1e7F, 1e7F}, {-1e7F, 0}, {0, -1e7F}}) {
        const MapCamera pulled = panned(camera, layout, area, pull.x, pull.y);
        const Point first = pixelAt(pulled, layout, area, {{0, 0}, 0, 0});
        const Point last = pixelAt(pulled, layout, area, {{5, 4}, 0, 0});
        EXPECT_LT(first.x, 0.96F * area.width);
        EXPECT_LT(first.y, 0.96F * area.height);
        EXPECT_GT(last.x, 0.04F * area.width);
        EXPECT_GT(last.y, 0.04F * area.height);
    }
    EXPECT_EQ(zoomed(camera, layout, area, 0, {}), camera);
    EXPECT_EQ(zoomed(camera, layout, area, std::nan(""), {}), camera);
}

TEST(MapCamera, PanningMovesByExactlyTheDrag) {
    const MapArea area = areaOf();
    const MapLayout layout = layOutMap({.grid = {50, 40, 1}, .block = {16, 16, 1}}, area);
    const MapCamera camera = fittedToBlock(layout, area, {20, 20, 0});
    const MapPoint point = pointAt(camera, layout, area, {300, 200});
    const Point now = pixelAt(panned(camera, layout, area, 37, -21), layout, area, point);
    EXPECT_NEAR(now.x, 337, 1e-3);
    EXPECT_NEAR(now.y, 179, 1e-3);
}

TEST(MapCamera, NamesThreadsThenWarpsThenBlocksThenFields) {
    const MapArea area = areaOf();
    const MapLayout layout = layOutMap({.grid = {4000, 4000, 1}, .block = {8, 32, 1}}, area);
    EXPECT_EQ(detailOf(layout, 10), MapDetail::threads);
    EXPECT_EQ(detailOf(layout, 1), MapDetail::warps);
    EXPECT_EQ(detailOf(layout, 0.4), MapDetail::blocks);
    EXPECT_EQ(detailOf(layout, 0.01), MapDetail::field);
    MapCamera camera = fittedToBlock(layout, area, {7, 9, 0});
    const auto at = [&](double cell) {
        camera.cell = cell;
        return *pick(camera, layout, area, {area.width / 2, area.height / 2});
    };
    EXPECT_TRUE(at(10).thread);
    EXPECT_FALSE(at(1).thread);
    EXPECT_TRUE(at(1).warp);
    EXPECT_FALSE(at(0.4).warp);
    EXPECT_EQ(at(0.4).block, (Index3{7, 9, 0}));
}

TEST(MapCamera, KeepsItsBlockWhenTheLaunchIsLaidOutAnew) {
    const MapArea area = areaOf();
    const MapLayout from = layOutMap({.grid = {40, 40, 1}, .block = {32, 8, 1}}, area);
    const MapLayout to = layOutMap({.grid = {40, 40, 1}, .block = {8, 32, 1}}, area);
    const MapCamera camera = fittedToBlock(from, area, {11, 13, 0});
    const MapCamera after = carriedOver(camera, from, to, area);
    EXPECT_EQ(blockAt(to, after.centre.place), (Index3{11, 13, 0}));
    const MapLayout small = layOutMap({.grid = {2, 2, 1}, .block = {8, 32, 1}}, area);
    EXPECT_EQ(blockAt(small, carriedOver(camera, from, small, area).centre.place),
              (Index3{1, 1, 0}));
}

TEST(MapCamera, NeighboursShowFaintBesideAFittedBlockAndFullyFurtherAway) {
    const MapArea area = areaOf();
    const MapLayout layout = layOutMap({.grid = {40, 40, 1}, .block = {16, 16, 1}}, area);
    const MapCamera fitted = fittedToBlock(layout, area, {3, 3, 0});
    EXPECT_LT(neighbourStrength(fitted, layout, area, {3, 3, 0}), 0.2F);
    const MapCamera away = zoomed(fitted, layout, area, 0.4, {350, 250});
    EXPECT_EQ(neighbourStrength(away, layout, area, {3, 3, 0}), 1.0F);
}

}  // namespace
}  // namespace warplens
