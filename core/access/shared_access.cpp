#include "core/access/shared_access.h"

#include <algorithm>
#include <array>
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

}  // namespace

SharedCost sharedCostOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes,
                        bool atomic) {
    const std::uint32_t wordsPerLane = std::max(1u, bytes / bytesPerBankWord);
    SharedCost cost;
    forEachPart(addresses, wordsPerLane, [&](std::span<const std::uint64_t> lanes, std::size_t) {
        std::uint32_t turns = 0;
        forEachWord(lanes, wordsPerLane, atomic,
                    [&](std::uint64_t, std::uint32_t, std::uint32_t turn) {
                        turns = std::max(turns, turn + 1);
                    });
        cost.wavefronts += turns;
        ++cost.idealWavefronts;
    });
    return cost;
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
