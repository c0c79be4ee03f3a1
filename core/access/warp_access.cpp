#include "core/access/warp_access.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace warplens {
namespace {

constexpr unsigned sectorShift = 5;
constexpr unsigned lineShift = 7;

/// Addresses in rising order: neighbours tell all.
AccessCost costOfSorted(std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    std::uint32_t sectors = 1;
    std::uint32_t lines = 1;
    std::uint32_t distinct = 1;
    for (std::size_t i = 1; i < addresses.size(); ++i) {
        const std::uint64_t before = addresses[i - 1];
        const std::uint64_t here = addresses[i];
        sectors += (here >> sectorShift) != (before >> sectorShift);
        lines += (here >> lineShift) != (before >> lineShift);
        distinct += here != before;
    }
    const auto requested = static_cast<std::uint32_t>(addresses.size()) * bytes;
    const std::uint32_t unique = distinct * bytes;
    return {.sectors = sectors,
            .lines = lines,
            .idealSectors = (unique + bytesPerSector - 1) / bytesPerSector,
            .uniqueBytes = unique,
            .requestedBytes = requested};
}

}  // namespace

AccessCost costOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    assert(!addresses.empty() && addresses.size() <= 32);
    if (std::ranges::is_sorted(addresses)) return costOfSorted(addresses, bytes);
    std::array<std::uint64_t, 32> sorted;
    const auto end = std::ranges::copy(addresses, sorted.begin()).out;
    std::sort(sorted.begin(), end);
    return costOfSorted({sorted.begin(), end}, bytes);
}

}  // namespace warplens
