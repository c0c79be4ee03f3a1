#include "kernels/ptx/run/site.h"

#include <algorithm>
#include <bit>
#include <span>

#include "core/access/shared_access.h"
#include "core/access/warp_access.h"

namespace warplens::ptx {
namespace {

/// Global memory by distinct units of 2^shift bytes that the lanes' bytes lie in.
std::uint32_t distinct(std::span<const std::uint64_t> sorted, std::uint32_t bytes,
                       std::uint32_t shift) {
    std::uint64_t next = 0;  // the first unit that is not counted yet
    std::uint32_t count = 0;
    for (const std::uint64_t address : sorted) {
        const std::uint64_t first = std::max(next, address >> shift);
        const std::uint64_t end = ((address + bytes - 1) >> shift) + 1;
        if (end > first) count += static_cast<std::uint32_t>(end - first);
        next = std::max(next, end);
    }
    return count;
}

}  // namespace

void SiteCounts::add(const SiteCounts& other, std::uint64_t times) {
    requests += other.requests * times;
    lanes += other.lanes * times;
    sectors += other.sectors * times;
    lines += other.lines * times;
    idealSectors += other.idealSectors * times;
    uniqueBytes += other.uniqueBytes * times;
    wavefronts += other.wavefronts * times;
    idealWavefronts += other.idealWavefronts * times;
    sameAddress += other.sameAddress * times;
    divergent += other.divergent * times;
    takenLanes += other.takenLanes * times;
    mostSameAddress = std::max(mostSameAddress, other.mostSameAddress);
}

void SiteState::keep() {
    constexpr std::size_t most = 32;
    settle();
    if (mask == 0) return;
    if (kept.size() < most) {
        kept.push_back(*this);
        keptMasks.push_back(mask);
        return;
    }
    kept[nextKept] = *this;
    keptMasks[nextKept] = mask;
    nextKept = (nextKept + 1) % most;
}

bool SiteState::recall(std::uint32_t active) {
    const auto found = std::ranges::find(keptMasks, active);
    if (found == keptMasks.end()) return false;
    settle();
    *found = mask;
    std::swap(static_cast<Shape&>(*this),
              kept[static_cast<std::size_t>(found - keptMasks.begin())]);
    return true;
}

void SiteState::learnSectors(std::uint64_t first) {
    const std::uint32_t bytes = costBytes;
    std::array<std::uint64_t, lanesPerWarp> list;
    std::size_t count = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        list[count++] = first + offsets[static_cast<std::size_t>(std::countr_zero(left))];
    }
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(count);
    if (!std::is_sorted(list.begin(), end)) std::sort(list.begin(), end);
    const std::span<const std::uint64_t> all(list.data(), count);
    const std::size_t word = first >> 2 & 31u;
    // 32 lanes of up to 16 bytes, wherever they are: at most 64.
    sectors[word] = static_cast<std::uint8_t>(distinct(all, bytes, 5));
    lines[word] = static_cast<std::uint8_t>(distinct(all, bytes, 7));
    if (cost.uniqueBytes == 0) {
        cost.uniqueBytes = distinct(all, bytes, 0);
        cost.idealSectors = (cost.uniqueBytes + bytesPerSector - 1) / bytesPerSector;
    }
}

