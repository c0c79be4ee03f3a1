#include "app/drawing/schedule_chart.h"

#include <gtest/gtest.h>
#include <random>

namespace warplens::drawing {
namespace {

DrawArea areaOf(const Box& box) {
    return {.box = box,
            .colors = {.background = 0xffffff, .raised = 0xeeeeee},
            .textWidth = [](std::string_view words, Face,
                            float size) { return 0.6F * size * static_cast<float>(words.size()); },
            .textSize = 14};
}
const DrawArea area = areaOf({100, 50, 900, 450});

/// 40 SMs, 10 blocks each, two at once; SM 3's warps with waits.
Schedule aSchedule() {
    std::mt19937_64 random(7);
    Schedule schedule{.launchedBlocks = 400, .multiprocessors = 40, .followedSm = 3};
    for (std::uint32_t i = 0; i < 400; ++i) {
        const std::uint64_t begin = i / 80 * 1000 + random() % 100;
        schedule.blocks.push_back({i % 40, begin, begin + 800 + random() % 100});
    }
    for (std::uint32_t w = 0; w < 16; ++w) {
        WarpRun run{w / 4, w % 4, w * 10, 4000 + w, {}};
        for (std::uint64_t at = run.begin + 20; run.waits.size() < 16; at += 200) {
            run.waits.push_back(at);
            run.waits.push_back(at + 150);
        }
        schedule.warps.push_back(run);
    }
    return schedule;
}

bool isInside(const Box& inner, const Box& outer) {
    constexpr float slack = 0.5F;
    return inner.left >= outer.left - slack && inner.right <= outer.right + slack &&
           inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;
}

void expectInside(const Items& items, const Box& box) {
    for (const Item& item : items) {
        if (const auto* fill = std::get_if<Fill>(&item)) {
            EXPECT_TRUE(isInside(fill->box, box));
            EXPECT_LE(fill->box.left, fill->box.right);
        }
        if (const auto* text = std::get_if<Text>(&item)) {
            const float width = area.textWidth(text->words, text->face, text->size);
            const float left = text->at.x - text->align * width;
            EXPECT_TRUE(isInside({left, text->at.y, left + width, text->at.y + text->size}, box))
                << text->words;
        }
    }
}

TEST(ScheduleChart, StaysInsideItsSheetAtEveryZoom) {
    const Schedule schedule = aSchedule();
    std::mt19937_64 random(11);
    TimeSpan span;
    for (int i = 0; i < 50; ++i) {
        expectInside(prepareSmChart(schedule, area, span).items, area.box);
        expectInside(prepareWarpChart(schedule, area, span).items, area.box);
        span = zoomed(span, i % 3 == 0 ? 0.5 : 1.7, static_cast<double>(random() % 101) / 100);
        span = moved(span, static_cast<double>(random() % 21) / 10 - 1);
        EXPECT_GE(span.begin, 0);
        EXPECT_LE(span.end, 1 + 1e-12);
        EXPECT_GE(span.length(), shortestTimeSpan * 0.999);
    }
}

TEST(ScheduleChart, NamesTheBlockThatRunsUnderThePointer) {
    const Schedule schedule = aSchedule();
    const ScheduleChart whole = prepareSmChart(schedule, area, {});
    std::mt19937_64 random(13);
    std::uint64_t end = 0;
    for (const BlockRun& run : schedule.blocks) end = std::max(end, run.end);
    int named = 0;
    for (int i = 0; i < 500; ++i) {
        const auto sm = static_cast<std::uint32_t>(random() % 40);
        const double share = static_cast<double>(random() % 1000) / 1000;
        const float rowHeight = whole.plot.height() / 40;
        const Point at{whole.plot.left + whole.plot.width() * static_cast<float>(share),
                       whole.plot.top + (static_cast<float>(sm) + 0.5F) * rowHeight};
        const ScheduleChart chart = prepareSmChart(schedule, area, {}, at);
        const double time = static_cast<double>(end) * share;
        bool runs = false;
        for (const BlockRun& run : schedule.blocks) {
            runs |= run.sm == sm && static_cast<double>(run.begin) + 1 < time &&
                    time + 1 < static_cast<double>(run.end);
        }
        if (!runs) continue;
        ++named;
        ASSERT_TRUE(chart.block.has_value());
        EXPECT_EQ(schedule.blocks.at(*chart.block).sm, sm);
        EXPECT_TRUE(chart.pointed.starts_with("SM " + std::to_string(sm) + " at "));
    }
    EXPECT_GT(named, 300);
}

TEST(ScheduleChart, TellsWaitingFromWorkingUnderThePointer) {
    const Schedule schedule = aSchedule();
    const ScheduleChart chart = prepareWarpChart(schedule, area, {});
    const double whole = 4015;
    const auto at = [&](double cycles) {
        const Point pointer{
            chart.plot.left + chart.plot.width() * static_cast<float>(cycles / whole),
            chart.plot.top + 2};
        return prepareWarpChart(schedule, area, {}, pointer).pointed;
    };
    EXPECT_TRUE(at(100).ends_with("waits 150 cycles for memory")) << at(100);
    EXPECT_TRUE(at(190).ends_with("works")) << at(190);
    EXPECT_TRUE(at(100).starts_with("block 0, warp 0 on SM 3: ")) << at(100);
}

TEST(ScheduleChart, ZoomKeepsWhatIsUnderThePointer) {
    const TimeSpan span{0.2, 0.6};
    const TimeSpan closer = zoomed(span, 2, 0.25);
    EXPECT_DOUBLE_EQ(closer.length(), 0.2);
    EXPECT_DOUBLE_EQ(closer.begin + 0.25 * closer.length(), 0.3);
    EXPECT_EQ(zoomed({0, 1}, 0.5, 0.3), (TimeSpan{0, 1}));
}

TEST(TimeAxis, HasRoundSteps) {
    EXPECT_DOUBLE_EQ(roundStepBelow(1), 1);
    EXPECT_DOUBLE_EQ(roundStepBelow(1.9), 1);
    EXPECT_DOUBLE_EQ(roundStepBelow(2.5), 2);
    EXPECT_DOUBLE_EQ(roundStepBelow(730), 500);
    EXPECT_DOUBLE_EQ(roundStepBelow(0.03), 0.02);
}

TEST(TimeAxis, TurnsPlacesIntoTimesAndBack) {
    const TimeAxis axis{{100, 0, 500, 10}, 2000, 6000, TimeUnit::nanoseconds};
    for (const double time : {2000.0, 3123.0, 6000.0})
        EXPECT_NEAR(axis.time(axis.at(time)), time, 1);
    EXPECT_EQ(axis.inWords(3120), "3.12 µs");
}

}  // namespace
}  // namespace warplens::drawing
