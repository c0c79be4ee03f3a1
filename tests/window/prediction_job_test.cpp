#include "app/window/prediction_job.h"

#include <chrono>
#include <gtest/gtest.h>

namespace warplens::window {
namespace {

using namespace std::chrono_literals;

Experiment withBlock(std::uint32_t x) {
    return complete(
        {.scenario = "warp-grouping", .grid = {}, .block = Extents{x, 1, 1}, .set = {}});
}

/// The command, or nothing after five seconds.
std::optional<Command> await(PredictionJob& job) {
    const auto end = std::chrono::steady_clock::now() + 5s;
    while (std::chrono::steady_clock::now() < end) {
        if (auto command = job.take()) return command;
        std::this_thread::sleep_for(1ms);
    }
    return std::nullopt;
}

TEST(PredictionJob, GivesThePredictionOnce) {
    std::atomic<int> woken = 0;
    PredictionJob job(
        [](const Experiment& experiment, const std::stop_token&) {
            Prediction prediction;
            prediction.experiment = experiment;
            return prediction;
        },
        [&] { ++woken; });
    job.want(withBlock(64));
    job.want(withBlock(64));
    const auto command = await(job);
    ASSERT_TRUE(command && command->is<PredictionReady>());
    EXPECT_EQ(command->as<PredictionReady>()->prediction.experiment, withBlock(64));
    EXPECT_FALSE(job.take());
    EXPECT_FALSE(job.busy());
}

TEST(PredictionJob, ANewExperimentStopsTheOneBeforeIt) {
    std::atomic<int> stopped = 0;
    PredictionJob job(
        [&](const Experiment& experiment, const std::stop_token& stop) {
            // The first one never ends of itself.
            while (experiment.launch.block.x == 32 && !stop.stop_requested()) {
                std::this_thread::sleep_for(1ms);
            }
            if (stop.stop_requested()) {
                ++stopped;
                throw std::runtime_error("stopped");
            }
            Prediction prediction;
            prediction.experiment = experiment;
            return prediction;
        },
        [] {});
    job.want(withBlock(32));
    std::this_thread::sleep_for(20ms);
    job.want(withBlock(64));
    const auto command = await(job);
    ASSERT_TRUE(command && command->is<PredictionReady>());
    EXPECT_EQ(command->as<PredictionReady>()->prediction.experiment, withBlock(64));
    EXPECT_EQ(stopped, 1);
}

TEST(PredictionJob, EndsAtOnceWhileOneIsUnderWay) {
    const auto begin = std::chrono::steady_clock::now();
    {
        PredictionJob job(
            [](const Experiment&, const std::stop_token& stop) -> Prediction {
                while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
                throw std::runtime_error("stopped");
            },
            [] {});
        job.want(withBlock(32));
        std::this_thread::sleep_for(20ms);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST(PredictionJob, AFaultIsAReasonAndNotTheEnd) {
    PredictionJob job(
        [](const Experiment&, const std::stop_token&) -> Prediction {
            throw std::runtime_error("index 7 outside c");
        },
        [] {});
    job.want(withBlock(32));
    const auto command = await(job);
    ASSERT_TRUE(command && command->is<PredictionFailed>());
    EXPECT_EQ(command->as<PredictionFailed>()->failure.reason, "index 7 outside c");
}

}  // namespace
}  // namespace warplens::window
