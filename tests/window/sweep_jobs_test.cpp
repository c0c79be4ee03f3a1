#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "app/window/jobs.h"
#include "app/window/state/apply.h"
#include "core/sweep/sweep.h"
#include "core/text/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

/// A window in which one point of a sweep has just been measured.
AppState withOnePoint() {
    AppState state = initialState({initialExperiment(scenarioNamed("access-stride")), true},
                                  std::make_shared<const RecordingLibrary>(), true);
    apply(state, Show{.tab = RightTab::sweep});
    apply(state, Show{.over = "stride=1..4"});
    apply(state, MeasureSweep{});
    const Running run = *running(state);
    apply(state, WorkerSaid{run.number, tests::scriptedMeasurement(run.experiment)});
    return state;
}

/// Lets the jobs work until there is such a thing, ten seconds at most.
template <class Question>
bool comesTo(SweepJobs& jobs, AppState& state, Question there) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!there() && std::chrono::steady_clock::now() < until) {
        for (const Command& command : jobs.step(state)) apply(state, command);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return there();
}

TEST(SweepJobs, OfTwoWindowsKeepTheSweepsOfTheFirst) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "config" / "sweep.json";
    AppState first = withOnePoint();
    AppState second = withOnePoint();
    {
        SweepJobs jobs(file, [] {});
        ASSERT_TRUE(comesTo(jobs, first, [&] { return std::filesystem::exists(file); }));
        SweepJobs others(file, [] {});
        const auto isTold = [&] {
            return !second.messages.empty() &&
                   second.messages.back().text == "Another window keeps its sweeps in " +
                                                      file.string() +
                                                      ": those of this one end with it";
        };
        EXPECT_TRUE(comesTo(others, second, isTold));
    }
    EXPECT_EQ(loadSweep(file).sweep.measuredCount(), 1U);
    EXPECT_FALSE(std::filesystem::exists(file.string() + ".lock"));
    SweepJobs jobs(file, [] {});
    std::filesystem::remove(file);
    EXPECT_TRUE(comesTo(jobs, second, [&] { return std::filesystem::exists(file); }))
        << "the first window is closed";
}

TEST(SweepJobs, ReadTheRecordedSweepsOnceTheirTabIsOpen) {
    AppState state = initialState({initialExperiment(scenarioNamed("access-stride")), true},
                                  std::make_shared<const RecordingLibrary>(), false);
    SweepJobs jobs({}, [] {});
    ASSERT_TRUE(comesTo(jobs, state, [&] { return state.sweep.recordings != nullptr; }));
    for (int i = 0; i < 20; ++i) {
        for (const Command& command : jobs.step(state)) apply(state, command);
        EXPECT_FALSE(jobs.busy());
    }
    EXPECT_TRUE(state.sweep.recordings->sweeps.empty());
    apply(state, Show{.tab = RightTab::sweep});
    EXPECT_TRUE(comesTo(jobs, state, [&] { return !state.sweep.recordings->sweeps.empty(); }));
}

}  // namespace
}  // namespace warplens::window
