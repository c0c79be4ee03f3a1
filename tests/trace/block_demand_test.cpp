#include <gtest/gtest.h>

#include "kernels/library/prepared_launch.h"

namespace warplens {
namespace {

BlockDemand demandOf(const char* scenario) {
    return warplens::demandOf(initialExperiment(scenarioNamed(scenario))).block;
}

// Two tiles of 16 x 16 floats; 1024 floats; 32 rows of 32 and of 33 floats.
TEST(BlockDemand, CountsTheSharedMemoryThatTheKernelDeclares) {
    EXPECT_EQ(demandOf("matmul-tiled").staticSharedBytes, 2048u);
    EXPECT_EQ(demandOf("reduce-sequential").staticSharedBytes, 4096u);
    EXPECT_EQ(demandOf("shared-banks").staticSharedBytes, 4096u);
    EXPECT_EQ(demandOf("shared-banks-padded").staticSharedBytes, 4224u);
    EXPECT_EQ(demandOf("matadd-coalesced").staticSharedBytes, 0u);
}

TEST(BlockDemand, TellsDynamicFromStaticSharedMemory) {
    EXPECT_EQ(demandOf("shared-dynamic").staticSharedBytes, 0u);
    EXPECT_EQ(demandOf("shared-dynamic").dynamicSharedBytes, 2048u);
}

TEST(BlockDemand, TakesRegistersFromAMeasurementOfTheSameKernel) {
    const Experiment asked = initialExperiment(scenarioNamed("matmul-tiled"));
    const auto measuredWith = [](const Experiment& experiment, std::uint32_t registers) {
        Measurement made{};
        made.experiment = experiment;
        made.device.name = "a device";
        made.device.computeCapability = "9.0";
        made.resources = KernelResources{registers, 0, 0};
        return made;
    };
    Experiment otherTile = asked;
    otherTile.arguments.set("tile", 32);
    const Measurement other = measuredWith(initialExperiment(scenarioNamed("matadd-swapped")), 16);
    const Measurement larger = measuredWith(otherTile, 48);
    const Measurement same = measuredWith(asked, 40);
    Measurement silent = same;
    silent.resources.reset();
    const auto choice = [&](std::vector<const Measurement*> measurements) {
        return tellingResources(asked, measurements);
    };
    EXPECT_EQ(choice({&other, &silent}), nullptr);
    EXPECT_EQ(choice({&other, &larger, &silent}), &larger);
    EXPECT_EQ(choice({&larger, &same}), &same);
    const StatedDemand demand = warplens::demandOf(asked, &same);
    EXPECT_EQ(demand.block.registersPerThread, 40u);
    EXPECT_EQ(demand.registersFrom, "as compiled for 9.0, measured on a device");
    EXPECT_EQ(warplens::demandOf(asked).registersFrom, "assumed");
}

TEST(BlockDemand, CountsTheThreadsOfTheBlock) {
    EXPECT_EQ(demandOf("warp-grouping").threads, 1024u);
}

}  // namespace
}  // namespace warplens
