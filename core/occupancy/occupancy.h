#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/launch/mapping.h"
#include "core/occupancy/sm_limits.h"

/// How many blocks of a kernel an SM holds at once, and what keeps it from holding more. The rule
/// is that of NVIDIA's cuda_occupancy.h, and for compute capability 1.x and 2.x that of the
/// spreadsheet before it. Left out, because few kernels meet them: barriers beyond one a block,
/// which limit from 9.0 on, and the caching of global memory in parts of the SM (5.2 to 6.2).
namespace warplens {

struct Device;
struct Measurement;

/// What one block of a kernel asks of an SM.
struct BlockDemand final {
    std::uint64_t threads = 0;
    std::uint32_t registersPerThread = 0;  ///< as the compiler reports them
    std::uint64_t staticSharedBytes = 0;   ///< on 1.x with the kernel's parameters
    std::uint64_t dynamicSharedBytes = 0;
    /// Percent of an SM's shared memory that the kernel would have, the rest being L1, as in
    /// cudaFuncAttributePreferredSharedMemoryCarveout: 0 to 100, from compute capability 7.0 on.
    /// Open: all of it. Blocks that need more get more.
    std::optional<std::uint32_t> carveoutPercent{};
    friend constexpr bool operator==(const BlockDemand&, const BlockDemand&) = default;

    [[nodiscard]] constexpr std::uint64_t warps() const {
        return threads / lanesPerWarp + (threads % lanesPerWarp != 0 ? 1 : 0);
    }
    /// Static and dynamic together, at most 2^64-1.
    [[nodiscard]] constexpr std::uint64_t sharedBytes() const {
        const std::uint64_t room = UINT64_MAX - staticSharedBytes;
        return dynamicSharedBytes > room ? UINT64_MAX : staticSharedBytes + dynamicSharedBytes;
    }
};

/// What blocks of one SM share.
enum class SmResource : std::uint8_t { blocks, warps, registers, sharedMemory };
/// As in JSON.
constexpr std::array<std::string_view, 4> namesOf(SmResource /*resource*/) {
    return {"blocks", "warps", "registers", "shared_bytes"};
}
inline constexpr std::array smResources{SmResource::blocks, SmResource::warps,
                                        SmResource::registers, SmResource::sharedMemory};

/// One resource of the SM, for one kernel.
struct ResourceUse final {
    std::uint64_t perBlock = 0;  ///< taken by one block, rounded up as the SM does
    std::uint64_t available = 0;
    /// Blocks that this resource alone has room for, 0 where it cannot hold one; nothing where the
    /// blocks take none of it.
    std::optional<std::uint32_t> blocks{};
    friend constexpr bool operator==(const ResourceUse&, const ResourceUse&) = default;
};

/// The slots of one SM under blocks of one kernel.
struct Occupancy final {
    std::uint32_t residentBlocks = 0;  ///< 0 for a block that cannot be launched
    std::uint32_t warpSlots = 0;
    std::array<ResourceUse, smResources.size()> uses{};
    friend constexpr bool operator==(const Occupancy&, const Occupancy&) = default;

    [[nodiscard]] constexpr const ResourceUse& use(SmResource resource) const {
        return uses[static_cast<std::size_t>(resource)];
    }
    [[nodiscard]] constexpr std::uint32_t warpsPerBlock() const {
        return static_cast<std::uint32_t>(use(SmResource::warps).perBlock);
    }
    [[nodiscard]] constexpr std::uint32_t residentWarps() const {
        return residentBlocks * warpsPerBlock();
    }
    [[nodiscard]] constexpr double percent() const { return 100.0 * residentWarps() / warpSlots; }
    /// Whether the SM holds no further block because of this resource. Several can be true at once.
    [[nodiscard]] constexpr bool isLimitedBy(SmResource resource) const {
        return use(resource).blocks == residentBlocks;
    }
    /// Fewest SMs that hold a whole grid at once. Blocks must be resident.
    [[nodiscard]] constexpr std::uint64_t multiprocessorsFor(std::uint64_t gridBlocks) const {
        return (gridBlocks + residentBlocks - 1) / residentBlocks;
    }
};

namespace occupancy {

[[nodiscard]] constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// Blocks as a count that fits; more than any SM holds stays more.
[[nodiscard]] constexpr std::uint32_t blockCount(std::uint64_t blocks) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, UINT32_MAX));
}

/// Registers that the launch check sees for one block; cuda_occupancy.h calls them assumed.
[[nodiscard]] constexpr std::uint64_t registersChecked(const SmLimits& limits,
                                                       const BlockDemand& block) {
    const std::uint64_t perWarp = std::uint64_t{block.registersPerThread} * lanesPerWarp;
    if (limits.registerAllocation == RegisterAllocation::perBlock) {
        return roundUp(roundUp(block.warps(), limits.partitions) * perWarp, limits.registerUnit);
    }
    return roundUp(perWarp, limits.registerUnit) * roundUp(block.warps(), limits.launchWarpUnit);
}

