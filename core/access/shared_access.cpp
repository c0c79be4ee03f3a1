#include "core/access/shared_access.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace warplens {
namespace {

/// Calls `use(word, turn)` for each different word of lanes served together, in rising order;
/// `turn` counts the words of the same bank before it.
template <class Use>
void forEachWord(std::span<const std::uint64_t> addresses, std::uint32_t wordsPerLane, Use use) {
    std::array<std::uint64_t, 32> words;
    std::size_t count = 0;
    for (const std::uint64_t address : addresses) {
        for (std::uint32_t w = 0; w < wordsPerLane; ++w) {
            words[count++] = address / bytesPerBankWord + w;
        }
    }
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(words.begin(), end);
    std::array<std::uint8_t, sharedBanks> perBank{};
    for (auto word = words.begin(); word != end; ++word) {
        if (word != words.begin() && *word == *(word - 1)) continue;
        use(*word, std::uint32_t{perBank[*word % sharedBanks]++});
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

SharedCost sharedCostOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    const std::uint32_t wordsPerLane = bytes / bytesPerBankWord;
    SharedCost cost;
    forEachPart(addresses, wordsPerLane, [&](std::span<const std::uint64_t> lanes, std::size_t) {
        std::uint32_t turns = 0;
        forEachWord(lanes, wordsPerLane,
                    [&](std::uint64_t, std::uint32_t turn) { turns = std::max(turns, turn + 1); });
        cost.wavefronts += turns;
        ++cost.idealWavefronts;
    });
    return cost;
}

std::vector<BankWord> bankWordsOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    const std::uint32_t wordsPerLane = bytes / bytesPerBankWord;
    std::vector<BankWord> found;
    std::uint32_t before = 0;
    forEachPart(addresses, wordsPerLane,
                [&](std::span<const std::uint64_t> lanes, std::size_t first) {
                    const std::size_t begin = found.size();
                    std::uint32_t turns = 0;
                    forEachWord(lanes, wordsPerLane, [&](std::uint64_t word, std::uint32_t turn) {
                        found.push_back({word, before + turn, 0});
                        turns = std::max(turns, turn + 1);
                    });
                    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
                        const std::uint64_t low = lanes[lane] / bytesPerBankWord;
                        for (auto word = found.begin() + static_cast<std::ptrdiff_t>(begin);
                             word != found.end(); ++word) {
                            if (word->word >= low && word->word < low + wordsPerLane) {
                                word->lanes |= 1u << (first + lane);
                            }
                        }
                    }
                    before += turns;
                });
    std::ranges::stable_sort(found, {}, &BankWord::wavefront);
    return found;
}

}  // namespace warplens
