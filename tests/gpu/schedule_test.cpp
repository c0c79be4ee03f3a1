#include "core/schedule/schedule.h"

#include "core/occupancy/occupancy.h"
#include "kernels/measure/scenario_launch.h"
#include "tests/gpu/gpu_fixture.h"

namespace warplens {
namespace {

using ScheduleTest = GpuTest;

Schedule scheduleOf(const Experiment& experiment, const Device& device,
                    std::vector<std::string>& notes) {
    return ScenarioLaunch(experiment, device)
        .schedule(static_cast<std::uint32_t>(device.multiprocessors), notes);
}

TEST_F(ScheduleTest, holdsEveryBlockOfEveryScenario) {
    for (const Scenario& scenario : allScenarios()) {
        Experiment e = initialExperiment(scenario);
        if (e.arguments.contains("inner")) e = complete({e.scenario, {}, {}, {{"inner", 100}}});
        std::vector<std::string> notes;
        const Schedule schedule = scheduleOf(e, device_, notes);
        EXPECT_EQ(schedule.launchedBlocks, e.launch.grid.count()) << scenario.id;
        ASSERT_EQ(schedule.blocks.size(),
                  std::min<std::uint64_t>(schedule.launchedBlocks, Schedule::mostBlocks));
        for (const BlockRun& run : schedule.blocks) {
            EXPECT_LT(run.begin, run.end + 1) << scenario.id;
            EXPECT_LT(run.end, 10'000'000'000u) << scenario.id;
        }
        EXPECT_LE(summaryOf(schedule).multiprocessorsUsed, schedule.multiprocessors);
        EXPECT_FALSE(schedule.warps.empty()) << scenario.id;
        for (const WarpRun& run : schedule.warps) EXPECT_LE(run.begin, run.end);
    }
}

/// Warps that mostly wait, many to an SM: never more at once than it has slots, and nearly that
/// many. (Of warps that compute without waiting fewer are seen: a resident warp takes its first
/// stamp when it first gets to run.)
TEST_F(ScheduleTest, fillsAnSmToItsOccupancy) {
    for (const std::uint32_t threads : {64u, 256u, 512u, 1024u}) {
        const Experiment e =
            complete({"block-placement", Extents{132 * 3 * 2048 / threads}, Extents{threads}, {}});
        std::vector<std::string> notes;
        const Schedule schedule = scheduleOf(e, device_, notes);
        if (!notes.empty()) continue;  // the stamps cost room of their own, and it is said
        const SmLimits* const limits = smLimitsOf(device_);
        ASSERT_NE(limits, nullptr);
        const std::uint32_t slots = limits->warps;
        const std::uint32_t atOnce = packWarps(schedule).slotCount;
        EXPECT_LE(atOnce, slots) << threads;
        EXPECT_GE(atOnce, slots * 9 / 10) << threads;
        EXPECT_EQ(summaryOf(schedule).multiprocessorsUsed, schedule.multiprocessors);
    }
}

/// A warp alone waits for memory nearly all its time; with arithmetic to do it waits less.
TEST_F(ScheduleTest, tellsWaitingFromWorking) {
    const auto share = [&](std::int64_t work) {
        const Experiment e = complete(
            {"latency-hiding", Extents{132}, Extents{32}, {{"n", 1 << 18}, {"work", work}}});
        std::vector<std::string> notes;
        const Schedule schedule = scheduleOf(e, device_, notes);
        const WarpRun& warp = schedule.warps.front();
        EXPECT_GE(warp.waits.size(), 8u);
        return waitingShare(warp);
    };
    const double idle = share(0);
    const double busy = share(1024);
    EXPECT_GT(idle, 0.6);
    EXPECT_LT(idle, 1.0);
    EXPECT_LT(busy, idle / 2);
}

}  // namespace
}  // namespace warplens
