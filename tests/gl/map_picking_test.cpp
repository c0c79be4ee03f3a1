#include <glad/gl.h>
#include <gtest/gtest.h>
#include <memory>
#include <random>

#include "app/drawing/map_layout.h"
#include "app/window/gl/mapping_renderer.h"
#include "tests/gl/gl_fixture.h"

namespace warplens::window {
namespace {

constexpr PixelSize size{640, 480};
constexpr std::size_t pointsWanted = 10'000;
constexpr std::size_t pointsPerPicture = 25;

/// A framebuffer that holds four integers for each pixel.
class IdentityTarget final {
  public:
    IdentityTarget() {
        glGenRenderbuffers(1, &buffer_);
        glBindRenderbuffer(GL_RENDERBUFFER, buffer_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32UI, size.width, size.height);
        glGenFramebuffers(1, &framebuffer_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer_);
        EXPECT_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER),
                  static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE));
        glViewport(0, 0, size.width, size.height);
    }
    IdentityTarget(const IdentityTarget&) = delete;
    IdentityTarget& operator=(const IdentityTarget&) = delete;
    ~IdentityTarget() {
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteRenderbuffers(1, &buffer_);
    }

    void draw(MappingRenderer& renderer, const MapPicture& picture) {
        constexpr std::array<GLuint, 4> nothing{};
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glClearBufferuiv(GL_COLOR, 0, nothing.data());
        renderer.draw(picture, size);
        numbers_.resize(std::size_t{4} * size.width * size.height);
        glReadPixels(0, 0, size.width, size.height, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                     numbers_.data());
        ASSERT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    }

    [[nodiscard]] std::array<GLuint, 4> at(int x, int y) const {
        const auto index = (static_cast<std::size_t>(size.height - 1 - y) * size.width +
                            static_cast<std::size_t>(x)) *
                           4;
        return {numbers_.at(index), numbers_.at(index + 1), numbers_.at(index + 2),
                numbers_.at(index + 3)};
    }

  private:
    unsigned framebuffer_ = 0;
    unsigned buffer_ = 0;
    std::vector<GLuint> numbers_;
};

/// Random launches and cameras, the awkward ones often.
class Chance final {
  public:
    Launch launch() {
        Launch launch;
        do {
            launch.grid = grid();
            launch.block = block();
        } while (!validate(launch).empty());
        return launch;
    }

    /// Anywhere between one lane filling the area and blocks of two pixels, beside some block.
    MapCamera camera(const MapLayout& layout, const MapArea& area) {
        const Index3 block{upTo(layout.grid.x), upTo(layout.grid.y), upTo(layout.grid.z)};
        MapCamera camera = fittedToBlock(layout, area, block);
        const double coarsest = 2 / std::min(layout.pitchX, layout.pitchY);
        const double finest = 200;
        const double wanted = coarsest * std::pow(finest / coarsest, std::uniform_real_distribution(
                                                                         0.0, 1.0)(random_));
        camera = zoomed(camera, layout, area, wanted / camera.cell, {320, 240});
        return panned(camera, layout, area, along(), along());
    }

    std::uint32_t upTo(std::uint32_t end) {
        // The first and the last are where things go wrong.
        switch (random_() % 5) {
            case 0:
                return 0;
            case 1:
                return end - 1;
            default:
                return static_cast<std::uint32_t>(random_() % end);
        }
    }
    Point pixel() {
        return {static_cast<float>(random_() % size.width) + 0.5F,
                static_cast<float>(random_() % size.height) + 0.5F};
    }

  private:
    std::uint32_t extent(std::uint32_t most) {
        const double logarithm = std::log(static_cast<double>(most));
        const double value =
            std::exp(std::uniform_real_distribution(0.0, logarithm)(random_)) + 0.5;
        return random_() % 6 == 0 ? most : static_cast<std::uint32_t>(value);
    }
    Extents grid() {
        switch (random_() % 4) {
            case 0:
                return {extent(2147483647u), 1, 1};
            case 1:
                return {extent(70000), extent(65535), 1};
            case 2:
                return {extent(2147483647u), extent(65535), extent(65535)};
            default:
                return {extent(40), extent(40), extent(40)};
        }
    }
    Extents block() {
        switch (random_() % 3) {
            case 0:
                return {extent(1024), 1, 1};
            case 1:
                return {extent(64), extent(64), 1};
            default:
                return {extent(32), extent(32), extent(32)};
        }
    }
    double along() { return std::uniform_real_distribution(-200.0, 200.0)(random_); }

