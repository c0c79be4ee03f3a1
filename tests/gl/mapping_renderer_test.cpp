#include "app/window/gl/mapping_renderer.h"

#include <algorithm>
#include <glad/gl.h>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>

#include "tests/gl/gl_fixture.h"
#include "tests/support/refusal.h"

namespace warplens::window {
namespace {

constexpr PixelSize size{720, 600};
constexpr Rgb background = 0x101418;
constexpr float left = 12;
constexpr float top = 20;

class MappingRendererGl : public GlTest {
  protected:
    MappingRendererGl() : GlTest(size) {}

    void SetUp() override {
        GlTest::SetUp();
        if (surface_ == nullptr) return;
        renderer_ = std::make_unique<MappingRenderer>();
    }
    void TearDown() override {
        renderer_.reset();
        surface_.reset();
    }

    std::vector<unsigned char> drawn(const MapPicture& picture) {
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

    /// One block fitted into the picture.
    static MapPicture pictureOf(Extents block, float largestCell, Extents grid = {}) {
        MapPicture map{};
        map.area = areaOf(largestCell);
        map.layout = layOutMap({.grid = grid, .block = block}, map.area);
        map.camera = fittedToBlock(map.layout, map.area, {});
        map.guard = {.block = block, .rest = {}};
        map.caseColors.fill(0x3366cc);
        map.rect = {left, top, map.area.width, map.area.height};
        map.background = background;
        map.outline = 0xffffff;
        return map;
    }
    static MapArea areaOf(float largestCell) {
        MapArea area;
        area.width = 690;
        area.height = 560;
        area.left = 30;
        area.above = 30;
        area.gapX = 20;
        area.gapY = 18;
        area.largestCell = largestCell;
        return area;
    }
    static Point cornerIn(const MapPicture& map, Index3 thread) {
        const Point corner =
            pixelAt(map.camera, map.layout, map.area, cornerOf(map.layout, {}, thread));
        return {corner.x + left, corner.y + top};
    }

    std::unique_ptr<MappingRenderer> renderer_;
};

/// Every pixel of a fitted block shows the warp that picking finds there. The shader's own formula
/// is judged by core's.
TEST_F(MappingRendererGl, ShowsTheWarpThatPickingFindsAtEveryPixel) {
    std::vector<Extents> blocks{{1, 1, 1},    {31, 1, 1},  {32, 1, 1},  {33, 1, 1},  {7, 5, 1},
                                {4, 2, 8},    {1, 1, 64},  {5, 7, 3},   {32, 32, 1}, {1024, 1, 1},
                                {1, 1024, 1}, {512, 2, 1}, {1000, 1, 1}};
    std::mt19937 random(5);
    while (blocks.size() < 40) {
        const Extents block{1 + static_cast<std::uint32_t>(random() % 64),
                            1 + static_cast<std::uint32_t>(random() % 48),
                            1 + static_cast<std::uint32_t>(random() % 12)};
        if (validate(Launch{.grid = {}, .block = block}).empty()) blocks.push_back(block);
    }
    for (const Extents block : blocks) {
        MapPicture picture = pictureOf(block, 60);
        const MapPicture& map = picture;
        if (map.camera.cell < 6) continue;
        const auto pixels = drawn(picture);
        std::size_t compared = 0;
        for (float y = 0.5F; y < map.area.height; y += 1) {
            for (float x = 0.5F; x < map.area.width; x += 1) {
                const auto hit = pick(map.camera, map.layout, map.area, {x, y});
                if (!hit || !hit->thread) continue;
                const Point corner = cornerIn(map, *hit->thread);
                const float inX = x + left - corner.x;
                const float inY = y + top - corner.y;
                const auto cell = static_cast<float>(map.camera.cell);
                // Half of the line on either side belongs to the cell.
                if (std::min({inX, inY, cell - inX, cell - inY}) < 0.75F) continue;
                const WarpRank warp = warpRankInBlock(threadRankInBlock(*hit->thread, block));
                ASSERT_EQ(at(pixels, x + left, y + top), colorOf(warp))
                    << toString(block) << " at " << x << ',' << y;
                ++compared;
            }
        }
        EXPECT_GT(compared, block.count()) << toString(block);
    }
}

TEST_F(MappingRendererGl, LeavesOtherWarpsInTheBackgroundWhenOneIsHeld) {
    MapPicture picture = pictureOf({16, 16, 1}, 30);
    picture.heldWarp = 2;
    const auto pixels = drawn(picture);
    const auto colorOfThread = [&](Index3 thread) {
        const Point corner = cornerIn(picture, thread);
        const auto half = static_cast<float>(picture.camera.cell / 2);
        return at(pixels, corner.x + half, corner.y + half);
    };
    EXPECT_EQ(colorOfThread({0, 4, 0}), colorOf({2}));
    EXPECT_NE(colorOfThread({0, 0, 0}), colorOf({0}));
}

TEST_F(MappingRendererGl, HatchesThreadsWithoutAnElementOfTheirOwn) {
    MapPicture picture = pictureOf({64, 1, 1}, 20);
    picture.guard = guardOf({40, 1, 1}, {64, 1, 1});
    const auto pixels = drawn(picture);
    const auto shows = [&](std::uint32_t x) {
        const Point corner = cornerIn(picture, {x, 0, 0});
        for (float d = 1; d < static_cast<float>(picture.camera.cell) - 1; d += 1) {
            if (at(pixels, corner.x + d, corner.y + 3) == colorOf({1})) return true;
        }
        return false;
    };
    EXPECT_TRUE(shows(32 + 7));
    EXPECT_FALSE(shows(32 + 8));
}

/// The lanes that a 1D block's last warp has no threads for, in their row.
TEST_F(MappingRendererGl, DrawsIdleLanesOfALineHollow) {
    MapPicture picture = pictureOf({33, 1, 1}, 20);
    const MapPicture& map = picture;
    const auto pixels = drawn(picture);
    const Point corner = cornerIn(map, {32, 0, 0});
    const auto cell = static_cast<float>(map.camera.cell);
    EXPECT_EQ(at(pixels, corner.x + cell / 2, corner.y + cell / 2), colorOf({1}));
    EXPECT_EQ(at(pixels, corner.x + 1.5F * cell, corner.y + 1), 0xffffffu);
    EXPECT_NE(at(pixels, corner.x + 1.5F * cell, corner.y + cell / 2), 0xffffffu);
}

TEST_F(MappingRendererGl, AShaderThatIsWrongGivesItsLog) {
    const std::string why = tests::refusal<ShaderError>([&] {
        Program program("#version 330 core\nvoid main() { gl_Position = nothing; }",
                        "#version 330 core\nvoid main() {}");
        program.check();
    });
    EXPECT_NE(why.find("nothing"), std::string::npos);
}

}  // namespace
}  // namespace warplens::window
