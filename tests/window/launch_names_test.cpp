#include <gtest/gtest.h>

#include "app/window/state/comparison.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

TEST(LaunchNames, ABlockIsNamedByTheExtentsThatMatter) {
    EXPECT_EQ(timesText({1024, 1, 1}), "1024");
    EXPECT_EQ(timesText({32, 8, 1}), "32×8");
    EXPECT_EQ(timesText({1, 1, 64}), "1×1×64");
}

TEST(LaunchNames, ARecordingIsNamedByWhatTellsItFromTheOthers) {
    const auto recordingOf = [](std::int64_t stride) {
        Arguments sizes;
        sizes.set("stride", stride);
        Recording recording;
        recording.measurement = tests::scriptedMeasurement(
            complete({.scenario = "access-stride", .set = std::move(sizes)}));
        recording.measurement.device.name = "NVIDIA H200";
        return recording;
    };
    const Recording two = recordingOf(2);
    const Recording four = recordingOf(4);
    EXPECT_EQ(labelsOf({&two}), std::vector<std::string>{"256 · H200"});
    EXPECT_EQ(labelsOf({&two, &four}),
              (std::vector<std::string>{"256 · stride 2 · H200", "256 · stride 4 · H200"}));
    EXPECT_TRUE(labelsOf({}).empty());
}

}  // namespace
}  // namespace warplens::window
