#include "core/occupancy/occupancy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "tests/support/refusal.h"

namespace warplens {
namespace {

const SmLimits& limitsOf(const char* capability) {
    return smLimitsNamed(capability);
}

Occupancy onSm(const char* capability, std::uint64_t threads, std::uint32_t registers = 0,
               std::uint64_t sharedBytes = 0) {
    return occupancyOf(
        limitsOf(capability),
        {.threads = threads, .registersPerThread = registers, .dynamicSharedBytes = sharedBytes});
}

std::string refused(const char* capability, const BlockDemand& block) {
    return toString(refusalsOf(limitsOf(capability), block));
}

constexpr SmLimits eightBlocks{.warps = 32, .blocks = 8, .threadsPerBlock = 512};
static_assert(occupancyOf(eightBlocks, {.threads = 64}).residentBlocks == 8);
static_assert(occupancyOf(eightBlocks, {.threads = 64}).isLimitedBy(SmResource::blocks));
static_assert(occupancyOf(eightBlocks, {.threads = 513}).residentBlocks == 0);

// A lecture's device: 8 blocks and 1024 threads an SM, 512 threads a block. That is 1.2 and 1.3.
TEST(OccupancyOfTheLecture, SmallBlocksRunOutOfBlockSlots) {
    const Occupancy slots = onSm("1.3", 8 * 8);
    EXPECT_EQ(slots.residentBlocks, 8u);
    EXPECT_EQ(slots.residentWarps() * 32, 512u);
    EXPECT_EQ(slots.percent(), 50);
    EXPECT_EQ(limitersOf(slots), "blocks");
}

TEST(OccupancyOfTheLecture, BlocksOf16x16FillTheSm) {
    const Occupancy slots = onSm("1.3", 16 * 16);
    EXPECT_EQ(slots.residentBlocks, 4u);
    EXPECT_EQ(slots.percent(), 100);
    EXPECT_EQ(limitersOf(slots), "warps");
}

TEST(OccupancyOfTheLecture, BlocksOf32x32CannotBeLaunched) {
    EXPECT_EQ(onSm("1.3", 32 * 32).residentBlocks, 0u);
    EXPECT_EQ(limitersOf(onSm("1.3", 32 * 32)), "");
    EXPECT_EQ(refused("1.3", {.threads = 32 * 32}), "threads per block = 1024: at most 512");
}

TEST(OccupancyOfTheLecture, TwoThousandThreadsNeedTwoSmsOrFour) {
    const Occupancy large = onSm("1.2", 256);
    EXPECT_EQ(large.residentBlocks, 4u);
    EXPECT_EQ(large.multiprocessorsFor(2048 / 256), 2u);
    const Occupancy small = onSm("1.2", 64);
    EXPECT_EQ(small.residentBlocks, 8u);
    EXPECT_EQ(small.multiprocessorsFor(2048 / 64), 4u);
}

TEST(Occupancy, NamesEachLimiter) {
    EXPECT_EQ(limitersOf(onSm("9.0", 32, 32)), "blocks");
    EXPECT_EQ(limitersOf(onSm("9.0", 1024, 16)), "warps");
    EXPECT_EQ(limitersOf(onSm("9.0", 256, 64)), "registers");
    EXPECT_EQ(limitersOf(onSm("9.0", 256, 16, 48 * 1024)), "shared memory");
    EXPECT_EQ(limitersOf(onSm("9.0", 64, 32)), "blocks, warps and registers");
    EXPECT_EQ(limitersOf(onSm("9.0", 256, 64, 56 * 1024)), "registers and shared memory");
}

// 33 registers: 1056 for a warp, which takes five units of 256.
TEST(Occupancy, RoundsRegistersUpForEachWarp) {
    EXPECT_EQ(onSm("9.0", 32, 33).use(SmResource::registers).perBlock, 1280u);
    EXPECT_EQ(onSm("2.0", 32, 33).use(SmResource::registers).perBlock, 1088u);
    EXPECT_EQ(onSm("9.0", 256, 33).residentBlocks, 6u);  // 51 warps fit, 48 in fours, 6 x 8
    // Four warps in each of four partitions; an undivided SM would hold 19 warps, six blocks.
    EXPECT_EQ(onSm("9.0", 96, 97).use(SmResource::registers).blocks, 5u);
}

// CUDA C Programming Guide 4: warps in twos, then the block's registers in units of 512.
TEST(Occupancy, RoundsRegistersUpForTheWholeBlockBefore2) {
    EXPECT_EQ(onSm("1.3", 96, 17).use(SmResource::registers).perBlock, 2560u);
    EXPECT_EQ(onSm("1.0", 96, 17).use(SmResource::registers).perBlock, 2304u);
    EXPECT_EQ(onSm("1.3", 96, 17).residentBlocks, 6u);
}

TEST(Occupancy, CountsWhatTheSystemTakesOfSharedMemory) {
    EXPECT_EQ(onSm("9.0", 32, 0, 1).use(SmResource::sharedMemory).perBlock, 1152u);
    EXPECT_EQ(onSm("7.5", 32, 0, 1).use(SmResource::sharedMemory).perBlock, 256u);
    EXPECT_EQ(onSm("9.0", 32, 0, 0).use(SmResource::sharedMemory).perBlock, 1024u);
    EXPECT_EQ(onSm("7.5", 32, 0, 0).use(SmResource::sharedMemory).blocks, std::nullopt);
    EXPECT_EQ(onSm("9.0", 128, 0, 113 * 1024).residentBlocks, 2u);
    EXPECT_EQ(onSm("9.0", 128, 0, 113 * 1024 + 1).residentBlocks, 1u);
}

TEST(Occupancy, GivesSharedMemoryNoMoreThanItsCarveout) {
    BlockDemand block{.threads = 128, .dynamicSharedBytes = 15 * 1024, .carveoutPercent = 25};
    const auto available = [&] {
        return occupancyOf(limitsOf("9.0"), block).use(SmResource::sharedMemory).available;
    };
    EXPECT_EQ(available(), 64u * 1024);  // 57 KB asked for, the next size is 64
    EXPECT_EQ(occupancyOf(limitsOf("9.0"), block).residentBlocks, 4u);
    block.carveoutPercent = 0;
    EXPECT_EQ(available(), 16u * 1024);  // nothing asked for, but a block must fit
    block.carveoutPercent.reset();
    EXPECT_EQ(available(), 228u * 1024);
}

TEST(Occupancy, AcceptsEveryLimitItselfAndRefusesOneMore) {
    for (const SmLimits& limits : allSmLimits()) {
        SCOPED_TRACE(toString(limits.capability));
        const auto blocks = [&](const BlockDemand& block) {
            const std::uint32_t resident = occupancyOf(limits, block).residentBlocks;
            EXPECT_EQ(resident == 0, !refusalsOf(limits, block).empty());
            return resident;
        };
        EXPECT_GE(blocks({.threads = limits.threadsPerBlock}), 1u);
        EXPECT_EQ(blocks({.threads = limits.threadsPerBlock + 1}), 0u);
        EXPECT_EQ(blocks({.threads = 0}), 0u);
        EXPECT_GE(blocks({.threads = 32, .registersPerThread = limits.registersPerThread}), 1u);
        EXPECT_EQ(blocks({.threads = 32, .registersPerThread = limits.registersPerThread + 1}), 0u);
        const std::uint32_t shared = limits.sharedBytesPerBlockOptIn;
        EXPECT_GE(blocks({.threads = 32, .dynamicSharedBytes = shared}), 1u);
        EXPECT_EQ(blocks({.threads = 32, .dynamicSharedBytes = shared + 1}), 0u);
        EXPECT_EQ(blocks({.threads = 32, .staticSharedBytes = limits.sharedBytesPerBlock + 1}), 0u);
        EXPECT_EQ(blocks({.threads = UINT64_MAX,
                          .registersPerThread = UINT32_MAX,
                          .staticSharedBytes = UINT64_MAX,
                          .dynamicSharedBytes = UINT64_MAX}),
                  0u);
    }
}

TEST(Occupancy, HasResidentBlocksExactlyWhereNothingIsRefused) {
    std::mt19937_64 random(20261121);
    const auto upTo = [&](std::uint64_t most) { return random() % (most + 1); };
    for (const SmLimits& limits : allSmLimits()) {
        for (int i = 0; i < 20000; ++i) {
            const BlockDemand block{
                .threads = upTo(limits.threadsPerBlock + 8),
                .registersPerThread =
                    static_cast<std::uint32_t>(upTo(limits.registersPerThread + 2)),
                .staticSharedBytes = upTo(4) == 0 ? upTo(50000) : 0,
                .dynamicSharedBytes = upTo(limits.sharedBytesPerBlockOptIn + 512)};
            const Occupancy slots = occupancyOf(limits, block);
            ASSERT_EQ(slots.residentBlocks == 0, !refusalsOf(limits, block).empty())
                << toString(limits.capability) << ": " << block.threads << " threads, "
                << block.registersPerThread << " registers, " << block.sharedBytes() << " bytes";
            ASSERT_LE(slots.residentWarps(), slots.warpSlots);
        }
    }
}

TEST(OccupancyRefusals, NameEveryBrokenLimitWithItsValue) {
    EXPECT_EQ(refused("9.0", {.threads = 1025,
                              .registersPerThread = 256,
                              .staticSharedBytes = 49153,
                              .dynamicSharedBytes = 232448}),
              "threads per block = 1025: at most 1024; registers per thread = 256: at most 255; "
              "static shared memory = 49153 bytes: at most 49152; "
              "shared memory per block = 281601 bytes: at most 232448");
    EXPECT_EQ(refused("9.0", {.threads = 1024, .registersPerThread = 65}),
              "registers per block = 32 warps x 2304 = 73728: at most 65536");
    EXPECT_EQ(refused("1.0", {.threads = 512, .registersPerThread = 17}),
              "registers per block = 8704: at most 8192");
}

// The launch check takes warps in fours: 15 warps of 4352 registers would fit, 16 do not.
TEST(OccupancyRefusals, FollowTheLaunchCheckOfRegisters) {
    EXPECT_EQ(refused("9.0", {.threads = 480, .registersPerThread = 129}),
              "registers per block = 16 warps x 4352 = 69632: at most 65536");
}

TEST(OccupancyOptIn, IsNeededAbove48Kilobytes) {
    EXPECT_FALSE(needsOptIn(limitsOf("9.0"), {.threads = 32, .dynamicSharedBytes = 49152}));
    EXPECT_TRUE(needsOptIn(limitsOf("9.0"), {.threads = 32, .dynamicSharedBytes = 49153}));
    EXPECT_FALSE(needsOptIn(limitsOf("6.1"), {.threads = 32, .dynamicSharedBytes = 49153}));
}

TEST(SmLimitsTable, IsInOrderAndEveryRowHoldsTogether) {
    EXPECT_EQ(allSmLimits().front().capability, (ComputeCapability{1, 0}));
    EXPECT_EQ(allSmLimits().back().capability, (ComputeCapability{12, 1}));
    const SmLimits* before = nullptr;
    for (const SmLimits& limits : allSmLimits()) {
        SCOPED_TRACE(toString(limits.capability));
        EXPECT_TRUE(before == nullptr || before->capability < limits.capability);
        before = &limits;
        EXPECT_FALSE(limits.source.empty());
        EXPECT_EQ(&smLimitsNamed(toString(limits.capability)), &limits);
        EXPECT_LE(limits.registersPerBlock, limits.registers);
        EXPECT_LE(limits.sharedBytesPerBlock, limits.sharedBytesPerBlockOptIn);
        EXPECT_LE(limits.sharedBytesPerBlockOptIn + limits.sharedReservedPerBlock,
                  limits.sharedBytes);
        EXPECT_TRUE(std::ranges::is_sorted(limits.sharedSizes));
        if (limits.unsettled) {
            const SmLimits other = asTheOtherSourceSays(limits);
            EXPECT_NE(other.*limits.unsettled->limit, limits.*limits.unsettled->limit);
        }
    }
}

TEST(SmLimitsTable, IsAskedForWhatItHas) {
    for (const char* text : {"", "9", "9.", ".0", "9.5", "13.0", "9.0a", "-9.0", "9.0.0", " 9.0"}) {
        EXPECT_THROW(static_cast<void>(smLimitsNamed(text)), InvalidRequest) << text;
    }
    const std::string why =
        tests::refusal<InvalidRequest>([&] { static_cast<void>(smLimitsNamed("9.5")); });
    EXPECT_EQ(why,
              "compute capability = '9.5': one of 1.0 1.1 1.2 1.3 2.0 2.1 3.0 3.2 3.5 3.7 5.0 "
              "5.2 5.3 6.0 6.1 6.2 7.0 7.2 7.5 8.0 8.6 8.7 8.8 8.9 9.0 10.0 10.3 11.0 12.0 "
              "12.1");
}

TEST(LaunchLimitsOfACapability, AreThoseOfItsTime) {
    EXPECT_EQ(toString(validate({.grid = {65536, 1, 2}, .block = {513}},
                                launchLimitsOf(limitsOf("1.3")))),
              "grid x = 65536: at most 65535; grid z = 2: at most 1; block x = 513: at most 512; "
              "threads per block = 513: at most 512");
    EXPECT_TRUE(validate({.grid = {65536, 1, 2}, .block = {1024}, .dynamicSharedBytes = 232448},
                         launchLimitsOf(limitsOf("9.0")))
                    .empty());
}

}  // namespace
}  // namespace warplens
