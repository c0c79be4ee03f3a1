#include <atomic>
#include <chrono>
#include <gtest/gtest.h>

#include "app/window/jobs.h"

namespace warplens::window {
namespace {

using namespace std::chrono_literals;

Experiment withBlock(std::uint32_t x) {
    return complete(
        {.scenario = "warp-grouping", .grid = {}, .block = Extents{x, 1, 1}, .set = {}});
}

Command predicted(const Experiment& experiment) {
    LaunchReport prediction;
    static_cast<Experiment&>(prediction) = experiment;
    return PredictionReady{std::move(prediction)};
}

/// The command, or nothing after five seconds.
std::optional<Command> await(NewestJob<Experiment>& job) {
    const auto end = std::chrono::steady_clock::now() + 5s;
    while (std::chrono::steady_clock::now() < end) {
        if (auto command = job.take()) return command;
        std::this_thread::sleep_for(1ms);
    }
    return std::nullopt;
}

TEST(NewestJob, ReportsWhatItsWorkThrowsAndGoesOn) {
    NewestJob<Experiment> job(
        [](const Experiment& experiment, const std::stop_token&) {
            if (experiment.launch.block.x == 64) throw std::out_of_range("no such warp");
            return predicted(experiment);
        },
        [] {});
    job.want(withBlock(64));
    const std::optional<Command> command = await(job);
    ASSERT_TRUE(command);
    ASSERT_NE(command->as<Report>(), nullptr);
    EXPECT_EQ(command->as<Report>()->text, "no such warp");
    job.want(withBlock(32));
    ASSERT_NE(await(job)->as<PredictionReady>(), nullptr);
}

TEST(NewestJob, GivesWhatCameOfItOnce) {
    std::atomic<int> woken = 0;
    NewestJob<Experiment> job(
        [](const Experiment& experiment, const std::stop_token&) { return predicted(experiment); },
        [&] { ++woken; });
    job.want(withBlock(64));
    job.want(withBlock(64));
    const auto command = await(job);
    ASSERT_TRUE(command && command->is<PredictionReady>());
    EXPECT_EQ(command->as<PredictionReady>()->prediction.experiment(), withBlock(64));
    EXPECT_FALSE(job.take());
    EXPECT_FALSE(job.busy());
}

TEST(NewestJob, ANewExperimentStopsTheOneBeforeIt) {
    std::atomic<int> stopped = 0;
    NewestJob<Experiment> job(
        [&](const Experiment& experiment, const std::stop_token& stop) {
            // The first one never ends of itself.
            while (experiment.launch.block.x == 32 && !stop.stop_requested()) {
                std::this_thread::sleep_for(1ms);
            }
            if (stop.stop_requested()) ++stopped;
            return predicted(experiment);
        },
        [] {});
    job.want(withBlock(32));
    std::this_thread::sleep_for(20ms);
    job.want(withBlock(64));
    const auto command = await(job);
    ASSERT_TRUE(command && command->is<PredictionReady>());
    EXPECT_EQ(command->as<PredictionReady>()->prediction.experiment(), withBlock(64));
    EXPECT_EQ(stopped, 1);
}

TEST(NewestJob, EndsAtOnceWhileOneIsUnderWay) {
    const auto begin = std::chrono::steady_clock::now();
    {
        NewestJob<Experiment> job(
            [](const Experiment& experiment, const std::stop_token& stop) {
                while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
                return predicted(experiment);
            },
            [] {});
        job.want(withBlock(32));
        std::this_thread::sleep_for(20ms);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST(PredictNow, GivesThePredictionOrTheReason) {
    const Command ready = predictNow(withBlock(64));
    ASSERT_TRUE(ready.is<PredictionReady>());
    EXPECT_EQ(ready.as<PredictionReady>()->prediction.experiment(), withBlock(64));

    Experiment tooLarge = withBlock(64);
    tooLarge.launch.block = {2048, 1, 1};
    const Command refused = predictNow(tooLarge);
    ASSERT_TRUE(refused.is<PredictionFailed>());
    EXPECT_EQ(refused.as<PredictionFailed>()->failure.experiment, tooLarge);
    EXPECT_NE(refused.as<PredictionFailed>()->failure.reason.find("2048"), std::string::npos);

    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(predictNow(withBlock(64), stop.get_token()).is<PredictionFailed>());
}

}  // namespace
}  // namespace warplens::window
