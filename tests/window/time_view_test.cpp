#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "app/window/state/apply.h"
#include "app/window/state/sm_view.h"

namespace warplens::window {
namespace {

using drawing::TimeSpan;

/// Two blocks on an SM each; with waits it is about these.
Schedule scheduleOfTwo(bool waits) {
    Schedule schedule{};
    schedule.launchedBlocks = 2;
    schedule.multiprocessors = 2;
    schedule.blocks = {{0, 0, 1000}, {1, 0, 1000}};
    schedule.warps = {{0, 0, 0, 20000, {}}};
    // As many stamps as there is room for: what came after was not recorded.
    for (std::size_t i = 0; waits && i < Schedule::mostStamps; ++i) {
        schedule.warps.front().waits.push_back(100 * i);
    }
    return schedule;
}

TEST(TimeView, FollowsTheScheduleWhereNothingWasChosen) {
    const Schedule plain = scheduleOfTwo(false);
    EXPECT_EQ(shownRows({}, plain), TimeRows::sms);
    EXPECT_EQ(shownSpan({}, plain), TimeSpan{});

    const Schedule waits = scheduleOfTwo(true);
    EXPECT_EQ(shownRows({}, waits), TimeRows::warps);
    EXPECT_EQ(shownSpan({}, waits), drawing::recordedWaits(waits));
    EXPECT_LT(shownSpan({}, waits).end, 1) << "the waits end before the launch does";

    EXPECT_EQ(shownSpan({TimeRows::sms, {}}, waits), TimeSpan{});
    EXPECT_EQ(shownSpan({{}, TimeSpan{0.25, 0.5}}, waits), (TimeSpan{0.25, 0.5}));
}

TEST(TimeView, IsForgottenWithItsLaunch) {
    AppState state = initialState({initialExperiment(scenarioNamed("block-placement")), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, SetTimeView{{TimeRows::warps, TimeSpan{0.25, 0.5}}});
    EXPECT_EQ(state.time, (TimeView{TimeRows::warps, TimeSpan{0.25, 0.5}}));
    apply(state, SetBlock{{64}});
    EXPECT_EQ(state.time, TimeView{});
}

TEST(TimeView, TakesNoSpanOutsideTheWhole) {
    const double notANumber = std::numeric_limits<double>::quiet_NaN();
    for (const TimeSpan& span :
         {TimeSpan{-0.1, 0.5}, TimeSpan{0.5, 1.1}, TimeSpan{0.5, 0.5}, TimeSpan{0.6, 0.5},
          TimeSpan{notANumber, 1}, TimeSpan{0, notANumber}}) {
        TimeView view;
        setTimeView(view, {TimeRows::warps, span});
        EXPECT_EQ(view, TimeView{}) << span.begin << " " << span.end;
    }
}

}  // namespace
}  // namespace warplens::window
