#pragma once

#include <cstdint>
#include <span>

namespace warplens {

inline constexpr std::uint32_t sharedBanks = 32;
inline constexpr std::uint32_t bytesPerBankWord = 4;

/// What one warp-level access to shared memory costs.
struct SharedCost final {
    std::uint32_t wavefronts = 0;
    std::uint32_t idealWavefronts = 0;  ///< fewest for this width: 1 for 4 bytes a lane, 4 for 16
    friend bool operator==(const SharedCost&, const SharedCost&) = default;
};

/// Cost of one request by the lanes whose byte addresses within shared memory are given, 1 to 32 of
/// them in lane order; every lane accesses `bytes` bytes (4, 8 or 16), aligned. Lanes that access
/// the same word share it; different words of one bank come one after the other. Rule: CUDA
/// Programming Guide, "Shared Memory Access Patterns"; 8 and 16 bytes are served by half and
/// quarter warps.
[[nodiscard]] SharedCost sharedCostOf(std::span<const std::uint64_t> addresses,
                                      std::uint32_t bytes);

}  // namespace warplens
