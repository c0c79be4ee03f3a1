#pragma once

#include <optional>
#include <string>

#include "app/drawing/warp_memory.h"
#include "core/occupancy/occupancy.h"

/// The picture of one SM under blocks of one kernel: its warp slots, a colour for each resident
/// block, free slots hollow; below, how much of each resource the blocks take, with the resource
/// that keeps a further block out standing out. Slots are filled in order: which one a warp really
/// gets is the hardware's choice, and the picture says so.
namespace warplens::drawing {

struct OccupancySlots final {
    Items items;
    std::string pointed;  ///< about the block or bar under `pointer`; empty over nothing
};

/// Cost: below 400 items.
[[nodiscard]] OccupancySlots prepareOccupancySlots(const SmLimits& limits, const BlockDemand& block,
                                                   const DrawArea& area,
                                                   std::optional<Point> pointer = {});

/// Occupancy of the same kernel in blocks of other sizes, its registers and shared bytes the same:
/// a column for every 32 threads up to the largest block, that of `block` standing out, hatched
/// where no such block can be launched. Cost: below 110 items.
[[nodiscard]] OccupancySlots prepareBlockSizes(const SmLimits& limits, const BlockDemand& block,
                                               const DrawArea& area,
                                               std::optional<Point> pointer = {});

/// `6 blocks resident, 48 of 64 warps: 75.0 % occupancy`, or that the block cannot be launched.
/// Where the launch has fewer `blocks`: `An SM could hold 6 blocks, 48 of 64 warps: 75.0 %
/// occupancy; this launch has 1 block`.
[[nodiscard]] std::string occupancyInWords(const SmLimits& limits, const BlockDemand& block,
                                           std::optional<std::uint64_t> blocks = {});

/// `limited by registers`, or the limits that the block breaks.
[[nodiscard]] std::string limitInWords(const SmLimits& limits, const BlockDemand& block);

/// Where the resident blocks' warps lie in the picture's rows of slots.
struct SlotRows final {
    std::uint32_t rows = 1;
    std::uint32_t columns = 1;
    friend constexpr bool operator==(const SlotRows&, const SlotRows&) = default;
};
/// Rows of at most 16 slots, all equally long.
[[nodiscard]] constexpr SlotRows slotRowsOf(std::uint32_t warpSlots) {
    std::uint32_t rows = (warpSlots + 15) / 16;
    while (warpSlots % rows != 0) ++rows;
    return {rows, warpSlots / rows};
}

/// `5 × (40.0 KiB + 1.00 KiB for the system)`: what the resident blocks take of shared memory;
/// empty where they take what they ask for, or that rounded up.
[[nodiscard]] std::string sharedSumInWords(const SmLimits& limits, const BlockDemand& block);

}  // namespace warplens::drawing