[[nodiscard]] constexpr ResourceUse useOfWarps(const SmLimits& limits, const BlockDemand& block) {
    const bool launches = block.threads != 0 && block.threads <= limits.threadsPerBlock;
    return {block.warps(), limits.warps, launches ? blockCount(limits.warps / block.warps()) : 0};
}

[[nodiscard]] constexpr ResourceUse useOfRegisters(const SmLimits& limits,
                                                   const BlockDemand& block) {
    ResourceUse use{.perBlock = 0, .available = limits.registers};
    if (block.registersPerThread == 0 || block.threads == 0) return use;
    const std::uint64_t perWarp =
        roundUp(std::uint64_t{block.registersPerThread} * lanesPerWarp, limits.registerUnit);
    const bool byBlock = limits.registerAllocation == RegisterAllocation::perBlock;
    use.perBlock = byBlock ? registersChecked(limits, block) : perWarp * block.warps();
    if (block.registersPerThread > limits.registersPerThread ||
        registersChecked(limits, block) > limits.registersPerBlock) {
        use.blocks = 0;
    } else if (byBlock) {
        use.blocks = blockCount(limits.registers / use.perBlock);
    } else {
        // A warp takes its registers from one partition of the SM.
        const std::uint64_t warpsThatFit =
            limits.registers / limits.partitions / perWarp * limits.partitions;
        use.blocks = blockCount(warpsThatFit / block.warps());
    }
    return use;
}

/// Shared memory the SM sets aside for the kernel's blocks: the size asked for, or the next that
/// holds a block.
[[nodiscard]] constexpr std::uint64_t sharedSizeFor(const SmLimits& limits,
                                                    const BlockDemand& block,
                                                    std::uint64_t perBlock) {
    if (!block.carveoutPercent || limits.sharedSizes.empty()) return limits.sharedBytes;
    const std::uint64_t asked = std::uint64_t{*block.carveoutPercent} * limits.sharedBytes / 100;
    for (const std::uint32_t size : limits.sharedSizes) {
        if (size >= asked && size >= perBlock) return size;
    }
    return limits.sharedBytes;
}

[[nodiscard]] constexpr ResourceUse useOfSharedMemory(const SmLimits& limits,
                                                      const BlockDemand& block) {
    const std::uint64_t perBlock =
        roundUp(block.sharedBytes() + limits.sharedReservedPerBlock, limits.sharedUnit);
    ResourceUse use{.perBlock = perBlock, .available = sharedSizeFor(limits, block, perBlock)};
    const bool launches = block.staticSharedBytes <= limits.sharedBytesPerBlock &&
                          block.sharedBytes() <= limits.sharedBytesPerBlockOptIn;
    if (!launches) {
        use.blocks = 0;
    } else if (perBlock != 0) {
        use.blocks = blockCount(use.available / perBlock);
    }
    return use;
}

}  // namespace occupancy

/// The slots of one SM. Any demand is answered: one that cannot be launched has no resident block,
/// and `refusalsOf` says why.
[[nodiscard]] constexpr Occupancy occupancyOf(const SmLimits& limits, const BlockDemand& block) {
    Occupancy result{
        .warpSlots = limits.warps,
        .uses = {ResourceUse{1, limits.blocks, limits.blocks}, occupancy::useOfWarps(limits, block),
                 occupancy::useOfRegisters(limits, block),
                 occupancy::useOfSharedMemory(limits, block)}};
    result.residentBlocks = limits.blocks;
    for (const ResourceUse& use : result.uses) {
        if (use.blocks) result.residentBlocks = std::min(result.residentBlocks, *use.blocks);
    }
    return result;
}

/// Every limit that keeps such a block from being launched, with its value; empty exactly where
/// `occupancyOf` has resident blocks.
[[nodiscard]] std::vector<LimitViolation> refusalsOf(const SmLimits& limits,
                                                     const BlockDemand& block);

/// Whether the kernel must ask for its shared memory with cudaFuncSetAttribute.
[[nodiscard]] constexpr bool needsOptIn(const SmLimits& limits, const BlockDemand& block) {
    return block.sharedBytes() > limits.sharedBytesPerBlock &&
           block.sharedBytes() <= limits.sharedBytesPerBlockOptIn;
}

/// `warps`, `shared memory`.
[[nodiscard]] std::string_view toString(SmResource resource);

/// `warps`, `registers and shared memory`: what the SM runs out of first. Empty with no resident
/// block.
[[nodiscard]] std::string limitersOf(const Occupancy& occupancy);

/// What a block of the kernel asks of an SM, as it was compiled for the measured device. Nothing
/// for a measurement that does not tell its resources.
[[nodiscard]] std::optional<BlockDemand> demandOf(const Measurement& measurement);

/// The limits of the measured device's compute capability; null where the table has none.
[[nodiscard]] const SmLimits* smLimitsOf(const Device& device);

}  // namespace warplens
