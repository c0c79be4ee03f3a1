#include "kernels/trace/runtime/request_cost.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/access/line_cost.h"

namespace warplens::runtime {
namespace {

using Sorted = std::array<std::uint64_t, 32>;

std::size_t sortInto(std::span<const std::uint64_t> addresses, Sorted& sorted) {
    const std::size_t count = addresses.size();
    bool inOrder = true;
    for (std::size_t i = 0; i < count; ++i) {
        sorted[i] = addresses[i];
        inOrder = inOrder && (i == 0 || sorted[i - 1] <= sorted[i]);
    }
    if (!inOrder) std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
}

}  // namespace

RequestCost globalCost(const LaneAddresses& lanes, std::uint32_t bytes) {
    Sorted sorted;
    const std::size_t count = sortInto(lanes.addresses, sorted);
    RequestCost cost;
    std::uint64_t nextSector = 0;  // first one not counted yet
    std::uint64_t usedTo = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t first = sorted[i];
        const std::uint64_t last = first + bytes;
        const std::uint64_t from = std::max(first / bytesPerSector, nextSector);
        const std::uint64_t to = (last - 1) / bytesPerSector + 1;
        if (to > from) {
            cost.sectors += static_cast<std::uint32_t>(to - from);
            nextSector = to;
        }
        if (last > usedTo) {
            cost.uniqueBytes += static_cast<std::uint32_t>(last - std::max(first, usedTo));
            usedTo = last;
        }
    }
    cost.idealSectors = (cost.uniqueBytes + bytesPerSector - 1) / bytesPerSector;
    return cost;
}

RequestCost sharedCost(const LaneAddresses& lanes, std::uint32_t bytes, bool atomic) {
    const std::uint32_t lanesAtOnce = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
    RequestCost cost;
    std::size_t next = 0;
    for (std::uint32_t first = 0; first < 32; first += lanesAtOnce) {
        const std::uint32_t group =
            (lanesAtOnce == 32 ? ~0u : (1u << lanesAtOnce) - 1) << first & lanes.lanes;
        const auto members = static_cast<std::size_t>(std::popcount(group));
        if (members == 0) continue;
        const LineCost part = costOf(atomic ? AccessKind::sharedAtomic : AccessKind::sharedLoad,
                                     lanes.addresses.subspan(next, members), bytes);
        next += members;
        cost.wavefronts += static_cast<std::uint32_t>(part.wavefronts);
        cost.idealWavefronts += static_cast<std::uint32_t>(part.idealWavefronts);
    }
    return cost;
}

}  // namespace warplens::runtime
