#include "app/window/gl/block3d_renderer.h"

#include <algorithm>
#include <glad/gl.h>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>

#include "app/drawing/block3d_camera.h"
#include "core/launch/launch.h"
#include "tests/gl/gl_fixture.h"

namespace warplens::window {
namespace {

constexpr PixelSize size{640, 480};
constexpr Rgb background = 0x101418;

class Block3dRendererGl : public GlTest {
  protected:
    Block3dRendererGl() : GlTest(size) {}

    void SetUp() override {
        GlTest::SetUp();
        if (surface_ == nullptr) return;
        renderer_ = std::make_unique<Block3dRenderer>();
    }
    void TearDown() override {
        renderer_.reset();
        surface_.reset();
    }

    /// Once, or until it comes out no smoother.
    std::vector<unsigned char> drawn(const Block3dPicture& picture) {
        while (!drawnOnce(picture)) {
        }
        return surface_->readPixels();
    }
    bool drawnOnce(const Block3dPicture& picture) {
        surface_->bind();
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        const bool smooth = renderer_->draw(picture, size);
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        return smooth;
    }

    static Rgb at(const std::vector<unsigned char>& pixels, Point point) {
        const auto index = 3 * (static_cast<std::size_t>(point.y) * size.width +
                                static_cast<std::size_t>(point.x));
        return static_cast<Rgb>(pixels.at(index)) << 16 |
               static_cast<Rgb>(pixels.at(index + 1)) << 8 | pixels.at(index + 2);
    }

