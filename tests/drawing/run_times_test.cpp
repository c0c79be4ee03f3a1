#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "app/drawing/schedule_chart.h"

namespace warplens::drawing {
namespace {

using TimeWords = std::vector<std::string>;

TEST(TimesApart, TimesThatDifferReadDifferently) {
    EXPECT_EQ(timesApart({1.716e-3, 1.717e-3, 1.718e-3}),
              (TimeWords{"1.716 ms", "1.717 ms", "1.718 ms"}));
    EXPECT_EQ(timesApart({1.72e-3, 1.85e-3}), (TimeWords{"1.72 ms", "1.85 ms"}));
    EXPECT_EQ(timesApart({1.7160001e-3, 1.7160004e-3}), (TimeWords{"1.72 ms", "1.72 ms"}))
        << "no clock tells parts of a nanosecond apart";
    EXPECT_EQ(timesApart({1.716001e-3, 1.716002e-3}), (TimeWords{"1.716001 ms", "1.716002 ms"}));
    EXPECT_EQ(timesApart({704e-9, 705e-9}), (TimeWords{"704 ns", "705 ns"}));
}

float widthOfTimes(std::string_view words, Face, float size) {
    return 0.58F * size * static_cast<float>(words.size());
}

/// What is written below the bars.
TimeWords timeLabelsOf(std::vector<std::uint64_t> nanoseconds, float width) {
    Timing timing;
    timing.runNanoseconds = std::move(nanoseconds);
    summarize(timing);
    TimeWords labels;
    for (const Item& item : prepareRunTimes(
             timing,
             {.box = {0, 0, width, 60}, .colors = {}, .textWidth = widthOfTimes, .textSize = 12})) {
        if (const auto* text = std::get_if<Text>(&item)) labels.push_back(text->words);
    }
    return labels;
}

TEST(RunTimes, NoTwoLabelsAreEqual) {
    for (const std::uint64_t apart : {0U, 1U, 32U, 500U, 20000U}) {
        for (const float width : {120.0F, 240.0F, 600.0F}) {
            const TimeWords labels = timeLabelsOf(
                {1716000, 1716000 + apart, 1716000 + apart, 1716000 + 2 * apart}, width);
            std::set<std::string> shown(labels.begin(), labels.end());
            shown.erase("");
            const auto words = std::ranges::count_if(
                labels, [](const std::string& label) { return !label.empty(); });
            EXPECT_EQ(static_cast<std::size_t>(words), shown.size()) << apart << " ns, " << width;
            EXPECT_GE(shown.size(), apart == 0 ? 1U : 2U) << apart << " ns, " << width;
        }
    }
}

}  // namespace
}  // namespace warplens::drawing
