#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace warplens {

/// One raw quantity read from the hardware. All values are sums over the whole GPU, but for
/// `achievedOccupancy`, which is a percentage.
enum class Counter : std::uint8_t {
    loadRequests,
    storeRequests,
    loadSectors,
    storeSectors,
    loadBytesRequested,
    storeBytesRequested,
    branchTargets,
    divergentBranches,
    instructions,
    threadInstructions,
    threadInstructionsPredicatedOn,
    sharedLoadRequests,
    sharedStoreRequests,
    sharedAtomicRequests,
    sharedWavefronts,
    l2Bytes,
    dramBytes,
    achievedOccupancy,
};

struct CounterRow final {
    Counter counter;
    /// CUPTI's names for it, best first; the first that a chip knows is used.
    std::span<const std::string_view> names;
    std::string_view missing;  ///< what to say where a chip knows none
};

inline constexpr std::size_t counterCount = 18;

/// In the order of Counter. Names hold for compute capability 7.5 to 12.x; a test asks CUPTI for
/// each of them on every chip.
[[nodiscard]] std::span<const CounterRow, counterCount> counterTable();

}  // namespace warplens
