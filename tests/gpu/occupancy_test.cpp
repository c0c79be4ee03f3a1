// The occupancy model against the CUDA driver's own answer for kernels as compiled. Nothing is
// launched.
#include "core/occupancy/occupancy.h"

#include <iostream>
#include <random>
#include <set>

#include "kernels/library/prepared_launch.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/loaded_code.h"
#include "kernels/measure/scenario_launch.h"
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
    }
    [[nodiscard]] static std::uint64_t told(CUdevice_attribute attribute) {
        return static_cast<std::uint64_t>(attributeOf(currentDevice(), attribute));
    }
    const SmLimits* limits_ = nullptr;
};

std::uint32_t count(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}

TEST_F(OccupancyTest, TheTableSaysOfThisDeviceWhatTheDeviceSays) {
    EXPECT_EQ(limits_->threads(), told(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
    EXPECT_EQ(limits_->blocks, told(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));
    EXPECT_EQ(limits_->threadsPerBlock, told(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
    EXPECT_EQ(limits_->registers, told(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR));
    EXPECT_EQ(limits_->registersPerBlock, told(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK));
    EXPECT_EQ(limits_->sharedBytes, told(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
    EXPECT_EQ(limits_->sharedBytesPerBlock, told(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
    EXPECT_EQ(limits_->sharedBytesPerBlockOptIn,
              told(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
    EXPECT_EQ(limits_->sharedReservedPerBlock,
              told(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));
}

/// Blocks the driver says are resident; 0 where it refuses the block.
std::uint32_t byTheDriver(CUfunction kernel, const BlockDemand& block) {
    int blocks = -1;
    const CUresult error = Driver::open().occupancy(
        &blocks, kernel, static_cast<int>(block.threads), block.dynamicSharedBytes);
    if (error == CUDA_ERROR_INVALID_VALUE) return 0;
    check(error, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return count(static_cast<std::uint64_t>(blocks));
}

/// Asks both for `cases` random blocks and prints the seed; with carve-outs, every second kernel
/// has one.
void compareWithTheDriver(const Device& device, const SmLimits& limits, int cases, bool carveouts) {
    const std::uint64_t seed = std::random_device{}();
    std::mt19937_64 random(seed);
    const auto upTo = [&](std::uint64_t most) { return random() % (most + 1); };
    std::set<std::uint32_t> registerCounts;
    std::set<std::uint32_t> answers;
    int refused = 0;
    for (int i = 0; i < cases; ++i) {
        const auto kernels = kernelsOfManySizes();
        CUfunction const kernel = kernels[upTo(kernels.size() - 1)];
        const KernelResources resources = resourcesOf(kernel);
        const std::uint64_t mostDynamic =
            limits.sharedBytesPerBlockOptIn - resources.staticSharedBytes;
        const auto set = [&](CUfunction_attribute attribute, int value) {
            check(Driver::open().funcSetAttribute(kernel, attribute, value), "cuFuncSetAttribute");
        };
        set(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(mostDynamic));
        BlockDemand block{.threads = 1 + upTo(limits.threadsPerBlock - 1),
                          .registersPerThread = resources.registersPerThread,
                          .staticSharedBytes = resources.staticSharedBytes,
                          // A third of the blocks small, so that many are resident.
                          .dynamicSharedBytes = upTo(2) == 0 ? upTo(8192) : upTo(mostDynamic)};
        if (carveouts && upTo(1) == 0) block.carveoutPercent = count(upTo(100));
        set(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
            block.carveoutPercent ? static_cast<int>(*block.carveoutPercent) : -1);
        const Occupancy ours = occupancyOf(limits, block);
        ASSERT_EQ(ours.residentBlocks, byTheDriver(kernel, block))
            << "seed " << seed << ", case " << i << ": " << block.threads << " threads, "
            << block.registersPerThread << " registers, " << block.staticSharedBytes << " + "
            << block.dynamicSharedBytes << " bytes, carve-out "
            << (block.carveoutPercent ? static_cast<int>(*block.carveoutPercent) : -1);
        registerCounts.insert(resources.registersPerThread);
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

TEST_F(OccupancyTest, TheModelAgreesWithTheDriverForTheKernelOfEveryScenario) {
    for (const Scenario& scenario : allScenarios()) {
        SCOPED_TRACE(scenario.id);
        const ScenarioLaunch launch(initialExperiment(scenario), device_);
        BlockDemand block = demandOf(launch.experiment()).block;
        EXPECT_EQ(block.staticSharedBytes, launch.resources().staticSharedBytes);
        block.registersPerThread = launch.resources().registersPerThread;
        EXPECT_EQ(occupancyOf(*limits_, block).residentBlocks, count(launch.residentBlocks()));
    }
}

TEST_F(OccupancyTest, TheModelAgreesWithTheDriverForRandomThreadsRegistersAndSharedMemory) {
    compareWithTheDriver(device_, *limits_, 10'000, false);
}

TEST_F(OccupancyTest, TheModelAgreesWithTheDriverForRandomCarveouts) {
    compareWithTheDriver(device_, *limits_, 10'000, true);
}

}  // namespace
}  // namespace warplens
