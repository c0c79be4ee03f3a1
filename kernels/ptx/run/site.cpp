#include "kernels/ptx/run/site.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <span>
#include <utility>

namespace warplens::ptx {
namespace {

/// Global memory by distinct units of 2^shift bytes that the lanes' bytes lie in.
u32 distinct(std::span<const u64> sorted, u32 bytes, u32 shift) {
    u64 next = 0;  // the first unit that is not counted yet
    u32 count = 0;
    for (const u64 address : sorted) {
        const u64 first = std::max(next, address >> shift);
        const u64 end = ((address + bytes - 1) >> shift) + 1;
        if (end > first) count += u32(end - first);
        next = std::max(next, end);
    }
    return count;
}

/// Differs from all that any thread was given before; they take turns for many at a time only.
u64 newPattern() {
    constexpr u64 atOnce = 1u << 16;
    static std::atomic<u64> taken = 0;
    thread_local u64 last = 0;
    if (last % atOnce == 0) last = taken.fetch_add(atOnce, std::memory_order_relaxed);
    return ++last;
}

}  // namespace

Shape SiteState::noShape;

void SiteState::settle() {
    for (Shape& known : shapes) {
        if (known.hits != 0) counts.add(known.cost, std::exchange(known.hits, 0));
    }
}

void SiteState::begin(u32 another) {
    array = another;
    shapes.clear();
    masks.clear();
    shape = &noShape;
}

void Shape::learnSectors(u64 first) {
    const u32 bytes = costBytes;
    std::array<u64, lanesPerWarp> list;
    std::size_t count = 0;
    for (u32 left = mask; left != 0; left &= left - 1) {
        list[count++] = first + offsets[ptx::lowest(left)];
    }
    const auto end = list.begin() + static_cast<std::ptrdiff_t>(count);
    if (!std::is_sorted(list.begin(), end)) std::sort(list.begin(), end);
    const std::span<const u64> all(list.data(), count);
    const std::size_t word = first >> 2 & 31u;
    // 32 lanes of up to 16 bytes, wherever they are: at most 64.
    sectors[word] = u8(distinct(all, bytes, 5));
    lines[word] = u8(distinct(all, bytes, 7));
    if (cost.uniqueBytes == 0) {
        cost.uniqueBytes = distinct(all, bytes, 0);
        cost.idealSectors = (cost.uniqueBytes + bytesPerSector - 1) / bytesPerSector;
    }
}

void SiteState::learn(AccessKind kind, u32 bytes, u32 counted, const u64* addresses, u32 active) {
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
    if (shape->isCounted && !isShared(kind)) countSectors(addresses[lowest(active)]);
}

void Shape::learn(AccessKind kind, u32 bytes, u32 counted, const u64* addresses, u32 active) {
    hits = 0;
    isCounted = counted != 0;
    costBytes = counted;
    std::array<u64, lanesPerWarp> list;
    std::size_t count = 0;
    const u32 firstLane = ptx::lowest(active);
    const u64 first = addresses[firstLane];
    isAligned = true;
    isUniform = true;
    runCount = 0;
    bool fits = true;
    bool rises = true;
    bool falls = true;
    bool isRow = true;  // each lane beside the one before, as if those between were active
    s64 before = 0;
    lowest = highest = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        offsets[lane] = 0;
        if ((active >> lane & 1) == 0) continue;
        const u64 offset = addresses[lane] - first;
        offsets[lane] = offset;
        isAligned &= (offset & (bytes - 1)) == 0;
        isUniform &= offset == 0;
        isRow &= offset == (lane - firstLane) * u64{bytes};
        Run* run = runCount == 0 ? nullptr : &runs[runCount - 1u];
        const bool follows = run != nullptr && run->lane + run->lanes == lane;
        const auto apart = run == nullptr ? 0 : s64(offset - u64(run->offset));
        if (follows && apart == 0 && (run->isUniform || run->lanes == 1)) {
            run->isUniform = true;
            ++run->lanes;
        } else if (follows && apart == s64{bytes} * run->lanes && !run->isUniform) {
            ++run->lanes;
        } else if (fits && runCount < runs.size()) {
            runs[runCount++] = {u8(lane), 1, false, s64(offset)};
        } else {
            fits = false;
        }
        const auto here = s64(offset);
        if (count != 0) {
            rises &= here - before >= s64{bytes};
            falls &= before - here >= s64{bytes};
        }
        before = here;
        lowest = std::min(lowest, here);
        highest = std::max(highest, here);
        list[count++] = addresses[lane];
    }
    if (!fits) runCount = 0;
    isSparse = isRow && runCount != 1;
    if (isSparse) {
        const u32 end = lanesPerWarp - u32(std::countl_zero(active));
        runs[0] = {u8(firstLane), u8(end - firstLane)};
        runCount = 1;
    }
    isApart = rises || falls;
    // Lanes so far apart lie in no array together; their ends would seem to, once their sum
    // overflows.
    isAligned &= u64(highest) - u64(lowest) < 1ull << 62;
    mask = active;
    pattern = newPattern();
    sectors = {};
    lines = {};
    lowBits = u32(first) & 3u;
    if (!isCounted) {
        cost = {};
        return;
    }
    bytes = counted;
    cost = {.requests = 1, .activeLanes = count};
    const std::span<const u64> all(list.data(), count);
    if (isAtomic(kind)) {
        cost.mostSameAddress = isUniform ? u32(count) : mostAtOneAddress(all);
        cost.sameAddress = cost.mostSameAddress;
    }
    if (kind == AccessKind::constantLoad) {
        isCounted = false;  // in sectors
        cost.wavefronts = isUniform ? 1 : distinctAddresses(all);
        cost.idealWavefronts = 1;
    }
    if (isShared(kind)) {
        const LineCost shared = costOf(kind, all, bytes, active);
        cost.wavefronts = shared.wavefronts;
        cost.idealWavefronts = shared.idealWavefronts;
    }
}

}  // namespace warplens::ptx
