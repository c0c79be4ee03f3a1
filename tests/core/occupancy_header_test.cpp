// The occupancy model against cuda_occupancy.h, NVIDIA's own in C, wherever the CUDA Toolkit's
// headers are. Neither needs a GPU.
#include <algorithm>
#include <climits>
#include <gtest/gtest.h>
#include <random>

#include "core/occupancy/occupancy.h"

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define WARPLENS_HAS_OCCUPANCY_HEADER 1
#endif

namespace warplens {
namespace {

#ifndef WARPLENS_HAS_OCCUPANCY_HEADER

TEST(OccupancyHeader, GivesTheSameAnswers) {
    GTEST_SKIP() << "occupancy model not compared: no cuda_occupancy.h, it is in the CUDA Toolkit";
}

#else

cudaOccDeviceProp propertiesOf(const SmLimits& limits) {
    cudaOccDeviceProp properties;
    properties.computeMajor = static_cast<int>(limits.capability.major);
    properties.computeMinor = static_cast<int>(limits.capability.minor);
    properties.maxThreadsPerBlock = static_cast<int>(limits.threadsPerBlock);
    properties.maxThreadsPerMultiprocessor = static_cast<int>(limits.threads());
    properties.regsPerBlock = static_cast<int>(limits.registersPerBlock);
    properties.regsPerMultiprocessor = static_cast<int>(limits.registers);
    properties.warpSize = 32;
    properties.sharedMemPerBlock = limits.sharedBytesPerBlock;
    properties.sharedMemPerMultiprocessor = limits.sharedBytes;
    properties.numSms = 1;
    properties.sharedMemPerBlockOptin = limits.sharedBytesPerBlockOptIn;
    properties.reservedSharedMemPerBlock = limits.sharedReservedPerBlock;
    return properties;
}

/// The header's answer, its limits in the order of `smResources`.
Occupancy byTheHeader(const SmLimits& limits, const BlockDemand& block) {
    cudaOccFuncAttributes attributes;
    attributes.maxThreadsPerBlock = INT_MAX;
    attributes.numRegs = static_cast<int>(block.registersPerThread);
    attributes.sharedSizeBytes = block.staticSharedBytes;
    attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    attributes.maxDynamicSharedSizeBytes = block.dynamicSharedBytes;
    attributes.numBlockBarriers = 1;
    cudaOccDeviceState state;
    if (block.carveoutPercent) state.carveoutConfig = static_cast<int>(*block.carveoutPercent);
    const cudaOccDeviceProp properties = propertiesOf(limits);
    cudaOccResult found{};
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
        &found, &properties, &attributes, &state, static_cast<int>(block.threads),
        block.dynamicSharedBytes);
    EXPECT_EQ(error, CUDA_OCC_SUCCESS);
    const auto blocks = [](int count) {
        return count == INT_MAX ? std::nullopt : std::optional(static_cast<std::uint32_t>(count));
    };
    return {.residentBlocks = static_cast<std::uint32_t>(found.activeBlocksPerMultiprocessor),
            .warpSlots = limits.warps,
            .uses = {ResourceUse{1, 0, blocks(found.blockLimitBlocks)},
                     ResourceUse{block.warps(), 0, blocks(found.blockLimitWarps)},
                     ResourceUse{static_cast<std::uint64_t>(found.allocatedRegistersPerBlock), 0,
                                 blocks(found.blockLimitRegs)},
                     ResourceUse{found.allocatedSharedMemPerBlock, 0,
                                 blocks(found.blockLimitSharedMem)}}};
}

/// The header does not say what the SM has.
Occupancy byTheModel(const SmLimits& limits, const BlockDemand& block) {
    Occupancy ours = occupancyOf(limits, block);
    for (ResourceUse& use : ours.uses) use.available = 0;
    return ours;
}

std::string inWords(const SmLimits& limits, const BlockDemand& block) {
    return toString(limits.capability) + ": " + std::to_string(block.threads) + " threads, " +
           std::to_string(block.registersPerThread) + " registers, " +
           std::to_string(block.staticSharedBytes) + " + " +
           std::to_string(block.dynamicSharedBytes) + " bytes, carve-out " +
           (block.carveoutPercent ? std::to_string(*block.carveoutPercent) : "open");
}

class OccupancyHeader : public testing::TestWithParam<std::string> {};

/// Registers up to what the guide grants a thread; the header goes on to 255 on 3.0, to 256 from
/// 7.0 on.
TEST_P(OccupancyHeader, GivesTheSameAnswerForEveryNumberOfThreadsAndRegisters) {
    const SmLimits& limits = smLimitsNamed(GetParam());
    for (std::uint32_t threads = 1; threads <= limits.threadsPerBlock + 1; ++threads) {
        for (std::uint32_t registers = 0; registers <= limits.registersPerThread; ++registers) {
            const BlockDemand block{.threads = threads, .registersPerThread = registers};
            ASSERT_EQ(byTheModel(limits, block), byTheHeader(limits, block))
                << inWords(limits, block);
        }
    }
}

TEST_P(OccupancyHeader, GivesTheSameAnswerForRandomSharedMemoryAndCarveouts) {
    const SmLimits& limits = smLimitsNamed(GetParam());
    constexpr int cases = 200'000;
    const std::uint64_t seed = 20261121 + 100 * limits.capability.major + limits.capability.minor;
    std::mt19937_64 random(seed);
    const auto upTo = [&](std::uint64_t most) { return random() % (most + 1); };
    int refused = 0;
    for (int i = 0; i < cases; ++i) {
        // Half of the blocks are small, so that several are resident.
        const std::uint64_t mostShared =
            upTo(1) == 0 ? limits.sharedBytesPerBlockOptIn + 1024u : 8192u;
        BlockDemand block{
            .threads = 1 + upTo(limits.threadsPerBlock),
            .registersPerThread = static_cast<std::uint32_t>(upTo(limits.registersPerThread)),
            .staticSharedBytes =
                upTo(1) == 0 ? upTo(std::min<std::uint64_t>(mostShared, 49152)) : 0,
            .dynamicSharedBytes = upTo(mostShared)};
        if (!limits.sharedSizes.empty() && upTo(2) != 0) {
            block.carveoutPercent = static_cast<std::uint32_t>(upTo(100));
        }
        const Occupancy ours = byTheModel(limits, block);
        ASSERT_EQ(ours, byTheHeader(limits, block)) << inWords(limits, block);
        if (ours.residentBlocks == 0) ++refused;
    }
    EXPECT_GT(refused, cases / 100);
    EXPECT_LT(refused, cases * 9 / 10);
}

std::vector<std::string> coveredByTheHeader() {
    std::vector<std::string> covered;
    for (const SmLimits& limits : allSmLimits()) {
        if (limits.capability >= ComputeCapability{3, 0})
            covered.push_back(toString(limits.capability));
    }
    return covered;
}

INSTANTIATE_TEST_SUITE_P(OfEveryCapabilityFrom3On, OccupancyHeader,
                         testing::ValuesIn(coveredByTheHeader()), [](const auto& tested) {
                             std::string name = tested.param;
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

#endif

}  // namespace
}  // namespace warplens
