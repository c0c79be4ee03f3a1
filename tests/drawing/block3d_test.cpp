#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <random>

#include "app/drawing/block3d_camera.h"
#include "app/drawing/block3d_faces.h"
#include "core/launch/launch.h"

namespace warplens {
namespace {

std::vector<Extents> blocksOfAllKinds() {
    std::vector<Extents> blocks{{1, 1, 1},    {31, 1, 1},   {32, 1, 1},   {33, 1, 1},  {7, 5, 1},
                                {4, 2, 8},    {1, 1, 64},   {5, 7, 3},    {32, 32, 1}, {1024, 1, 1},
                                {1, 1024, 1}, {512, 2, 1},  {1000, 1, 1}, {100, 3, 1}, {100, 2, 3},
                                {128, 2, 4},  {3, 100, 1},  {2, 96, 4},   {33, 5, 1},  {64, 4, 1},
                                {8, 8, 8},    {10, 10, 10}, {24, 7, 3},   {2, 2, 2},   {16, 16, 4}};
    std::mt19937 random(11);
    while (blocks.size() < 120) {
        const Extents block{1 + static_cast<std::uint32_t>(random() % 130),
                            1 + static_cast<std::uint32_t>(random() % 130),
                            1 + static_cast<std::uint32_t>(random() % 20)};
        if (validate(Launch{.grid = {}, .block = block}).empty()) blocks.push_back(block);
    }
    return blocks;
}

Block3dView anyView(std::mt19937& random) {
    const auto upTo = [&](float most) {
        return std::uniform_real_distribution<float>(-most, most)(random);
    };
    return {.turn = upTo(180), .tilt = upTo(89)};
}

TEST(Block3dLayout, HoldsEveryThreadOnceInTheOrderOfRanks) {
    for (const Extents block : blocksOfAllKinds()) {
        const Block3dLayout layout = layOutBlock3d(block, {});
        for (std::uint32_t rank = 0; rank < block.count(); ++rank) {
            ASSERT_EQ(layout.cubes.at(rank).rank, rank) << toString(block);
        }
    }
}

TEST(Block3dLayout, NoTwoCubesOverlapHoweverFarApartTheWarpsAre) {
    for (const Extents block : blocksOfAllKinds()) {
        for (const float apart : {0.0F, 0.1F, 0.7F, 1.0F, 2.0F}) {
            Block3dView view;
            view.apart = apart;
            const auto cubes = layOutBlock3d(block, view).cubes;
            for (std::size_t i = 0; i < cubes.size(); ++i) {
                for (std::size_t j = i + 1; j < cubes.size(); ++j) {
                    const glm::vec3 between = glm::abs(cubes[i].corner - cubes[j].corner);
                    ASSERT_GE(std::max({between.x, between.y, between.z}), 0.999F)
                        << toString(block) << " ranks " << cubes[i].rank << " and " << cubes[j].rank
                        << ", warps " << apart << " apart";
                }
            }
        }
    }
}

TEST(Block3dLayout, PutsWarpsApartThatWouldTouch) {
    for (const Extents block : blocksOfAllKinds()) {
        Block3dView view;
        view.apart = 1;
        const auto cubes = layOutBlock3d(block, view).cubes;
        for (const Block3dCube& a : cubes) {
            for (const Block3dCube& b : cubes) {
                if (a.rank / lanesPerWarp == b.rank / lanesPerWarp) continue;
                const glm::vec3 between = glm::abs(a.corner - b.corner);
                const float sum = between.x + between.y + between.z;
                ASSERT_GT(sum, 1.5F) << toString(block) << " ranks " << a.rank << " and " << b.rank;
            }
        }
    }
}

TEST(Block3dLayout, CutsAwayWhatLiesOutsideTheSlicesAndKeepsItsPlace) {
    Block3dView view;
    view.slices = {{{1, 3}, {}, {2, 2}}};
    const Block3dLayout whole = layOutBlock3d({5, 7, 3}, {});
    const Block3dLayout sliced = layOutBlock3d({5, 7, 3}, view);
    EXPECT_EQ(sliced.cubes.size(), 3u * 7 * 1);
    EXPECT_EQ(sliced.low, whole.low);
    EXPECT_EQ(sliced.high, whole.high);
    for (const Block3dCube& cube : sliced.cubes) {
        const Index3 thread = threadIndexInBlock({cube.rank}, {5, 7, 3});
        EXPECT_TRUE(thread.x >= 1 && thread.x <= 3 && thread.z == 2);
        EXPECT_EQ(cube.corner, whole.cubes.at(cube.rank).corner);
    }
}

TEST(Block3dLayout, ShowsTheIdleLanesOfARowAndOfWarpsThatAreApart) {
    EXPECT_EQ(layOutBlock3d({33, 1, 1}, {}).cubes.size(), 64u);
    EXPECT_EQ(layOutBlock3d({5, 7, 3}, {}).cubes.size(), 105u);
    Block3dView view;
    view.apart = 1;
    EXPECT_EQ(layOutBlock3d({5, 7, 3}, view).cubes.size(), 128u);
    view.slices[2] = {0, 1};
    EXPECT_EQ(layOutBlock3d({5, 7, 3}, view).cubes.size(), 70u);
}

TEST(Block3dLayout, CutsARowIntoWarps) {
    const Block3dLayout layout = layOutBlock3d({1024, 1, 1}, {});
    EXPECT_EQ(layout.high - layout.low, glm::vec3(32, 32, 1));
    EXPECT_EQ(layout.cubes.at(67).cell, glm::ivec3(3, 2, 0));
}

TEST(Block3dCamera, ShowsTheWholeBlockHoweverItIsTurned) {
    std::mt19937 random(3);
    for (const Extents block : blocksOfAllKinds()) {
        for (int i = 0; i < 40; ++i) {
            Block3dView view = anyView(random);
            view.apart = i % 2 == 0 ? 0.0F : 1.5F;
            const Block3dLayout layout = layOutBlock3d(block, view);
            const Block3dCamera camera = lookAt(layout, view, {700, 400, 60, 20, 10, 30, 80});
            for (int corner = 0; corner < 8; ++corner) {
                const glm::vec3 place{(corner & 1) != 0 ? layout.high.x : layout.low.x,
                                      (corner & 2) != 0 ? layout.high.y : layout.low.y,
                                      (corner & 4) != 0 ? layout.high.z : layout.low.z};
                const Point seen = camera.project(place);
                ASSERT_TRUE(seen.x >= 59.9F && seen.x <= 680.1F && seen.y >= 9.9F &&
                            seen.y <= 370.1F)
                    << toString(block) << " turned " << view.turn << " tilted " << view.tilt << ": "
                    << seen.x << ',' << seen.y;
            }
        }
    }
}

TEST(Block3dCamera, KeepsTheSizeOfACubeWhileItIsTurned) {
    float least = 1e9F;
    float most = 0;
    for (float turn = -180; turn < 180; turn += 5) {
        Block3dView view;
        view.turn = turn;
        const float size =
            lookAt(layOutBlock3d({8, 8, 8}, view), view, {.width = 700, .height = 400})
                .pixelsPerCube;
        least = std::min(least, size);
        most = std::max(most, size);
    }
    EXPECT_LT(most, 1.15F * least);
}

TEST(Block3dCamera, ShowsXToTheRightYDownAndTheFirstSliceInFront) {
    Block3dView view;
    view.turn = 0;
    view.tilt = 0;
    const Block3dLayout layout = layOutBlock3d({4, 4, 4}, view);
    const Block3dCamera camera =
        lookAt(layout, view, {.width = 400, .height = 400, .largestCube = 60});
    const Point first = camera.project({0.5F, 0.5F, 0});
    EXPECT_GT(camera.project({1.5F, 0.5F, 0}).x, first.x);
    EXPECT_GT(camera.project({0.5F, 1.5F, 0}).y, first.y);
    EXPECT_LT(camera.eye.z, 0);
    EXPECT_EQ(cubeAt(layout, camera, first, {}), 0u);
}

TEST(Block3dCamera, LooksAtTheMiddleOfItsPictureAlongTheRayOfThatPoint) {
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        Block3dView view = anyView(random);
        view.zoom = 3;
        view.panX = 2;
        view.panY = -1;
        const Block3dLayout layout = layOutBlock3d({6, 5, 4}, view);
        const Block3dCamera camera =
            lookAt(layout, view, {.width = 640, .height = 480, .largestCube = 80});
        const Point point{static_cast<float>(random() % 640), static_cast<float>(random() % 480)};
        const glm::vec3 place = camera.eye + camera.directionThrough(point);
        const Point seen = camera.project(place);
        ASSERT_NEAR(seen.x, point.x, 0.01F);
        ASSERT_NEAR(seen.y, point.y, 0.01F);
    }
}

TEST(Block3dCamera, ZoomingKeepsWhatLiesUnderThePointer) {
    Block3dView view;
    const Block3dLayout layout = layOutBlock3d({16, 8, 4}, view);
    const Block3dCamera camera =
        lookAt(layout, view, {.width = 640, .height = 480, .largestCube = 80});
    const Point pointer{420, 170};
    const glm::vec3 place = camera.eye + camera.directionThrough(pointer);
    view = zoomedAt(view, camera, pointer, 3);
    view = zoomedAt(view, lookAt(layout, view, {.width = 640, .height = 480, .largestCube = 80}),
                    pointer, 1.7F);
    const Point after =
        lookAt(layout, view, {.width = 640, .height = 480, .largestCube = 80}).project(place);
    EXPECT_NEAR(after.x, pointer.x, 0.05F);
    EXPECT_NEAR(after.y, pointer.y, 0.05F);
}

TEST(Block3dCamera, FindsTheCubeInTheMiddleOfEveryFaceOfABlock3dBlock) {
    std::mt19937 random(5);
    for (const Extents block :
         {Extents{5, 7, 3}, {8, 8, 8}, {32, 4, 2}, {1, 1, 64}, {1024, 1, 1}}) {
        for (int i = 0; i < 20; ++i) {
            const Block3dView view = anyView(random);
            const Block3dLayout layout = layOutBlock3d(block, view);
            const Block3dCamera camera =
                lookAt(layout, view, {.width = 900, .height = 700, .largestCube = 80});
            for (const Block3dFace& face : facesTowards(layout, camera.eye, {})) {
                ASSERT_EQ(cubeAt(layout, camera, camera.project(face.centre()), {}), face.rank)
                    << toString(block);
            }
        }
    }
}

TEST(Block3dCamera, SeesTheHeldWarpThroughTheOthersAndThreadsThroughIdleLanes) {
    Block3dView view;
    view.turn = 0;
    view.tilt = 0;
    const Block3dLayout layout = layOutBlock3d({8, 4, 3}, view);  // a slice is a warp
    const Block3dCamera camera =
        lookAt(layout, view, {.width = 400, .height = 400, .largestCube = 60});
    const Point middle{200, 210};
    EXPECT_LT(*cubeAt(layout, camera, middle, {}), 32u);
    EXPECT_EQ(*cubeAt(layout, camera, middle, WarpRank{2}) / lanesPerWarp, 2u);
    EXPECT_EQ(cubeAt(layout, camera, {2, 2}, WarpRank{2}), std::nullopt);

    view.apart = 1;
    view.turn = 180;  // from behind, where the idle lanes of 5 x 7 x 3 lie
    const Block3dLayout apart = layOutBlock3d({5, 7, 3}, view);
    const Block3dCamera behind =
        lookAt(apart, view, {.width = 400, .height = 400, .largestCube = 60});
    bool seenThrough = false;
    for (const Block3dCube& cube : apart.cubes) {
        if (cube.rank < 105) continue;
        const auto found = cubeAt(apart, behind, behind.project(cube.corner + 0.5F), {});
        ASSERT_TRUE(found);
        seenThrough = seenThrough || *found < 105;
    }
    EXPECT_TRUE(seenThrough);
}

TEST(Block3dFaces, OfABlock3dBlockAreThoseOfItsHull) {
    const Block3dLayout layout = layOutBlock3d({5, 7, 3}, {});
    const Block3dCamera camera =
        lookAt(layout, {}, {.width = 640, .height = 480, .largestCube = 80});
    EXPECT_EQ(facesTowards(layout, camera.eye, {}).size(), 5u * 7 + 5 * 3 + 7 * 3);
}

TEST(Block3dFaces, OfAWarpThatIsHeldAreWholeAndComeFirst) {
    const Block3dLayout layout = layOutBlock3d({8, 8, 3}, {});
    const Block3dCamera camera =
        lookAt(layout, {}, {.width = 640, .height = 480, .largestCube = 80});
    const auto faces = facesTowards(layout, camera.eye, WarpRank{2});
    std::size_t full = 0;
    while (full < faces.size() && faces[full].layer == Block3dLayer::full) ++full;
    EXPECT_EQ(full, 8u * 4 + 8 * 1 + 4 * 1);  // a plate of 8 x 4 x 1
    for (std::size_t i = full + 1; i < faces.size(); ++i) {
        EXPECT_EQ(faces[i].layer, Block3dLayer::receded);
        EXPECT_GE(glm::distance(faces[i - 1].centre(), camera.eye) + 1e-3F,
                  glm::distance(faces[i].centre(), camera.eye));
    }
}

}  // namespace
}  // namespace warplens
