#include "kernels/ptx/check/shadow.h"

#include <algorithm>

#include "kernels/ptx/run/warp.h"

namespace warplens::ptx::check {
namespace {

// Vectors of stamps may go over the end.
constexpr u64 spare = 4;

Stamps zeroed(u64 count) {
    Stamps made;
    made.all.reset(static_cast<Stamp*>(std::calloc(count + spare, sizeof(Stamp))));
    return made;
}

}  // namespace

bool Shadow::allocate() {
    const u64 count = (bytes + (1u << shift) - 1) >> shift;
    writes = zeroed(count);
    reads = zeroed(count);
    return writes.all != nullptr && reads.all != nullptr;
}

void Shadow::turnTo(u32 instruction, AccessKind kind) {
    const auto placeOf = [&](u32 which) { return std::ranges::find(sites, which, &AtArray::site); };
    if (const auto before = placeOf(latest.site); before != sites.end()) *before = latest;
    const auto found = placeOf(instruction);
    const bool isAlone = !isAtomic(kind);
    latest = found != sites.end() ? *found
                                  : AtArray{.site = instruction,
                                            .loads = !(isAlone && isStore(kind)),
                                            .stores = !isAlone || isStore(kind)};
    if (found != sites.end()) return;
    hasMoreSites |= sites.size() == mostSites;
    if (!hasMoreSites) sites.push_back(latest);
}

std::vector<AtArray> Shadow::noted() const {
    std::vector<AtArray> all = sites;
    std::ranges::replace_if(
        all, [&](const AtArray& at) { return at.site == latest.site; }, latest);
    return all;
}

void Shadow::narrow(u32 width) {
    const auto narrower = lowest(width);
    if (narrower >= shift) return;
    const u32 parts = shift - narrower;
    Stamps oldWrites = std::move(writes);
    Stamps oldReads = std::move(reads);
    shift = narrower;
    if (!allocate()) {
        bytes = 0;
        return;
    }
    // What is known of a word holds for each of its parts.
    for (u64 word = 0; word < words(); ++word) {
        if (const Stamp stamp = oldWrites[word >> parts]; stamp != 0) writes[word] = stamp;
        if (const Stamp stamp = oldReads[word >> parts]; stamp != 0) reads[word] = stamp;
    }
}

void Shadow::markWritten(u64 offset, u64 count) {
    if (offset <= writtenTo) {
        writtenTo = std::max(writtenTo, offset + count);
        return;
    }
    for (u64 word = offset >> shift; word << shift < offset + count; ++word) {
        if (writes[word] == 0) writes[word] = hostStamp;
    }
}

void Shadow::renumber(Stamp serial) {
    for (u64 word = 0; word < words(); ++word) {
        if (serialOf(writes[word]) == serial) writes[word] &= ~timeMask;
        if (serialOf(reads[word]) == serial) reads[word] &= ~timeMask;
    }
}

bool Shadow::isReached(u64 word) const {
    return serialOf(writes[word]) != 0 || serialOf(reads[word]) != 0;
}

bool Shadow::isAllReached() const {
    for (u64 word = 0; word < words(); ++word) {
        if (!isReached(word)) return false;
    }
    return bytes != 0;
}

u64 Shadow::bytesReached() const {
    u64 count = 0;
    for (u64 word = 0; word < words(); ++word) count += isReached(word) ? 1 : 0;
    return count << shift;
}

std::optional<Unreached> Shadow::unreached() const {
    if (bytes == 0 || threads == 0) return std::nullopt;
    const u64 count = words();
    const auto endOf = [&](u64 from, bool reached) {
        while (from < count && isReached(from) == reached) ++from;
        return from;
    };
    const u64 first = endOf(0, true);
    if (first == 0 || first << shift >= std::min(bytes, copiedTo)) return std::nullopt;
    const auto lastAt = [&](u64 word) { return std::max(writes[word], reads[word]); };
    const auto isOfOne = [&](u64 word, u64 other) {
        return ((lastAt(word) ^ lastAt(other)) & ~(timeMask | strongBit)) == 0 &&
               whoOf(lastAt(word)) < lanesOfWarp;
    };
    const u64 next = endOf(first, false);
    // Several side by side for each thread, of which the rest has too few.
    u64 each = 1;
    while (each < first && isOfOne(first - 1, first - 1 - each)) ++each;
    const u64 perElement = std::max<u64>(1, elementBytes >> shift);
    const bool isWhole = first % perElement == 0 && count % perElement == 0;
    if (next == count && each > 1 && count - first < each && first % each == 0 &&
        first / each >= lanesPerWarp) {
        const u64 unit = isWhole && each % perElement == 0 ? perElement : 1;
        return Unreached{count / unit, first / unit, 0, each / unit};
    }
    if (!isWhole) return std::nullopt;
    const u64 reached = first / perElement;
    if (next == count) {
        // Each thread took as many: there are too few of them, rather than fewer elements in use.
        if (reached % threads != 0) return std::nullopt;
        return Unreached{count / perElement, reached, 0};
    }
    // Rows: as wide as the grid, or one element for each thread of it, and all alike.
    const u64 period = next;
    const bool isForEach =
        period == threads * perElement && (isStoredTwice || threads % reached == 0);
    if (period % perElement != 0 || count % period != 0 || reached < 2 ||
        (reached != threadsInRow && !isForEach))
        return std::nullopt;
    // Columns that different threads reached, and not a row of each thread's own.
    if (isOfOne(0, first - 1)) return std::nullopt;
    const u64 rest = (period - first) << shift;
    if (rest < rowPitch && (period << shift) % rowPitch == 0) return std::nullopt;
    u64 rows = 0;
    for (u64 row = 0; row < count; row += period) {
        const u64 end = endOf(row, true);
        if (end != row + first) return std::nullopt;
        ++rows;
        const u64 after = endOf(end, false);
        if (after == count) break;  // and the rows after it
        if (after != row + period) return std::nullopt;
    }
    return Unreached{period / perElement, reached, rows};
}

SomeElements Shadow::leftAlone() const {
    if (launch == 0 || elementBytes >> shift == 0) return {};
    const u64 words = elementBytes >> shift;
    return SomeElements::of(
        std::min(bytes, copiedTo) / elementBytes, [&](u64 element) -> std::optional<bool> {
            for (u64 word = element * words; word < (element + 1) * words; ++word)
                if (isReached(word)) return false;
            return true;
        });
}

void Order::begin(Stamp serial, std::size_t warps) {
    serial_ = serial;
    time_ = barrier_ = 1;
    warps_.resize(warps);
    for (OfWarp& warp : warps_) {
        warp.met = 0;
        warp.known.reset();
    }
}

void Order::startAgain() {
    begin(serial_, warps_.size());
}

void Order::syncWarp(u32 warp, u32 lanes, u32 alive) {
    OfWarp& of = warps_[warp];
    const Stamp now = next();
    if (lanes == alive) {
        of.met = now;
        return;
    }
    if (!of.known) of.known = std::make_unique<Known>();
    std::array<Stamp, lanesPerWarp> together{};
    forEachLane(lanes, [&](u32 lane) {
        for (u32 other = 0; other < lanesPerWarp; ++other)
            together[other] = std::max(together[other], (*of.known)[lane][other]);
    });
    forEachLane(lanes, [&](u32 lane) { together[lane] = now; });
    forEachLane(lanes, [&](u32 lane) { (*of.known)[lane] = together; });
}

Stamp Order::orderedFloor(u32 warp) const {
    return floor() | std::max(barrier_, warps_[warp].met) << timeShift;
}

bool Order::isBefore(Stamp stamp, u32 thread) const {
    if (stamp < orderedFloor() || whoOf(stamp) == thread) return true;
    const u32 warp = thread / lanesPerWarp;
    if (warpOf(whoOf(stamp)) != warp) return false;
    if (stamp < orderedFloor(warp)) return true;
    const auto& known = warps_[warp].known;
    if (!known) return false;
    const u32 lane = thread % lanesPerWarp;
    // Of several lanes it is not known which: those with which it met.
    const u32 other = whoOf(stamp) >= lanesOfWarp ? lane : u32(whoOf(stamp)) % lanesPerWarp;
    return timeOf(stamp) < (*known)[lane][other];
}

}  // namespace warplens::ptx::check
