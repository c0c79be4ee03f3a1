#include <algorithm>
#include <gtest/gtest.h>

#include "app/drawing/plot_sweep.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::drawing {
namespace {

float halfTheSize(std::string_view words, Face, float size) {
    return static_cast<float>(words.size()) * size / 2;
}

Experiment product(const char* scenario, std::int64_t n, std::uint32_t side) {
    ExperimentRequest request{.scenario = scenario};
    request.block = Extents{side, side};
    request.set.set("n", n);
    if (std::string_view(scenario) == "matmul-tiled") request.set.set("tile", side);
    return complete(request);
}

TEST(RoofPoints, OfANaiveProductHaveARatioOfOneAndOfATiledOneTheTilesWidth) {
    const double n = 64;
    std::vector<Experiment> experiments{product("matmul-global", 64, 16)};
    for (const std::uint32_t tile : {8u, 16u, 32u}) {
        experiments.push_back(product("matmul-tiled", 64, tile));
    }
    const Roofline roofline = rooflineOf(experiments, {});
    ASSERT_EQ(roofline.points.size(), 4u);
    // Each thread stores one value as well: n^2 accesses beside those of the inner loop.
    const auto expected = [&](double reuse) {
        return 2 * n * n * n / (2 * n * n * n / reuse + n * n);
    };
    const double reuses[] = {1, 8, 16, 32};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_TRUE(roofline.points[i].exact);
        EXPECT_NEAR(*roofline.points[i].flopsPerAccess(), expected(reuses[i]), 1e-9) << reuses[i];
    }
    EXPECT_FALSE(roofline.ceilings);
}

Roofline measuredRoofline() {
    const std::vector<Experiment> experiments{product("matmul-global", 64, 16),
                                              product("matmul-tiled", 64, 16)};
    static std::vector<Measurement> measurements;
    measurements.clear();
    for (const Experiment& experiment : experiments) {
        measurements.push_back(tests::scriptedMeasurement(experiment));
        measurements.back().device.fp32Rate = 1e11;
    }
    std::vector<const Measurement*> all;
    for (const Measurement& measurement : measurements) all.push_back(&measurement);
    return rooflineOf(experiments, all);
}

TEST(RoofPoints, StandUnderTheCeilingsOfTheirDevice) {
    const Roofline roofline = measuredRoofline();
    ASSERT_TRUE(roofline.ceilings);
    EXPECT_DOUBLE_EQ(roofline.ceilings->ridge(), 100);
    EXPECT_EQ(roofline.takenAt, "2000-01-01T00:00:00Z");
    EXPECT_TRUE(roofline.points[0].flopRate());
}

TEST(RoofPlot, StaysInsideItsSheetAndIsPickedWhereItIsDrawn) {
    const Roofline roofline = measuredRoofline();
    for (const Box box : {Box{5, 7, 700, 500}, {0, 0, 300, 320}}) {
        const DrawArea area{box,
                            {.background = 0xffffff,
                             .raised = 0,
                             .text = 1,
                             .muted = 2,
                             .faint = 3,
                             .accent = 4,
                             .warning = 5},
                            halfTheSize,
                            12};
        std::vector<Point> rings;
        const auto inside = [&](Point at) {
            return at.x >= box.left - 0.1F && at.x <= box.right + 0.1F && at.y >= box.top - 0.1F &&
                   at.y <= box.bottom + 0.1F;
        };
        for (const Item& item : prepareRoof(roofline, area).items) {
            if (const auto* line = std::get_if<Line>(&item)) {
                EXPECT_TRUE(inside(line->from) && inside(line->to));
            } else if (const auto* disc = std::get_if<Disc>(&item)) {
                EXPECT_TRUE(inside(disc->at));
                if (disc->width > 0) rings.push_back(disc->at);
            } else if (const auto* text = std::get_if<Text>(&item)) {
                const float width = halfTheSize(text->words, text->face, text->size);
                const float left = text->at.x - text->align * width;
                EXPECT_TRUE(inside({left, text->at.y}) &&
                            inside({left + width, text->at.y + text->size}))
                    << text->words;
            }
        }
        ASSERT_EQ(rings.size(), 3u) << "the legend's, and one for each point";
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(prepareRoof(roofline, area, {}, rings[i + 1]).pointed, i);
        }
        EXPECT_FALSE(prepareRoof(roofline, area, {}, Point{box.left, box.bottom}).pointed);
    }
}

TEST(RoofPlot, SaysThatNothingWasMeasured) {
    const Roofline roofline = rooflineOf({product("matmul-global", 64, 16)}, {});
    EXPECT_EQ(provenanceOf(roofline).front(), "predicted only: no device was measured");
    EXPECT_EQ(
        provenanceOf(roofline).back(),
        "textbook device: 200 GB/s is 50.0 GFLOP/s at one FLOP for each access of 4 bytes, of "
        "1.50 TFLOP/s");
    EXPECT_EQ(rowsOf(roofline)[0].rate, "-");
}

}  // namespace
}  // namespace warplens::drawing
