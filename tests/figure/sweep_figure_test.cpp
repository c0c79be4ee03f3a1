#include <algorithm>
#include <gtest/gtest.h>

#include "app/figure/canvas.h"
#include "app/figure/compose.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::figure {
namespace {

using drawing::Box;

Sweep sweepOver(const char* scenario, const char* axis) {
    Sweep sweep = sweepOf(planOf(initialExperiment(scenarioNamed(scenario)), true,
                                 std::get<Axis>(parseAxis("over", axis))));
    for (SweepPoint& point : sweep.points) {
        point.measured = tests::scriptedMeasurement(point.experiment);
    }
    return sweep;
}

bool says(const Picture& picture, std::string_view words) {
    return std::ranges::any_of(picture.items, [&](const drawing::Item& item) {
        const auto* text = std::get_if<drawing::Text>(&item);
        return text != nullptr && text->words.find(words) != std::string::npos;
    });
}

void expectTextsApartAndOnThePage(const Picture& picture) {
    constexpr float slack = 0.05F;
    std::vector<Box> boxes;
    for (const drawing::Item& item : picture.items) {
        const auto* text = std::get_if<drawing::Text>(&item);
        if (text == nullptr) continue;
        const float width = figureTextWidth()(text->words, text->face, text->size);
        const float left = text->at.x - text->align * width;
        const Box box{left, text->at.y, left + width, text->at.y + text->size};
        EXPECT_TRUE(box.left >= -slack && box.top >= -slack &&
                    box.right <= static_cast<float>(picture.size.width) + slack &&
                    box.bottom <= static_cast<float>(picture.size.height) + slack)
            << text->words;
        for (const Box& other : boxes) {
            EXPECT_TRUE(box.left >= other.right - slack || other.left >= box.right - slack ||
                        box.top >= other.bottom - slack || other.top >= box.bottom - slack)
                << text->words << " lies on another text";
        }
        boxes.push_back(box);
    }
    EXPECT_FALSE(boxes.empty());
}

const PageSize sizes[] = {{1280, 720}, {640, 360},   {200, 200},   {320, 1000},
                          {800, 600},  {2480, 3508}, {10000, 200}, {3840, 2160}};

TEST(SweepFigure, KeepsItsTextsApartAndOnThePageAtEverySize) {
    for (const auto& [scenario, axis] : {std::pair{"access-stride", "stride=1..128"},
                                         {"access-offset", "offset=0..32"},
                                         {"matadd-swapped", "block=256"},
                                         {"matadd-swapped", "block=32..1024"}}) {
        const Sweep sweep = sweepOver(scenario, axis);
        const std::vector<Quantity> quantities{*findQuantity("coalescing_efficiency"),
                                               *findQuantity("time")};
        for (const PageSize size : sizes) {
            SCOPED_TRACE(std::string(axis) + " at " + std::to_string(size.width) + "x" +
                         std::to_string(size.height));
            expectTextsApartAndOnThePage(
                composeSweep({sweep, quantities, true}, {size, Theme::light}));
        }
    }
}

TEST(SweepFigure, SaysWhatIsVariedAndWhereItsNumbersComeFromInEveryTheme) {
    const Sweep sweep = sweepOver("access-stride", "stride=1..8");
    for (const Theme theme : {Theme::light, Theme::dark, Theme::print}) {
        const Picture picture =
            composeSweep({sweep, {*findQuantity("time")}, true}, {{1280, 720}, theme});
        EXPECT_TRUE(says(picture, "over stride=1..8"));
        EXPECT_TRUE(says(picture, "Time, ms"));
        EXPECT_TRUE(says(picture, "stride, elements"));
        EXPECT_TRUE(says(picture, "recorded on scripted worker, 2000-01-01"));
    }
}

TEST(RooflineFigure, KeepsItsTextsApartAndOnThePageAtEverySize) {
    Roofline roofline;
    roofline.ceilings = Ceilings{"a device", 4e12, 60e12, "timed"};
    for (const Experiment& experiment : rooflineExperiments()) {
        const Measurement measured = tests::scriptedMeasurement(experiment);
        roofline.points.push_back(roofPointOf(experiment, nullptr, false, &measured));
        roofline.points.back().requestedBytes = roofline.points.back().flops * 2;
    }
    for (const PageSize size : sizes) {
        SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height));
        expectTextsApartAndOnThePage(composeRoofline(roofline, {size, Theme::light}));
    }
    EXPECT_TRUE(says(composeRoofline(roofline, {{1280, 720}, Theme::print}), "60.0 TFLOP/s"));
}

}  // namespace
}  // namespace warplens::figure
