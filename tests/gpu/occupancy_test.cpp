// The occupancy model against the CUDA runtime's own answer for kernels as compiled. Nothing is
// launched.
#include "core/occupancy/occupancy.h"

#include <cuda_runtime_api.h>
#include <iostream>
#include <random>
#include <set>

#include "kernels/bodies/body_text.h"
#include "kernels/library/block_demand.h"
#include "kernels/measure/bound_kernel.h"
#include "kernels/measure/device/cuda_error.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/gpu/occupancy_kernels.h"

namespace warplens {
namespace {

class OccupancyTest : public GpuTest {
  protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped()) return;
        limits_ = &smLimitsNamed(device_.computeCapability);
        check(cudaGetDeviceProperties(&properties_, 0), "cudaGetDeviceProperties");
    }
    const SmLimits* limits_ = nullptr;
    cudaDeviceProp properties_{};
};

std::uint32_t count(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}

TEST_F(OccupancyTest, TheTableSaysOfThisDeviceWhatTheDeviceSays) {
    EXPECT_EQ(limits_->threads(), count(properties_.maxThreadsPerMultiProcessor));
    EXPECT_EQ(limits_->blocks, count(properties_.maxBlocksPerMultiProcessor));
    EXPECT_EQ(limits_->threadsPerBlock, count(properties_.maxThreadsPerBlock));
    EXPECT_EQ(limits_->registers, count(properties_.regsPerMultiprocessor));
    EXPECT_EQ(limits_->registersPerBlock, count(properties_.regsPerBlock));
    EXPECT_EQ(limits_->sharedBytes, properties_.sharedMemPerMultiprocessor);
    EXPECT_EQ(limits_->sharedBytesPerBlock, properties_.sharedMemPerBlock);
    EXPECT_EQ(limits_->sharedBytesPerBlockOptIn, properties_.sharedMemPerBlockOptin);
    EXPECT_EQ(limits_->sharedReservedPerBlock, properties_.reservedSharedMemPerBlock);
}

/// Blocks the runtime says are resident; 0 where it refuses the block.
std::uint32_t byTheRuntime(const void* kernel, const BlockDemand& block) {
    int blocks = -1;
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, static_cast<int>(block.threads), block.dynamicSharedBytes);
    if (error == cudaErrorInvalidValue) {
        static_cast<void>(cudaGetLastError());
        return 0;
    }
    check(error, "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return count(static_cast<std::uint64_t>(blocks));
}

/// Asks both for `cases` random blocks and prints the seed; with carve-outs, every second kernel
/// has one.
void compareWithTheRuntime(const Device& device, const SmLimits& limits, int cases,
                           bool carveouts) {
    const std::uint64_t seed = std::random_device{}();
    std::mt19937_64 random(seed);
    const auto upTo = [&](std::uint64_t most) { return random() % (most + 1); };
    std::set<int> registerCounts;
    std::set<std::uint32_t> answers;
    int refused = 0;
    for (int i = 0; i < cases; ++i) {
        const auto kernels = kernelsOfManySizes();
        const void* const kernel = kernels[upTo(kernels.size() - 1)];
        cudaFuncAttributes attributes{};
        check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
        const std::uint64_t mostDynamic =
            limits.sharedBytesPerBlockOptIn - attributes.sharedSizeBytes;
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(mostDynamic)),
              "cudaFuncAttributeMaxDynamicSharedMemorySize");
        BlockDemand block{.threads = 1 + upTo(limits.threadsPerBlock - 1),
                          .registersPerThread = count(attributes.numRegs),
                          .staticSharedBytes = attributes.sharedSizeBytes,
                          // A third of the blocks small, so that many are resident.
                          .dynamicSharedBytes = upTo(2) == 0 ? upTo(8192) : upTo(mostDynamic)};
        if (carveouts && upTo(1) == 0) block.carveoutPercent = count(upTo(100));
        check(cudaFuncSetAttribute(
                  kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                  block.carveoutPercent ? static_cast<int>(*block.carveoutPercent) : -1),
              "cudaFuncAttributePreferredSharedMemoryCarveout");
        const Occupancy ours = occupancyOf(limits, block);
        ASSERT_EQ(ours.residentBlocks, byTheRuntime(kernel, block))
            << "seed " << seed << ", case " << i << ": " << block.threads << " threads, "
            << block.registersPerThread << " registers, " << block.staticSharedBytes << " + "
            << block.dynamicSharedBytes << " bytes, carve-out "
            << (block.carveoutPercent ? static_cast<int>(*block.carveoutPercent) : -1);
        registerCounts.insert(attributes.numRegs);
        answers.insert(ours.residentBlocks);
        if (ours.residentBlocks == 0) ++refused;
    }
    std::cout << device.name << ", seed " << seed << ": " << cases << " cases agree, with "
              << registerCounts.size() << " numbers of registers from " << *registerCounts.begin()
              << " to " << *registerCounts.rbegin() << " and " << answers.size()
              << " different answers, " << refused << " of the blocks refused\n";
    EXPECT_GE(registerCounts.size(), 16u);
    EXPECT_GE(answers.size(), 10u);
}

TEST_F(OccupancyTest, TheModelAgreesWithTheRuntimeForTheKernelOfEveryScenario) {
    for (const Scenario& scenario : allScenarios()) {
        if (bodyText(kernelOf(scenario.kernel)).empty()) continue;
        SCOPED_TRACE(scenario.id);
        const BoundKernel bound(initialExperiment(scenario), device_);
        BlockDemand block = demandOf(bound.experiment()).block;
        EXPECT_EQ(block.staticSharedBytes, bound.resources().staticSharedBytes);
        block.registersPerThread = bound.resources().registersPerThread;
        EXPECT_EQ(occupancyOf(*limits_, block).residentBlocks, count(bound.residentBlocks()));
    }
}

TEST_F(OccupancyTest, TheModelAgreesWithTheRuntimeForRandomThreadsRegistersAndSharedMemory) {
    compareWithTheRuntime(device_, *limits_, 10'000, false);
}

TEST_F(OccupancyTest, TheModelAgreesWithTheRuntimeForRandomCarveouts) {
    compareWithTheRuntime(device_, *limits_, 10'000, true);
}

}  // namespace
}  // namespace warplens
