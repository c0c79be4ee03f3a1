#include "app/drawing/plot.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "app/drawing/plot_sweep.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::drawing {
namespace {

/// Every letter as wide as half the text is high.
float halfAsWide(std::string_view words, Face, float size) {
    const auto letters = std::ranges::count_if(
        words, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
    return static_cast<float>(letters) * size / 2;
}

DrawArea areaOf(Box box) {
    return {box,
            {.background = 0xffffff,
             .raised = 0xeeeeee,
             .text = 0x000000,
             .muted = 0x444444,
             .faint = 0x888888,
             .accent = 0x0000ff,
             .warning = 0xaa6600},
            halfAsWide,
            12};
}

std::vector<std::string> wordsOf(const std::vector<Tick>& ticks) {
    std::vector<std::string> words;
    for (const Tick& tick : ticks) words.push_back(tick.words);
    return words;
}
using Words = std::vector<std::string>;

TEST(PlotScale, ReachesFromZeroToARoundNumber) {
    const PlotScale scale = scaleFromZero(3.3e12, 6, {1e12, "TB/s"}, Rounding::decimal);
    EXPECT_EQ(scale.first, 0);
    EXPECT_DOUBLE_EQ(scale.last, 4e12);
    EXPECT_DOUBLE_EQ(scaleFromZero(32, 6, {}, Rounding::binary).last, 32);
    EXPECT_DOUBLE_EQ(scaleFromZero(33, 6, {}, Rounding::binary).last, 40);
    EXPECT_GT(scaleFromZero(0, 6, {}, Rounding::decimal).last, 0);
}

TEST(PlotScale, HasRoundTicksInTheUnit) {
    const AxisUnit tera{1e12, "TB/s"};
    EXPECT_EQ(wordsOf(ticksOf({0, 4e12}, 6, tera, Rounding::decimal)),
              (Words{"0", "1", "2", "3", "4"}));
    EXPECT_EQ(wordsOf(ticksOf({0, 1e12}, 6, tera, Rounding::decimal)),
              (Words{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
    EXPECT_EQ(wordsOf(ticksOf({0, 32}, 6, {}, Rounding::binary)),
              (Words{"0", "8", "16", "24", "32"}));
    EXPECT_EQ(wordsOf(ticksOf({1, 128, true}, 9, {}, Rounding::binary)),
              (Words{"1", "2", "4", "8", "16", "32", "64", "128"}));
    EXPECT_EQ(wordsOf(ticksOf({0.1, 1000, true}, 9, {}, Rounding::decimal)),
              (Words{"0.1", "1", "10", "100", "1000"}));
    EXPECT_LE(ticksOf({1, 1 << 20, true}, 5, {}, Rounding::binary).size(), 5u);
}

TEST(PlotScale, IsUndoneByItsInverse) {
    for (const PlotScale scale : {PlotScale{0, 7}, {-3, 12}, {1, 128, true}, {0.01, 1e6, true}}) {
        EXPECT_DOUBLE_EQ(scale.shareOf(scale.first), 0);
        EXPECT_DOUBLE_EQ(scale.shareOf(scale.last), 1);
        for (double share = 0; share <= 1; share += 0.125) {
            EXPECT_NEAR(scale.shareOf(scale.numberAt(share)), share, 1e-12);
        }
        EXPECT_EQ(scale.shareOf(scale.last * 2), 1) << "clamped";
    }
}

TEST(AxisUnits, ReadBestAtTheLargestNumber) {
    EXPECT_EQ(axisUnitFor(3.3e12, Unit::bytesPerSecond), (AxisUnit{1e12, "TB/s"}));
    EXPECT_EQ(axisUnitFor(3.3e11, Unit::bytesPerSecond), (AxisUnit{1e9, "GB/s"}));
    EXPECT_EQ(axisUnitFor(5e-5, Unit::seconds), (AxisUnit{1e-6, "µs"}));
    EXPECT_EQ(axisUnitFor(3e6, Unit::sectors), (AxisUnit{1e6, "million sectors"}));
    EXPECT_EQ(axisUnitFor(3, Unit::sectors), (AxisUnit{1, "sectors"}));
    EXPECT_EQ(numberIn({1e12, "TB/s"}, 3.3034e12), "3.30");
    EXPECT_EQ(numberIn({1e-6, "µs"}, 123.4e-6), "123");
    EXPECT_EQ(numberIn({}, 32), "32");
}

// --- the plot of a sweep -------------------------------------------------------------------------

Sweep sweepOver(const std::string& scenario, const std::string& axis, std::size_t measured) {
    Sweep sweep = sweepOf(planOf(initialExperiment(scenarioNamed(scenario)), true,
                                 std::get<Axis>(parseAxis("--over", axis))));
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const double number = 4 + 28 * std::sin(static_cast<double>(i));
        sweep.points[i].predicted =
            PredictedPoint{true,
                           1,
                           1,
                           {{Metric::sectorsPerRequest, "kernel", Source::predicted, Variant::load,
                             std::abs(number)}}};
        if (i >= measured) continue;
        Measurement made = tests::scriptedMeasurement(sweep.points[i].experiment);
        made.timing.maximumSeconds = 1;  // a run that was held up a thousandfold
        sweep.points[i].measured = std::move(made);
    }
    return sweep;
}

Box boxOf(const Item& item) {
    if (const auto* fill = std::get_if<Fill>(&item)) return fill->box;
    if (const auto* hatch = std::get_if<Hatch>(&item)) return hatch->box;
    if (const auto* frame = std::get_if<Frame>(&item)) return frame->box;
    if (const auto* line = std::get_if<Line>(&item)) {
        return {std::min(line->from.x, line->to.x), std::min(line->from.y, line->to.y),
                std::max(line->from.x, line->to.x), std::max(line->from.y, line->to.y)};
    }
    if (const auto* disc = std::get_if<Disc>(&item)) {
        return {disc->at.x - disc->radius, disc->at.y - disc->radius, disc->at.x + disc->radius,
                disc->at.y + disc->radius};
    }
    const auto& text = std::get<Text>(item);
    const float width = halfAsWide(text.words, text.face, text.size);
    const float left = text.at.x - text.align * width;
    return {left, text.at.y, left + width, text.at.y + text.size};
}

void expectInside(const Items& items, const Box& box) {
    constexpr float slack = 0.1F;
    for (const Item& item : items) {
        const Box it = boxOf(item);
        const auto* text = std::get_if<Text>(&item);
        EXPECT_TRUE(it.left >= box.left - slack && it.top >= box.top - slack &&
                    it.right <= box.right + slack && it.bottom <= box.bottom + slack)
            << (text == nullptr ? "an item" : text->words) << " from " << it.left << ", " << it.top
            << " to " << it.right << ", " << it.bottom;
    }
}

TEST(SweepPlot, StaysInsideItsSheet) {
    for (const auto& [scenario, axis] : {std::pair{"access-stride", "stride=1..128"},
                                         {"access-offset", "offset=0..32"},
                                         {"matmul-tiled", "tile=8,16,32"},
                                         {"access-stride", "stride=5"},
                                         {"latency-hiding", "grid=66..4224:x2"},
                                         {"matadd-swapped", "block=256"},
                                         {"matadd-swapped", "block=32..1024"},
                                         {"warp-grouping", "block=256:z"}}) {
        const Sweep sweep = sweepOver(scenario, axis, 3);
        for (const Box box : {Box{10, 20, 500, 400}, {0, 0, 1200, 300}, {0, 0, 260, 600}}) {
            for (const char* id : {"sectors_per_load_request", "effective_bandwidth", "time"}) {
                const auto picture = prepareSweep(sweep, *findQuantity(id), areaOf(box));
                EXPECT_FALSE(picture.items.empty());
                expectInside(picture.items, box);
            }
        }
    }
}

TEST(SweepPlot, IsPickedWhereItsPointsAreDrawn) {
    const Sweep sweep = sweepOver("access-stride", "stride=1..24", 24);
    const DrawArea area = areaOf({10, 20, 900, 400});
    const Quantity time = *findQuantity("time");
    std::vector<Disc> discs;
    for (const Item& item : prepareSweep(sweep, time, area).items) {
        const auto* disc = std::get_if<Disc>(&item);
        if (disc != nullptr) discs.push_back(*disc);
    }
    // The legend's sample, then the points.
    ASSERT_EQ(discs.size(), 25u);
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const auto picture =
            prepareSweep(sweep, time, area, {.held = {}, .pointer = discs[i + 1].at});
        EXPECT_EQ(picture.pointed, i);
    }
    EXPECT_EQ(prepareSweep(sweep, time, area, {.held = {}, .pointer = Point{0, 0}}).pointed,
              std::nullopt);
}

TEST(SweepPlot, OfShapesIsPickedWhereItsCellsAreDrawn) {
    const Sweep sweep = sweepOver("matadd-swapped", "block=32..1024", 60);
    const DrawArea area = areaOf({10, 20, 900, 600});
    const Quantity sectors = *findQuantity("sectors_per_load_request");
    std::vector<Box> cells;
    for (const Item& item : prepareSweep(sweep, sectors, area).items) {
        const auto* fill = std::get_if<Fill>(&item);
        if (fill != nullptr) cells.push_back(fill->box);
    }
    ASSERT_GE(cells.size(), sweep.points.size());
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const Point middle{(cells[i].left + cells[i].right) / 2,
                           (cells[i].top + cells[i].bottom) / 2};
        EXPECT_EQ(prepareSweep(sweep, sectors, area, {.held = {}, .pointer = middle}).pointed, i);
    }
}

TEST(SweepPlot, SaysThePointsNumbersWithTheirSources) {
    Sweep sweep = sweepOver("access-stride", "stride=1..4", 1);
    EXPECT_EQ(pointInWords(sweep, 0, *findQuantity("sectors_per_load_request")),
              "Sectors per load request: 4.000 predicted, counted");
    EXPECT_EQ(pointInWords(sweep, 1, *findQuantity("time")), "Time: no number");
}

TEST(SweepPlot, SaysWhereItsNumbersComeFrom) {
    const Sweep none = sweepOver("access-stride", "stride=1..4", 0);
    EXPECT_EQ(provenanceOf(none, false), (Words{"predicted only: nothing here was measured",
                                                "predicted: all 4 points, from every block"}));
    const Sweep some = sweepOver("access-stride", "stride=1..4", 3);
    EXPECT_EQ(provenanceOf(some, true).front(),
              "compiled, counted, timed: recorded on scripted worker, 2000-01-01, 3 of 4 points");
}

TEST(HeatPlot, NumbersOnlyAsManyRowsAsHaveRoom) {
    HeatPlot plot;
    plot.rows = {"1", "2", "4", "8", "16", "32", "64", "128", "256"};
    plot.columns = plot.rows;
    for (const float height : {90.0F, 160.0F, 600.0F}) {
        const HeatPicture picture = prepareHeat(plot, areaOf({0, 0, 400, height}));
        std::vector<float> tops;  // of the rows' names: the others are centred
        for (const Item& item : picture.items) {
            const auto* text = std::get_if<Text>(&item);
            if (text != nullptr && text->align == 1) tops.push_back(text->at.y);
        }
        ASSERT_GE(tops.size(), 1u) << height;
        if (height > 500) {
            EXPECT_EQ(tops.size(), plot.rows.size());
        }
        for (std::size_t i = 1; i < tops.size(); ++i) {
            EXPECT_GE(tops[i - 1] - tops[i], 11.5F) << height;
        }
    }
}

TEST(HeatColors, GoOneWayFromTheBackgroundInEveryTheme) {
    const auto lightness = [](Rgb color) {
        return 0.2126 * std::pow((color >> 16 & 255) / 255.0, 2.2) +
               0.7152 * std::pow((color >> 8 & 255) / 255.0, 2.2) +
               0.0722 * std::pow((color & 255) / 255.0, 2.2);
    };
    ColorRoles light = areaOf({}).colors;
    light.accent = 0x0b63ce;
    const ColorRoles dark{.background = 0x0e1116,
                          .raised = 0x212831,
                          .text = 0xf2f6fa,
                          .muted = 0xb9c4cf,
                          .faint = 0x8795a3,
                          .accent = 0x6cb0ff,
                          .warning = 0xf2b13c};
    ColorRoles paper = light;
    paper.accent = paper.text;
    for (const auto& [colors, sign] : {std::pair{light, -1.0}, {dark, 1.0}, {paper, -1.0}}) {
        double last = lightness(heatColor(colors, 0));
        for (double share = 0.05; share <= 1.001; share += 0.05) {
            const double next = lightness(heatColor(colors, share));
            EXPECT_GT(sign * (next - last), 0) << share;
            last = next;
        }
    }
}

}  // namespace
}  // namespace warplens::drawing
