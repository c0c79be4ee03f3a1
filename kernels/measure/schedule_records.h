#pragma once

#include <cstdint>

/// What kernels with time stamps write, as schedule_stamps.cu has it.
namespace warplens {

/// One warp: which SM, from when to when.
struct WarpRecord final {
    std::uint32_t sm = 0;
    std::uint32_t stamps = 0;
    std::uint64_t begin = 0;  ///< nanoseconds of the device's global timer
    std::uint64_t end = 0;
    std::uint64_t beginCycle = 0;
    std::uint64_t endCycle = 0;
};

/// A stamp is the SM's cycle count, shifted left by one to make room for what was stamped.
inline constexpr std::uint64_t stampAsked = 0;
inline constexpr std::uint64_t stampAnswered = 1;

/// What the host hands to such a kernel, by device addresses: room for the first warps of the grid.
struct ScheduleRecords final {
    std::uint64_t warps = 0;
    std::uint64_t room = 0;
    std::uint64_t stamps = 0;  ///< Schedule::mostStamps for each warp
    std::uint64_t stampRoom = 0;
};

}  // namespace warplens
