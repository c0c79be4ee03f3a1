#include "kernels/bodies/block_demand.h"

#include <gtest/gtest.h>

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

TEST(BlockDemand, CountsTheThreadsOfTheBlock) {
    EXPECT_EQ(demandOf("warp-grouping").threads, 1024u);
}

}  // namespace
}  // namespace warplens