    std::unique_ptr<Block3dRenderer> renderer_;
};

/// A block, as it is looked at and as it is drawn.
struct Seen final {
    Block3dLayout layout;
    Block3dCamera camera;
    Block3dPicture picture;
};

Seen seen(Extents block, const Block3dView& view, std::optional<WarpRank> held = {}) {
    Seen result{layOutBlock3d(block, view), {}, {}};
    result.camera = lookAt(result.layout, view, {size.width, size.height, 40, 10, 20, 30, 90});
    result.picture.rect = {0, 0, size.width, size.height};
    result.picture.toClip = result.camera.toClip;
    result.picture.faces = facesTowards(result.layout, result.camera.eye, held);
    result.picture.background = background;
    result.picture.outline = 0xffffff;
    return result;
}

// At a pixel's centre the rasteriser and the ray may differ only where two cubes meet: there the
// points around it do not all hit the same cube.
TEST_F(Block3dRendererGl, ShowsAtEveryPointTheCubeThatPickingFindsThere) {
    std::mt19937 random(17);
    const auto upTo = [&](float most) {
        return std::uniform_real_distribution<float>(0, most)(random);
    };
    std::vector<Extents> blocks{{1, 1, 1},   {33, 1, 1}, {5, 7, 3},    {8, 8, 8},
                                {32, 32, 1}, {1, 1, 64}, {1024, 1, 1}, {1, 1024, 1},
                                {128, 4, 2}, {16, 8, 8}, {10, 10, 10}, {3, 100, 1}};
    while (blocks.size() < 60) {
        const Extents block{1 + static_cast<std::uint32_t>(random() % 40),
                            1 + static_cast<std::uint32_t>(random() % 40),
                            1 + static_cast<std::uint32_t>(random() % 16)};
        if (validate(Launch{.grid = {}, .block = block}).empty()) blocks.push_back(block);
    }
    std::size_t compared = 0;
    std::size_t onCubes = 0;
    for (const Extents block : blocks) {
        Block3dView view{.turn = upTo(360), .tilt = upTo(180) - 90, .zoom = 0.6F + upTo(3)};
        view.panX = upTo(2) - 1;
        view.panY = upTo(2) - 1;
        if (random() % 2 == 0) view.apart = upTo(2);
        if (random() % 2 == 0) {
            const std::array extents{block.x, block.y, block.z};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const auto first = static_cast<std::uint32_t>(random() % extents.at(axis));
                view.slices.at(axis) = {
                    first, first + static_cast<std::uint32_t>(random() % extents.at(axis))};
            }
        }
        std::optional<WarpRank> held;
        if (random() % 2 == 0) {
            held = WarpRank{static_cast<std::uint32_t>(random() % warpCountPerBlock(block))};
        }
        const Seen block3d = seen(block, view, held);
        const auto numbers = renderer_->identify(block3d.picture);
        ASSERT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        for (int i = 0; i < 500; ++i) {
            const auto x = static_cast<std::uint32_t>(random() % size.width);
            const auto y = static_cast<std::uint32_t>(random() % size.height);
            const Point centre{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F};
            const auto found = cubeAt(block3d.layout, block3d.camera, centre, held);
            constexpr float near = 0.06F;
            bool alone = true;
            for (const Point step :
                 {Point{near, near}, {near, -near}, {-near, near}, {-near, -near}}) {
                alone = alone && found == cubeAt(block3d.layout, block3d.camera,
                                                 {centre.x + step.x, centre.y + step.y}, held);
            }
            if (!alone) continue;
            ++compared;
            if (found) ++onCubes;
            ASSERT_EQ(numbers.at(y * size.width + x), found ? *found + 1 : 0)
                << toString(block) << " turned " << view.turn << " tilted " << view.tilt << " at "
                << x << ',' << y;
        }
    }
    EXPECT_GT(compared, 25'000u);
    EXPECT_GT(onCubes, 5'000u);
}

TEST_F(Block3dRendererGl, ShowsTheFrontInTheColoursOfTheFlatPicture) {
    Block3dView view;
    view.turn = 0;
    view.tilt = 0;
    const Seen block3d = seen({8, 8, 1}, view);
    const auto pixels = drawn(block3d.picture);
    for (const Block3dFace& face : block3d.picture.faces) {
        const Point centre = block3d.camera.project(face.centre());
        ASSERT_EQ(at(pixels, centre), warplens::colorOf(warpRankInBlock({face.rank})));
    }
    EXPECT_EQ(at(pixels, {3, 3}), background);
}

TEST_F(Block3dRendererGl, ShowsAHeldWarpThroughTheOthers) {
    Block3dView view;
    view.turn = 0;
    view.tilt = 0;
    const Seen block3d = seen({8, 4, 3}, view, WarpRank{1});  // the slice in the middle
    const auto pixels = drawn(block3d.picture);
    const Point centre = block3d.camera.project({1.5F, 1.5F, 1});
    const Rgb shown = at(pixels, centre);
    // Through one veil of an eighth, so nearer to its own colour than to any other's.
    const auto distance = [&](Rgb color) {
        int sum = 0;
        for (const unsigned shift : {16u, 8u, 0u}) {
            sum += std::abs(static_cast<int>(shown >> shift & 255) -
                            static_cast<int>(color >> shift & 255));
        }
        return sum;
    };
    EXPECT_LT(distance(warplens::colorOf(WarpRank{1})), 80);
    EXPECT_GT(distance(warplens::colorOf(WarpRank{0})), 150);
    EXPECT_GT(distance(background), 150);
}

TEST_F(Block3dRendererGl, HatchesThreadsOutsideTheProblemAndLeavesIdleLanesHollow) {
    Block3dView view;
    view.turn = 0;
    view.tilt = 0;
    Seen block3d = seen({40, 1, 1}, view);
    block3d.picture.wasted.at(0) = 1u << 5;
    const auto pixels = drawn(block3d.picture);
    const auto colorsOf = [&](glm::vec3 corner) {
        std::set<Rgb> colors;
        for (float u = 0.2F; u < 0.8F; u += 0.03F) {
            colors.insert(at(pixels, block3d.camera.project(corner + glm::vec3(u, u, 0))));
        }
        return colors;
    };
    EXPECT_EQ(colorsOf({4, 0, 0}).size(), 1u);
    EXPECT_FALSE(colorsOf({5, 0, 0}).contains(warplens::colorOf(WarpRank{0})));
    EXPECT_TRUE(colorsOf({7, 1, 0}).contains(warplens::colorOf(WarpRank{1})));
    EXPECT_EQ(colorsOf({8, 1, 0}), std::set<Rgb>{background});  // idle
}

TEST_F(Block3dRendererGl, DrawsAgainWhatHasChangedAndOnlyThat) {
    Block3dView view;
    const auto first = drawn(seen({5, 7, 3}, view).picture);
    EXPECT_EQ(drawn(seen({5, 7, 3}, view).picture), first);
    view.turn += 10;
    EXPECT_NE(drawn(seen({5, 7, 3}, view).picture), first);
    view.turn -= 10;
    EXPECT_EQ(drawn(seen({5, 7, 3}, view).picture), first);
}

// Drawn by a processor, as tests are, smooth edges cost more than a frame has.
TEST_F(Block3dRendererGl, EdgesAreSmoothAsSoonAsItRests) {
    if (!surface_->renderer().starts_with("llvmpipe")) GTEST_SKIP() << "drawn by a GPU";
    Block3dView view;
    const auto smooth = drawn(seen({5, 7, 3}, view).picture);
    EXPECT_TRUE(drawnOnce(seen({5, 7, 3}, view).picture));
    view.turn += 10;
    EXPECT_TRUE(drawnOnce(seen({5, 7, 3}, view).picture)) << "one step is no motion";
    view.turn -= 10;
    EXPECT_FALSE(drawnOnce(seen({5, 7, 3}, view).picture));
    EXPECT_NE(surface_->readPixels(), smooth);
    EXPECT_TRUE(drawnOnce(seen({5, 7, 3}, view).picture));
    EXPECT_EQ(surface_->readPixels(), smooth);
}

TEST_F(Block3dRendererGl, StaysInsideItsRectangleAndTheScissor) {
    Block3dPicture picture = seen({5, 7, 3}, {}).picture;
    picture.rect = {100, 50, 300, 200};
    surface_->bind();
    glDisable(GL_SCISSOR_TEST);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 250, size.height);
    renderer_->draw(picture, size);
    glDisable(GL_SCISSOR_TEST);
    const auto pixels = surface_->readPixels();
    EXPECT_EQ(at(pixels, {99, 60}), 0xff0000u);
    EXPECT_EQ(at(pixels, {101, 49}), 0xff0000u);
    EXPECT_EQ(at(pixels, {101, 51}), background);
    EXPECT_EQ(at(pixels, {249, 249}), background);
    EXPECT_EQ(at(pixels, {251, 100}), 0xff0000u);
    EXPECT_EQ(at(pixels, {101, 251}), 0xff0000u);
}

}  // namespace
}  // namespace warplens::window
