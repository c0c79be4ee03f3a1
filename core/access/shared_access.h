#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warplens {

inline constexpr std::uint32_t sharedBanks = 32;
inline constexpr std::uint32_t bytesPerBankWord = 4;

/// What one warp-level access to shared memory costs.
struct SharedCost final {
    std::uint32_t wavefronts = 0;
    std::uint32_t idealWavefronts = 0;  ///< fewest for this width: 1 for 4 bytes a lane, 4 for 16
    friend bool operator==(const SharedCost&, const SharedCost&) = default;
};

enum class SharedKind : std::uint8_t { load, store, atomic };

/// Cost of one request by the lanes whose byte addresses within shared memory are given, 1 to 32 of
/// them in lane order; every lane accesses `bytes` bytes (1, 2, 4, 8 or 16), aligned. `lanes` says
/// which lanes they are; 0: the first ones. Lanes that access the same word share it; different
/// words of one bank come one after the other. Rule: CUDA Programming Guide, "Shared Memory Access
/// Patterns"; 8 and 16 bytes are served by half and quarter warps, of loads by twice as many lanes
/// where each is at the address of its neighbour, or each at that of the one behind the neighbour,
/// unless that is not active: as an H100 counted (tests/ptx/shared_loads.py). Of an atomic lanes at
/// one word come one after the other, too.
[[nodiscard]] SharedCost sharedCostOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes,
                                      SharedKind kind = SharedKind::load, std::uint32_t lanes = 0);

/// Lanes at the address that most of them share: an atomic is done for one of them at a time.
[[nodiscard]] std::uint32_t mostAtOneAddress(std::span<const std::uint64_t> addresses);

/// One word that a request takes from its bank, and when.
struct BankWord final {
    std::uint64_t word = 0;       ///< byte address / 4
    std::uint32_t wavefront = 0;  ///< from 0
    std::uint32_t lanes = 0;      ///< bit i: the i-th of the addresses takes from it
    [[nodiscard]] constexpr std::uint32_t bank() const {
        return static_cast<std::uint32_t>(word % sharedBanks);
    }
    friend constexpr bool operator==(const BankWord&, const BankWord&) = default;
};

/// The words behind `sharedCostOf`, wave by wave. Which of a bank's words comes first is not
/// documented: here it is the lowest.
[[nodiscard]] std::vector<BankWord> bankWordsOf(std::span<const std::uint64_t> addresses,
                                                std::uint32_t bytes,
                                                SharedKind kind = SharedKind::load,
                                                std::uint32_t lanes = 0);

}  // namespace warplens
