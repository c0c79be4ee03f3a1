#pragma once

#include <cstdint>

/// What the time-stamping kernels write, shared by the host and the device.
namespace warplens::schedule {

inline constexpr int mostWarps = 32;   // of a block
inline constexpr int mostStamps = 64;  // of a warp

/// One warp: which SM, from when to when.
struct WarpRecord {
    std::uint32_t sm;
    std::uint32_t stamps;
    std::uint64_t begin, end;  // nanoseconds of the device's global timer
    std::uint64_t beginCycle, endCycle;
};

/// A stamp is the SM's cycle count, shifted left by one to make room for what was stamped.
inline constexpr std::uint64_t asked = 0;
inline constexpr std::uint64_t answered = 1;

/// What the host hands to a scheduled kernel: room for the first warps of the grid.
struct Records {
    WarpRecord* warps;
    std::uint64_t room;
    std::uint64_t* stamps;  // mostStamps for each warp
    std::uint64_t stampRoom;
};

}  // namespace warplens::schedule
