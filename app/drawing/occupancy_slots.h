#pragma once

#include <optional>
#include <string>

#include "app/drawing/warp_memory.h"
#include "core/occupancy/occupancy.h"

/// The picture of one SM under blocks of one kernel: its warp slots, a colour for each block that
/// the launch has for it, an outline for each more that it has room for, other slots hollow; below,
/// how much of each resource the blocks take, with the resource that keeps a further block out
/// standing out. Slots are filled in order: which one a warp really
/// gets is the hardware's choice, and the picture says so.
namespace warplens::drawing {

/// A launch's blocks, dealt out to the SMs of a device as evenly as they go.
struct GridShare final {
    std::uint64_t blocks = 0;           ///< of the launch
    std::uint32_t multiprocessors = 0;  ///< of the device; 0: not known, one SM may have all
    std::string device{};

    /// For the SM that has most.
    [[nodiscard]] constexpr std::uint64_t most() const {
        return multiprocessors == 0 ? blocks : (blocks + multiprocessors - 1) / multiprocessors;
    }
};

/// Of a launch of so many blocks on SMs of these limits: those of `device` where they are its own,
/// else of an H200 where they are of that; null where none is known.
[[nodiscard]] GridShare gridShareOf(std::uint64_t blocks, const SmLimits& limits,
                                    const Device* device);

/// Of an SM with room for `room`, what the launch keeps resident there: fewer where its grid is
/// too small.
[[nodiscard]] std::uint32_t residentOf(const Occupancy& room, const std::optional<GridShare>& grid);

struct OccupancySlots final {
    Items items;
    std::string pointed;  ///< about the block or bar under `pointer`; empty over nothing
};

/// Where no grid is named the SM is full. Cost: below 400 items.
[[nodiscard]] OccupancySlots prepareOccupancySlots(const SmLimits& limits, const BlockDemand& block,
                                                   const DrawArea& area,
                                                   std::optional<Point> pointer = {},
                                                   const std::optional<GridShare>& grid = {});

/// Occupancy of the same kernel in blocks of other sizes, its registers and shared bytes the same:
/// a column for every 32 threads up to the largest block, that of `block` standing out, hatched
/// where no such block can be launched. Cost: below 110 items.
[[nodiscard]] OccupancySlots prepareBlockSizes(const SmLimits& limits, const BlockDemand& block,
                                               const DrawArea& area,
                                               std::optional<Point> pointer = {});

/// `6 blocks resident, 48 of 64 warps: 75.0 % occupancy`, or that the block cannot be launched.
/// Where the grid has fewer: `This launch has 2 blocks for each SM, 16 of 64 warps: 25.0 %
/// occupancy`.
[[nodiscard]] std::string occupancyInWords(const SmLimits& limits, const BlockDemand& block,
                                           const std::optional<GridShare>& grid = {});

/// `limited by registers`, or the limits that the block breaks. Where the grid has fewer: `Room for
/// 6 blocks, limited by registers; 264 blocks on the 132 SMs of NVIDIA H200`.
[[nodiscard]] std::string limitInWords(const SmLimits& limits, const BlockDemand& block,
                                       const std::optional<GridShare>& grid = {});

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
