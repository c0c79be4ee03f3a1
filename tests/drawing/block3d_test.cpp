#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "app/drawing/block3d_layout.h"
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

TEST(Block3dFaces, OfAWarpThatIsHeldAreWhole) {
    const Block3dLayout layout = layOutBlock3d({8, 8, 3}, {});
    const Block3dCamera camera =
        lookAt(layout, {}, {.width = 640, .height = 480, .largestCube = 80});
    const auto faces = facesTowards(layout, camera.eye, WarpRank{2});
    EXPECT_EQ(std::ranges::count(faces, Block3dLayer::full, &Block3dFace::layer),
              8 * 4 + 8 * 1 + 4 * 1);  // a plate of 8 x 4 x 1
}

/// Whether the point lies in the face as it is drawn.
bool covers(const Block3dFace& face, const Block3dCamera& camera, Point point) {
    const std::array corners{camera.project(face.at(0, 0)), camera.project(face.at(1, 0)),
                             camera.project(face.at(1, 1)), camera.project(face.at(0, 1))};
    int sides = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const Point a = corners.at(i);
        const Point b = corners.at((i + 1) % 4);
        const float side = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
        sides += side > 0 ? 1 : -1;
    }
    return std::abs(sides) == 4;
}

// What is drawn last lies on top. Where two cubes meet, the ray and the drawing may differ: there
// the points around it do not all hit the same cube.
TEST(Block3dFaces, ShowAtEveryPointTheCubeThatPickingFindsThere) {
    std::mt19937 random(17);
    const auto upTo = [&](float most) {
        return std::uniform_real_distribution<float>(0, most)(random);
    };
    std::size_t compared = 0;
    std::size_t onCubes = 0;
    for (const Extents block : blocksOfAllKinds()) {
        Block3dView view{.turn = upTo(360), .tilt = upTo(180) - 90, .zoom = 0.6F + upTo(3)};
        view.panX = upTo(2) - 1;
        view.panY = upTo(2) - 1;
        if (random() % 2 == 0) view.apart = upTo(2);
        const std::array extents{block.x, block.y, block.z};
        for (std::size_t axis = 0; axis < 3 && random() % 2 == 0; ++axis) {
            const auto first = static_cast<std::uint32_t>(random() % extents.at(axis));
            view.slices.at(axis) = {
                first, first + static_cast<std::uint32_t>(random() % extents.at(axis))};
        }
        std::optional<WarpRank> held;
        if (random() % 2 == 0) {
            held = WarpRank{static_cast<std::uint32_t>(random() % warpCountPerBlock(block))};
        }
        const Block3dLayout layout = layOutBlock3d(block, view);
        const Block3dCamera camera = lookAt(layout, view, {640, 480, 40, 10, 20, 30, 90});
        const auto faces = facesTowards(layout, camera.eye, held);
        for (int i = 0; i < 100; ++i) {
            const Point point{upTo(640), upTo(480)};
            const auto found = cubeAt(layout, camera, point, held);
            constexpr float near = 0.06F;
            bool alone = true;
            for (const Point step :
                 {Point{near, near}, {near, -near}, {-near, near}, {-near, -near}}) {
                alone = alone &&
                        found == cubeAt(layout, camera, {point.x + step.x, point.y + step.y}, held);
            }
            if (!alone) continue;
            // Full ones are seen through the others.
            std::optional<std::uint32_t> shown;
            auto layer = Block3dLayer::hollow;
            for (const Block3dFace& face : faces) {
                if (face.layer > layer || !covers(face, camera, point)) continue;
                layer = face.layer;
                shown = face.rank;
            }
            ++compared;
            onCubes += found ? 1 : 0;
            ASSERT_EQ(shown, found) << toString(block) << " turned " << view.turn << " tilted "
                                    << view.tilt << " apart " << view.apart;
        }
    }
    EXPECT_GT(compared, 10'000u);
    EXPECT_GT(onCubes, 2'000u);
}

drawing::Block3dPicture pictureOf(Extents block, const drawing::Block3dLook& look) {
    const auto width = [](std::string_view words, drawing::Face, float size) {
        return 0.6F * size * static_cast<float>(words.size());
    };
    return drawing::prepareBlock3d(
        block, {.turn = 0, .tilt = 0}, look,
        {{10, 20, 650, 500}, {.background = 0x101010, .faint = 0x808080}, width, 14.5F});
}

template <class Kind>
std::vector<Kind> itemsOf(const drawing::Block3dPicture& picture) {
    std::vector<Kind> found;
    for (const drawing::Item& item : picture.items) {
        if (const auto* one = std::get_if<Kind>(&item)) found.push_back(*one);
    }
    return found;
}

TEST(Block3dPicture, ShowsTheFrontInTheColoursOfTheFlatPictureWithTheWarpsNumbers) {
    const drawing::Block3dPicture picture = pictureOf({8, 8, 1}, {});
    std::map<Rgb, int> colors;
    for (const drawing::Quad& quad : itemsOf<drawing::Quad>(picture)) ++colors[quad.color];
    EXPECT_EQ(colors[colorOf(WarpRank{0})], 32);
    EXPECT_EQ(colors[colorOf(WarpRank{1})], 32);
    const auto texts = itemsOf<drawing::Text>(picture);
    EXPECT_EQ(std::ranges::count_if(
                  texts, [](const auto& text) { return text.face == drawing::Face::strong; }),
              64);
    EXPECT_TRUE(std::ranges::any_of(
        texts, [](const auto& text) { return text.words == "threadIdx.x  0 … 7"; }));
}

TEST(Block3dPicture, ShowsAHeldWarpThroughTheOthersAndIdleLanesHollow) {
    for (const drawing::Quad& quad :
         itemsOf<drawing::Quad>(pictureOf({8, 4, 3}, {.held = WarpRank{1}}))) {
        if (quad.edgeWidth == 0) continue;  // the head of an arrow
        EXPECT_EQ(quad.opacity == 1, quad.color == colorOf(WarpRank{1}));
    }
    // 24 lanes, of which the front and one other side are seen.
    const auto quads = itemsOf<drawing::Quad>(pictureOf({40, 1, 1}, {}));
    EXPECT_EQ(std::ranges::count(quads, 0.0F, &drawing::Quad::opacity), 2 * 24);
}

TEST(Block3dPicture, HatchesThreadsWithoutAnElement) {
    drawing::Block3dLook look;
    const std::size_t lines = itemsOf<drawing::Line>(pictureOf({40, 1, 1}, look)).size();
    look.wasted.at(0) = 1u << 5;
    const auto hatched = itemsOf<drawing::Line>(pictureOf({40, 1, 1}, look));
    EXPECT_GT(hatched.size(), lines + 2);
    EXPECT_EQ(hatched.front().color, mixed(0x101010, colorOf(WarpRank{0}), 0.88F));
}

}  // namespace
}  // namespace warplens
