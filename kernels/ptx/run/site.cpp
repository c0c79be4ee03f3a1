#include "kernels/ptx/run/site.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

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

Shape SiteState::noShape;

void SiteState::settle() {
    for (Shape& known : shapes) {
        if (known.hits != 0) counts.add(known.cost, std::exchange(known.hits, 0));
    }
}

void SiteState::begin(std::uint32_t another) {
    array = another;
    shapes.clear();
    masks.clear();
    shape = &noShape;
}

void Shape::learnSectors(std::uint64_t first) {
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

void SiteState::learn(AccessKind kind, std::uint32_t bytes, std::uint32_t counted,
                      const std::uint64_t* addresses, std::uint32_t active) {
    constexpr std::size_t most = 32;
    if (!recall(active)) {
        if (shapes.size() < most) {
            shapes.emplace_back();
            masks.push_back(active);
        } else {
            oldest = (oldest + 1) % most;
            masks[oldest] = active;
        }
        static_cast<void>(recall(active));
    }
    if (shape->hits != 0) counts.add(shape->cost, shape->hits);
    shape->learn(kind, bytes, counted, addresses, active);
    if (counted != 0 && !isShared(kind)) countSectors(addresses[std::countr_zero(active)]);
}

void Shape::learn(AccessKind kind, std::uint32_t bytes, std::uint32_t counted,
                  const std::uint64_t* addresses, std::uint32_t active) {
    hits = 0;
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
    sectors = {};
    lines = {};
    lowBits = static_cast<std::uint32_t>(first) & 3u;
    if (!isCounted) {
        cost = {};
        return;
    }
    bytes = counted;
    cost = {.requests = 1, .activeLanes = count};
    const std::span<const std::uint64_t> all(list.data(), count);
    if (isAtomic(kind)) {
        cost.mostSameAddress =
            isUniform ? static_cast<std::uint32_t>(count) : mostAtOneAddress(all);
        cost.sameAddress = cost.mostSameAddress;
    }
    if (isShared(kind)) {
        const LineCost shared = costOf(kind, all, bytes, active);
        cost.wavefronts = shared.wavefronts;
        cost.idealWavefronts = shared.idealWavefronts;
    }
}

}  // namespace warplens::ptx
