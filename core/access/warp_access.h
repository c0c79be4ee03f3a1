#pragma once

#include <cstdint>
#include <span>

namespace warplens {

inline constexpr std::uint32_t bytesPerSector = 32;
inline constexpr std::uint32_t bytesPerCacheLine = 128;

/// What one warp-level access to global memory costs. Every active lane accesses `bytes` bytes
/// (1, 2, 4, 8 or 16) at an address that is a multiple of them, so that no lane straddles a sector.
/// Rule: CUDA Programming Guide, "Coalesced Global Memory Access" (32-byte transactions).
struct AccessCost final {
    std::uint32_t sectors = 0;         ///< distinct 32-byte sectors
    std::uint32_t lines = 0;           ///< distinct 128-byte cache lines
    std::uint32_t idealSectors = 0;    ///< fewest that hold the bytes used: ceil(uniqueBytes / 32)
    std::uint32_t uniqueBytes = 0;     ///< bytes used, a byte that several lanes share once
    std::uint32_t requestedBytes = 0;  ///< bytes asked for, a shared byte once for each lane
    friend bool operator==(const AccessCost&, const AccessCost&) = default;
};

/// Cost of one request by the lanes whose addresses are given, 1 to 32 of them in any order.
[[nodiscard]] AccessCost costOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes);

}  // namespace warplens
