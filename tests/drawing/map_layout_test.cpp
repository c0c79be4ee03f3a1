#include "app/drawing/map_layout.h"

#include <gtest/gtest.h>
#include <random>

namespace warplens {
namespace {

MapArea layoutAreaOf(float width, float height) {
    MapArea area;
    area.width = width;
    area.height = height;
    return area;
}

const std::vector<Extents> grids{{1, 1, 1},
                                 {5, 4, 1},
                                 {1000, 1, 1},
                                 {2147483647u, 1, 1},
                                 {2147483647u, 2, 1},
                                 {2147483647u, 1, 2},
                                 {1, 65535, 1},
                                 {1, 1, 65535},
                                 {1, 65535, 65535},
                                 {65535, 65535, 1},
                                 {2147483647u, 1, 65535},
                                 {2147483647u, 65535, 65535}};

TEST(MapLayout, PlaceOfIsUndoneByBlockAt) {
    std::mt19937_64 random(3);
    for (const Extents grid : grids) {
        for (const Extents block : {Extents{32, 1, 1}, {16, 16, 1}, {4, 2, 8}, {1, 1, 64}}) {
            const MapLayout layout =
                layOutMap({.grid = grid, .block = block}, layoutAreaOf(700, 500));
            for (int i = 0; i < 300; ++i) {
                const auto index = [&](std::uint32_t extent) {
                    return i == 0   ? 0
                           : i == 1 ? extent - 1
                                    : static_cast<std::uint32_t>(random() % extent);
                };
                const Index3 at{index(grid.x), index(grid.y), index(grid.z)};
                const MapPlace place = placeOf(layout, at);
                ASSERT_GE(place.column, 0);
                ASSERT_GE(place.row, 0);
                ASSERT_LT(static_cast<std::uint64_t>(place.column), layout.placesX());
                ASSERT_LT(static_cast<std::uint64_t>(place.row), layout.placesY());
                ASSERT_EQ(blockAt(layout, place), at) << toString(grid);
            }
        }
    }
}

TEST(MapLayout, BlocksAtPlacesAreAllDifferentAndComplete) {
    for (const Extents grid : {Extents{7, 1, 1}, {100, 1, 1}, {3, 5, 1}, {3, 5, 4}, {200, 2, 3}}) {
        const MapLayout layout =
            layOutMap({.grid = grid, .block = {8, 4, 1}}, layoutAreaOf(600, 400));
        std::uint64_t found = 0;
        for (std::uint64_t row = 0; row < layout.placesY(); ++row) {
            for (std::uint64_t column = 0; column < layout.placesX(); ++column) {
                const MapPlace place{static_cast<std::int64_t>(column),
                                     static_cast<std::int64_t>(row)};
                const auto block = blockAt(layout, place);
                if (!block) continue;
                ++found;
                ASSERT_EQ(placeOf(layout, *block), place);
            }
        }
        EXPECT_EQ(found, grid.count()) << toString(grid);
    }
}

TEST(MapLayout, CountsPlacesAndPiecesIn32Bits) {
    for (const Extents grid : grids) {
        for (const MapArea& area :
             {layoutAreaOf(700, 500), layoutAreaOf(100, 900), layoutAreaOf(1900, 90)}) {
            for (const Extents block : {Extents{1, 1, 1}, {1024, 1, 1}, {1, 1024, 1}}) {
                const MapLayout layout = layOutMap({.grid = grid, .block = block}, area);
                EXPECT_LT(layout.placesX(), UINT32_MAX) << toString(grid);
                EXPECT_LT(layout.placesY(), UINT32_MAX) << toString(grid);
                EXPECT_LE(layout.pieceCount(), UINT32_MAX) << toString(grid);
            }
        }
    }
}

TEST(MapLayout, FoldsALongLineIntoRowsAndLeavesAShortOne) {
    const MapLayout line =
        layOutMap({.grid = {2147483647u, 1, 1}, .block = {256, 1, 1}}, layoutAreaOf(700, 500));
    EXPECT_TRUE(line.folded());
    EXPECT_EQ(line.gap, 0u);
    const double aspect = static_cast<double>(line.placesX()) * line.pitchX /
                          (static_cast<double>(line.placesY()) * line.pitchY);
    EXPECT_GT(aspect, 0.6);
    EXPECT_LT(aspect, 3.2);
    EXPECT_FALSE(
        layOutMap({.grid = {2, 1, 1}, .block = {32, 32, 1}}, layoutAreaOf(700, 300)).folded());
}

TEST(MapLayout, BlocksStandFurtherApartThanTheSlicesOfOne) {
    const MapLayout layout =
        layOutMap({.grid = {2, 2, 1}, .block = {4, 2, 8}}, layoutAreaOf(700, 500));
    EXPECT_GT(2 * layout.marginX(), layout.block.gapX);
    EXPECT_GT(2 * layout.marginY(), layout.block.gapY);
}

}  // namespace
}  // namespace warplens
