#include "core/access/line_cost.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warplens {
namespace {

/// Calls `use(word, lanes, turn)` for each word of lanes served together, in rising order, with the
/// lanes that take from it; of an atomic, a word for each lane. `turn` counts the words of the same
/// bank before it.
template <class Use>
void forEachWord(std::span<const std::uint64_t> addresses, std::uint32_t wordsPerLane, bool atomic,
                 Use use) {
    // The word, and the lane behind it.
    constexpr int laneBits = 5;
    std::array<std::uint64_t, 32> taken;
    std::size_t count = 0;
    for (std::uint64_t lane = 0; lane < addresses.size(); ++lane) {
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

/// Calls `serve(lanes, first)` for the lanes that are served together; `first` is the first of
/// them.
template <class Serve>
void forEachPart(std::span<const std::uint64_t> addresses, std::uint32_t wordsPerLane,
                 Serve serve) {
    assert(!addresses.empty() && addresses.size() <= 32);
    const std::size_t lanesAtOnce = 32 / wordsPerLane;
    for (std::size_t begin = 0; begin < addresses.size(); begin += lanesAtOnce) {
        serve(addresses.subspan(begin, std::min(lanesAtOnce, addresses.size() - begin)), begin);
    }
}

void addShared(LineCost& cost, std::span<const std::uint64_t> addresses, std::uint32_t bytes,
               bool atomic) {
    const std::uint32_t wordsPerLane = std::max(1u, bytes / bytesPerBankWord);
    forEachPart(addresses, wordsPerLane, [&](std::span<const std::uint64_t> lanes, std::size_t) {
        std::uint32_t turns = 0;
        forEachWord(lanes, wordsPerLane, atomic,
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

LineCost costOf(AccessKind kind, std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    assert(!addresses.empty() && addresses.size() <= 32);
    LineCost cost{.requests = 1, .activeLanes = addresses.size()};
    if (isAtomic(kind)) cost.sameAddress = cost.mostSameAddress = mostAtOneAddress(addresses);
    if (isShared(kind)) {
        addShared(cost, addresses, bytes, isAtomic(kind));
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
                                  bool atomic) {
    const std::uint32_t wordsPerLane = bytes / bytesPerBankWord;
    std::vector<BankWord> found;
    std::uint32_t before = 0;
    forEachPart(addresses, wordsPerLane,
                [&](std::span<const std::uint64_t> part, std::size_t first) {
                    std::uint32_t turns = 0;
                    forEachWord(part, wordsPerLane, atomic,
                                [&](std::uint64_t word, std::uint32_t lanes, std::uint32_t turn) {
                                    found.push_back({word, before + turn, lanes << first});
                                    turns = std::max(turns, turn + 1);
                                });
                    before += turns;
                });
    std::ranges::stable_sort(found, {}, &BankWord::wavefront);
    return found;
}

}  // namespace warplens
