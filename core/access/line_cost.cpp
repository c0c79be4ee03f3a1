#include "core/access/line_cost.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warplens {
namespace {

/// Calls `use(word, lanes, turn)` for each word of lanes served together, in rising order, with the
/// lanes that take from it; of an atomic, a word for each lane. `part` are places in `addresses`,
/// and lanes these, too. `turn` counts the words of the same bank before it.
template <class Use>
void forEachWord(std::span<const std::uint64_t> addresses, std::span<const std::uint8_t> part,
                 std::uint32_t wordsPerLane, bool atomic, Use use) {
    // The word, and the lane behind it.
    constexpr int laneBits = 5;
    std::array<std::uint64_t, 64> taken;
    std::size_t count = 0;
    for (const std::uint64_t lane : part) {
        for (std::uint32_t w = 0; w < wordsPerLane; ++w) {
            taken[count++] = (addresses[lane] / bytesPerBankWord + w) << laneBits | lane;
        }
    }
    const auto end = taken.begin() + static_cast<std::ptrdiff_t>(count);
    if (!std::is_sorted(taken.begin(), end)) std::sort(taken.begin(), end);
    std::array<std::uint8_t, sharedBanks> perBank{};
    for (auto next = taken.begin(); next != end;) {
        const std::uint64_t word = *next >> laneBits;
        std::uint32_t lanes = 0;
        do {
            lanes |= 1u << (*next++ & ((1u << laneBits) - 1));
        } while (!atomic && next != end && *next >> laneBits == word);
        use(word, lanes, std::uint32_t{perBank[word % sharedBanks]++});
    }
}

/// Calls `serve(part, wordsPerLane)` for the lanes that are served together, as places in
/// `addresses`.
template <class Serve>
void forEachPart(std::span<const std::uint64_t> addresses, std::uint32_t bytes, AccessKind kind,
                 std::uint32_t lanes, Serve serve) {
    assert(!addresses.empty() && addresses.size() <= 32);
    constexpr std::uint8_t none = 0xff;
    if (lanes == 0) lanes = ~0u >> (32 - addresses.size());
    std::array<std::uint8_t, 32> places{};
    std::uint8_t count = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        places[lane] = (lanes >> lane & 1) != 0 ? count++ : none;
    const auto arePairs = [&](std::uint32_t apart) {
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            const std::uint8_t one = places[lane];
            const std::uint8_t other = places[lane ^ apart];
            if (one != none && other != none && addresses[one] != addresses[other]) return false;
        }
        return true;
    };
    const std::uint32_t wordsPerLane = std::max(1u, bytes / bytesPerBankWord);
    std::uint32_t lanesAtOnce = 32 / wordsPerLane;
    if (kind == AccessKind::sharedLoad && wordsPerLane > 1 && (arePairs(1) || arePairs(2)))
        lanesAtOnce *= 2;
    for (std::uint32_t begin = 0; begin < 32; begin += lanesAtOnce) {
        const auto first = places.begin() + begin;
        std::array<std::uint8_t, 32> part;
        const auto end = std::copy_if(first, first + lanesAtOnce, part.begin(),
                                      [&](std::uint8_t place) { return place != none; });
        if (end != part.begin()) serve(std::span(part.begin(), end), wordsPerLane);
    }
}

void addShared(LineCost& cost, std::span<const std::uint64_t> addresses, std::uint32_t bytes,
               AccessKind kind, std::uint32_t lanes) {
    forEachPart(addresses, bytes, kind, lanes, [&](auto part, std::uint32_t wordsPerLane) {
        std::uint32_t turns = 0;
        forEachWord(addresses, part, wordsPerLane, isAtomic(kind),
                    [&](std::uint64_t, std::uint32_t, std::uint32_t turn) {
                        turns = std::max(turns, turn + 1);
                    });
        cost.wavefronts += turns;
        ++cost.idealWavefronts;
    });
}

/// Addresses in rising order: neighbours tell all.
void addGlobal(LineCost& cost, std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    constexpr unsigned sectorShift = 5;
    constexpr unsigned lineShift = 7;
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
    cost.sectors = sectors;
    cost.cacheLines = lines;
    cost.uniqueBytes = std::uint64_t{distinct} * bytes;
    cost.idealSectors = (cost.uniqueBytes + bytesPerSector - 1) / bytesPerSector;
    cost.requestedBytes = addresses.size() * bytes;
}

}  // namespace

void LineCost::add(const LineCost& other, std::uint64_t times) {
    for (const auto count : summedCounts) this->*count += other.*count * times;
    mostSameAddress = std::max(mostSameAddress, other.mostSameAddress);
}

LineCost costOf(AccessKind kind, std::span<const std::uint64_t> addresses, std::uint32_t bytes,
                std::uint32_t lanes) {
    assert(!addresses.empty() && addresses.size() <= 32);
    LineCost cost{.requests = 1, .activeLanes = addresses.size()};
    if (isAtomic(kind)) cost.sameAddress = cost.mostSameAddress = mostAtOneAddress(addresses);
    if (isShared(kind)) {
        addShared(cost, addresses, bytes, kind, lanes);
    } else if (std::ranges::is_sorted(addresses)) {
        addGlobal(cost, addresses, bytes);
    } else {
        std::array<std::uint64_t, 32> sorted;
        const auto end = std::ranges::copy(addresses, sorted.begin()).out;
        std::sort(sorted.begin(), end);
        addGlobal(cost, {sorted.begin(), end}, bytes);
    }
    return cost;
}

LineCost costOfBranch(std::uint32_t activeLanes, std::uint32_t takenLanes) {
    return {.requests = 1,
            .activeLanes = static_cast<std::uint64_t>(std::popcount(activeLanes)),
            .divergent = takenLanes != 0 && takenLanes != activeLanes ? 1u : 0u,
            .takenLanes = static_cast<std::uint64_t>(std::popcount(takenLanes))};
}

std::uint32_t distinctAddresses(std::span<const std::uint64_t> addresses) {
    std::array<std::uint64_t, 32> sorted;
    const auto end = std::ranges::copy(addresses, sorted.begin()).out;
    std::sort(sorted.begin(), end);
    return static_cast<std::uint32_t>(std::unique(sorted.begin(), end) - sorted.begin());
}

std::uint32_t mostAtOneAddress(std::span<const std::uint64_t> addresses) {
    std::array<std::uint64_t, 32> sorted;
    const auto end = std::ranges::copy(addresses, sorted.begin()).out;
    std::sort(sorted.begin(), end);
    std::ptrdiff_t most = 0;
    for (auto first = sorted.begin(); first != end;) {
        const auto next = std::upper_bound(first, end, *first);
        most = std::max(most, next - first);
        first = next;
    }
    return static_cast<std::uint32_t>(most);
}

std::vector<BankWord> bankWordsOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes,
                                  AccessKind kind, std::uint32_t lanes) {
    std::vector<BankWord> found;
    std::uint32_t before = 0;
    forEachPart(addresses, bytes, kind, lanes, [&](auto part, std::uint32_t wordsPerLane) {
        std::uint32_t turns = 0;
        forEachWord(addresses, part, wordsPerLane, isAtomic(kind),
                    [&](std::uint64_t word, std::uint32_t takers, std::uint32_t turn) {
                        found.push_back({word, before + turn, takers});
                        turns = std::max(turns, turn + 1);
                    });
        before += turns;
    });
    std::ranges::stable_sort(found, {}, &BankWord::wavefront);
    return found;
}

}  // namespace warplens