    std::mt19937 random_{2026};
};

/// What picking finds a little to each side of a point: near an edge the two may round apart.
bool nearAnEdge(const MapPicture& map, Point pixel) {
    const auto here = pick(map.camera, map.layout, map.area, pixel);
    constexpr float little = 1.0F / 32;
    for (const Point aside : {Point{-little, 0}, {little, 0}, {0, -little}, {0, little}}) {
        if (pick(map.camera, map.layout, map.area, {pixel.x + aside.x, pixel.y + aside.y}) !=
            here) {
            return true;
        }
    }
    return false;
}

class MapPickingGl : public GlTest {
  protected:
    MapPickingGl() : GlTest(size) {}
};

TEST_F(MapPickingGl, NamesWhatIsDrawnThere) {
    MappingRenderer renderer;
    IdentityTarget target;
    Chance chance;
    std::array<std::size_t, 4> points{};  // by detail
    std::size_t beside = 0;
    std::size_t skipped = 0;
    std::size_t pictures = 0;
    std::size_t hits = 0;
    while (hits < pointsWanted) {
        const Launch launch = chance.launch();
        MapArea area;
        area.width = size.width;
        area.height = size.height;
        MapPicture map{};
        map.area = area;
        map.layout = layOutMap(launch, area);
        map.camera = chance.camera(map.layout, area);
        map.guard = {.block = launch.block, .rest = {}};
        map.identify = true;
        map.rect = {0, 0, area.width, area.height};
        target.draw(renderer, map);
        if (HasFatalFailure()) return;
        ++pictures;
        for (std::size_t i = 0; i < pointsPerPicture; ++i) {
            const Point pixel = chance.pixel();
            if (nearAnEdge(map, pixel)) {
                ++skipped;
                continue;
            }
            const auto hit = pick(map.camera, map.layout, area, pixel);
            const auto drawn = target.at(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
            const std::string where = toString(launch.grid) + " blocks of " +
                                      toString(launch.block) + ", cell " +
                                      std::to_string(map.camera.cell) + ", pixel " +
                                      std::to_string(pixel.x) + "," + std::to_string(pixel.y);
            ASSERT_EQ(hit.has_value(), drawn[3] != 0) << where;
            if (!hit) {
                ++beside;
                continue;
            }
            ASSERT_EQ(hit->block, (Index3{drawn[0], drawn[1] & 0xffff, drawn[1] >> 16})) << where;
            if (hit->thread) {
                ASSERT_EQ(threadRankInBlock(*hit->thread, launch.block).value + 1, drawn[2])
                    << where;
            } else if (hit->warp) {
                ASSERT_NE(drawn[2], 0u) << where;
                ASSERT_EQ(hit->warp->value, (drawn[2] - 1) / lanesPerWarp) << where;
            } else if (hit->detail <= MapDetail::warps) {
                ASSERT_EQ(drawn[2], 0u) << where;
            }
            ++hits;
            ++points.at(static_cast<std::size_t>(hit->detail));
        }
    }
    std::printf(
        "%zu points on blocks agree in %zu pictures (%zu where threads are resolved, %zu where "
        "warps "
        "are, %zu where blocks are), and %zu beside blocks; %zu within 1/32 pixel of an edge were "
        "left out\n",
        hits, pictures, points[0], points[1], points[2] + points[3], beside, skipped);
    RecordProperty("points", static_cast<int>(hits));
    EXPECT_GT(points[0], pointsWanted / 4);
    EXPECT_GT(points[1], 0u);
    EXPECT_GT(points[2], 0u);
    EXPECT_LT(skipped, hits / 4);
}

}  // namespace
}  // namespace warplens::window