void SiteState::learn(SiteKind kind, std::uint32_t bytes, std::uint32_t counted,
                      const std::uint64_t* addresses, std::uint32_t active) {
    settle();
    isCounted = counted != 0;
    costBytes = counted;
    std::array<std::uint64_t, lanesPerWarp> list;
    std::size_t count = 0;
    const auto firstLane = static_cast<std::uint32_t>(std::countr_zero(active));
    const std::uint64_t first = addresses[firstLane];
    isAligned = true;
    isUniform = true;
    runCount = 0;
    bool fits = true;
    bool rises = true;
    bool falls = true;
    bool isRow = true;  // each lane beside the one before, as if those between were active
    std::int64_t before = 0;
    lowest = highest = 0;
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        offsets[lane] = 0;
        if ((active >> lane & 1) == 0) continue;
        const std::uint64_t offset = addresses[lane] - first;
        offsets[lane] = offset;
        isAligned &= (offset & (bytes - 1)) == 0;
        isUniform &= offset == 0;
        isRow &= offset == (lane - firstLane) * std::uint64_t{bytes};
        Run* run = runCount == 0 ? nullptr : &runs[runCount - 1u];
        const bool follows = run != nullptr && run->lane + run->lanes == lane;
        const auto apart =
            run == nullptr
                ? 0
                : static_cast<std::int64_t>(offset - static_cast<std::uint64_t>(run->offset));
        if (follows && apart == 0 && (run->isUniform || run->lanes == 1)) {
            run->isUniform = true;
            ++run->lanes;
        } else if (follows && apart == std::int64_t{bytes} * run->lanes && !run->isUniform) {
            ++run->lanes;
        } else if (fits && runCount < runs.size()) {
            runs[runCount++] = {static_cast<std::uint8_t>(lane), 1, false,
                                static_cast<std::int64_t>(offset)};
        } else {
            fits = false;
        }
        const auto here = static_cast<std::int64_t>(offset);
        if (count != 0) {
            rises &= here - before >= std::int64_t{bytes};
            falls &= before - here >= std::int64_t{bytes};
        }
        before = here;
        lowest = std::min(lowest, here);
        highest = std::max(highest, here);
        list[count++] = addresses[lane];
    }
    if (!fits) runCount = 0;
    isSparse = isRow && runCount != 1;
    if (isSparse) {
        const std::uint32_t end =
            lanesPerWarp - static_cast<std::uint32_t>(std::countl_zero(active));
        runs[0] = {static_cast<std::uint8_t>(firstLane),
                   static_cast<std::uint8_t>(end - firstLane)};
        runCount = 1;
    }
    isApart = rises || falls;
    // Lanes so far apart lie in no array together; their ends would seem to, once their sum
    // overflows.
    isAligned &=
        static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) < 1ull << 62;
    mask = active;
    lowBits = static_cast<std::uint32_t>(first) & 3u;
    if (!isCounted) {
        cost = {};
        return;
    }
    bytes = counted;
    cost = {.requests = 1, .lanes = count};
    const std::span<const std::uint64_t> all(list.data(), count);
    if (isAtomic(kind)) {
        cost.mostSameAddress =
            isUniform ? static_cast<std::uint32_t>(count) : mostAtOneAddress(all);
        cost.sameAddress = cost.mostSameAddress;
    }
    if (isShared(kind)) {
        // 8 bytes a lane are served by half warps, 16 by quarters. Of loads twice as many lanes
        // come at once where each is at the address of its neighbour, or each at that of the one
        // behind the neighbour, unless that is not active: as an H100 counted
        // (tests/ptx/shared_loads.py).
        std::uint32_t lanesAtOnce = lanesPerWarp * 4 / std::max(4u, bytes);
        std::uint32_t served = active;
        for (std::uint32_t other = 1; other <= 2; ++other) {
            if (kind != SiteKind::sharedLoad || bytes <= 4 || served != active) break;
            std::uint32_t alike = 0;
            for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
                const bool isAlone = (active >> (lane ^ other) & 1) == 0;
                alike |= std::uint32_t{isAlone || offsets[lane] == offsets[lane ^ other]} << lane;
            }
            if ((active & ~alike) != 0) continue;
            // One of each two.
            const std::uint32_t lower = other == 1 ? 0x55555555u : 0x33333333u;
            served = (active & lower) | (active & ~lower & ~(active << other));
            lanesAtOnce *= 2;
            break;
        }
        for (std::uint32_t lane = 0; lane < lanesPerWarp; lane += lanesAtOnce) {
            count = 0;
            for (std::uint32_t at = lane; at < lane + lanesAtOnce; ++at) {
                if ((served >> at & 1) != 0) list[count++] = addresses[at];
            }
            if (count == 0) continue;
            const SharedCost part =
                sharedCostOf(std::span(list.data(), count), bytes, isAtomic(kind));
            cost.wavefronts += part.wavefronts;
            cost.idealWavefronts += part.idealWavefronts;
        }
    } else {
        sectors = {};
        lines = {};
        countSectors(first);
    }
}

}  // namespace warplens::ptx
