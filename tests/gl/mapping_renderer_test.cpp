#include "app/window/gl/mapping_renderer.h"

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>

#include "app/window/gl/offscreen_surface.h"
#include "app/window/window.h"

namespace warplens::window {
namespace {

constexpr PixelSize size{720, 600};
constexpr Rgb ground = 0x101418;

class MappingRendererGl : public testing::Test {
  protected:
    void SetUp() override {
        try {
            surface_ = std::make_unique<OffscreenSurface>(size);
        } catch (const WindowUnavailable& unavailable) {
            GTEST_SKIP() << "NO OPENGL, NOTHING TESTED: " << unavailable.what();
        }
        renderer_ = std::make_unique<MappingRenderer>();
    }
    void TearDown() override {
        renderer_.reset();
        surface_.reset();
    }

    std::vector<unsigned char> drawn(const MappingPicture& picture) {
        surface_->bind();
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        renderer_->draw(picture, size);
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        return surface_->readPixels();
    }

    static Rgb at(const std::vector<unsigned char>& pixels, float x, float y) {
        const auto index =
            3 * (static_cast<std::size_t>(y) * size.width + static_cast<std::size_t>(x));
        return static_cast<Rgb>(pixels.at(index)) << 16 |
               static_cast<Rgb>(pixels.at(index + 1)) << 8 | pixels.at(index + 2);
    }

    static MappingPicture pictureOf(const BlockLayout& layout) {
        MappingPicture picture{};
        picture.what = ThreadsPicture{layout};
        picture.rect = {12, 20, layout.width(), layout.height()};
        picture.ground = ground;
        picture.outline = 0xffffff;
        return picture;
    }

    std::unique_ptr<OffscreenSurface> surface_;
    std::unique_ptr<MappingRenderer> renderer_;
};

/// Every pixel of the picture shows the warp that picking finds there, and nothing where it finds
/// no thread. The shader's own formula is judged by core's.
void compareEveryCell(const BlockLayout& layout, const std::vector<unsigned char>& pixels,
                      auto&& colorAt) {
    for (float y = 0.5F; y < layout.height(); y += 1) {
        for (float x = 0.5F; x < layout.width(); x += 1) {
            const auto thread = threadAt(layout, {x, y});
            if (!thread) continue;
            const Point corner = cornerOf(layout, *thread);
            // The last pixel of a large cell is the line between cells.
            const bool line = layout.cell >= 4 &&
                              (x - corner.x > layout.cell - 1 || y - corner.y > layout.cell - 1);
            if (line) continue;
            const WarpRank warp = warpRankInBlock(threadRankInBlock(*thread, layout.block));
            ASSERT_EQ(colorAt(pixels, 12 + x, 20 + y), colorOf(warp))
                << toString(layout.block) << " thread " << thread->x << ',' << thread->y << ','
                << thread->z << " at " << x << ',' << y;
        }
    }
}

TEST_F(MappingRendererGl, ShowsTheWarpThatPickingFindsAtEveryPixel) {
    std::vector<Extents> blocks{{1, 1, 1},    {31, 1, 1},  {32, 1, 1},  {33, 1, 1},  {7, 5, 1},
                                {4, 2, 8},    {1, 1, 64},  {5, 7, 3},   {32, 32, 1}, {1024, 1, 1},
                                {1, 1024, 1}, {512, 2, 1}, {1000, 1, 1}};
    std::mt19937 random(5);
    while (blocks.size() < 60) {
        const Extents block{1 + static_cast<std::uint32_t>(random() % 64),
                            1 + static_cast<std::uint32_t>(random() % 48),
                            1 + static_cast<std::uint32_t>(random() % 12)};
        if (validate(Launch{.grid = {}, .block = block}).empty()) blocks.push_back(block);
    }
    for (const Extents block : blocks) {
        const BlockLayout layout = layOutBlock(block, 690, 560, 20, 18, 60);
        compareEveryCell(layout, drawn(pictureOf(layout)), at);
        if (HasFatalFailure()) return;
    }
}

TEST_F(MappingRendererGl, LeavesOtherWarpsInTheGroundWhenOneIsHeld) {
    const BlockLayout layout = layOutBlock({16, 16, 1}, 690, 560, 20, 18, 30);
    MappingPicture picture = pictureOf(layout);
    picture.heldWarp = 2;
    const auto pixels = drawn(picture);
    const auto colorOfThread = [&](Index3 thread) {
        const Point corner = cornerOf(layout, thread);
        return at(pixels, 12 + corner.x + layout.cell / 2, 20 + corner.y + layout.cell / 2);
    };
    EXPECT_EQ(colorOfThread({0, 4, 0}), colorOf({2}));
    EXPECT_NE(colorOfThread({0, 0, 0}), colorOf({0}));
}

TEST_F(MappingRendererGl, HatchesThreadsOutsideTheProblem) {
    const BlockLayout layout = layOutBlock({64, 1, 1}, 690, 560, 20, 18, 20);
    MappingPicture picture = pictureOf(layout);
    picture.outside.at(1) = 0xffffff00u;
    const auto pixels = drawn(picture);
    const auto shows = [&](std::uint32_t x) {
        const Point corner = cornerOf(layout, {x, 0, 0});
        for (float d = 1; d < layout.cell - 1; d += 1) {
            if (at(pixels, 12 + corner.x + d, 20 + corner.y + 3) == colorOf({1})) return true;
        }
        return false;
    };
    EXPECT_TRUE(shows(32 + 7));
    EXPECT_FALSE(shows(32 + 8));
}

TEST_F(MappingRendererGl, DrawsIdleLanesHollow) {
    MappingPicture picture{};
    picture.what = WarpsPicture{{33, 1, 1}, 20, 20};
    picture.rect = {12, 20, 640, 40};
    picture.ground = ground;
    picture.outline = 0xffffff;
    const auto pixels = drawn(picture);
    EXPECT_EQ(at(pixels, 12 + 10, 20 + 30), colorOf({1}));    // lane 0 of warp 1
    EXPECT_EQ(at(pixels, 12 + 20, 20 + 30), 0xffffffu);       // lane 1: its outline
    EXPECT_EQ(at(pixels, 12 + 20 + 10, 20 + 30), 0x000000u);  // and nothing inside
}

TEST_F(MappingRendererGl, DrawsTheLargestGridsAndTheirEdges) {
    for (const Extents grid : {Extents{1, 1, 1},
                               {63, 63, 1},
                               {1000, 1, 1},
                               {65535, 65535, 1},
                               {2147483647u, 1, 1},
                               {2147483647u, 65535, 1}}) {
        const GridLayout layout = layOutGrid(grid, 0, 400, 300, 40);
        MappingPicture picture{};
        picture.what = GridPicture{layout, {16, 16, 1}, {}};
        picture.rect = {12, 20, layout.width(), layout.height()};
        picture.ground = ground;
        picture.blockColor = 0x3366cc;
        const auto pixels = drawn(picture);
        EXPECT_EQ(at(pixels, 13, 21), 0x3366ccu) << toString(grid);
    }
}

TEST_F(MappingRendererGl, ColoursBlocksThatStickOutOfTheProblem) {
    const GridLayout layout = layOutGrid({4, 4, 1}, 0, 160, 160, 40);
    MappingPicture picture{};
    picture.what = GridPicture{layout, {16, 16, 1}, {.x = 40, .y = 32}};
    picture.rect = {12, 20, 160, 160};
    picture.ground = ground;
    picture.blockColor = 0x3366cc;
    picture.edgeColor = 0xcc9933;
    const auto pixels = drawn(picture);
    EXPECT_EQ(at(pixels, 12 + 20, 20 + 20), 0x3366ccu);
    EXPECT_EQ(at(pixels, 12 + 100, 20 + 20), 0xcc9933u);
    EXPECT_NE(at(pixels, 12 + 140, 20 + 20), 0xcc9933u);
    EXPECT_NE(at(pixels, 12 + 20, 20 + 100), 0x3366ccu);
}

TEST_F(MappingRendererGl, AShaderThatIsWrongGivesItsLog) {
    try {
        const Program program("#version 330 core\nvoid main() { gl_Position = nothing; }",
                              "#version 330 core\nvoid main() {}");
        FAIL() << "compiled";
    } catch (const ShaderError& error) {
        EXPECT_NE(std::string(error.what()).find("nothing"), std::string::npos);
    }
}

}  // namespace
}  // namespace warplens::window
