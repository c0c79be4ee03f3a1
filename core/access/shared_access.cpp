#include "core/access/shared_access.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace warplens {
namespace {

/// Most different words that any one bank must give.
std::uint32_t degree(std::span<const std::uint64_t> addresses, std::uint32_t wordsPerLane) {
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
    std::uint32_t most = 0;
    for (auto word = words.begin(); word != end; ++word) {
        if (word != words.begin() && *word == *(word - 1)) continue;
        most = std::max<std::uint32_t>(most, ++perBank[*word % sharedBanks]);
    }
    return most;
}

}  // namespace

SharedCost sharedCostOf(std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    assert(!addresses.empty() && addresses.size() <= 32);
    const std::uint32_t wordsPerLane = bytes / bytesPerBankWord;
    const std::size_t lanesAtOnce = 32 / wordsPerLane;
    SharedCost cost;
    for (std::size_t begin = 0; begin < addresses.size(); begin += lanesAtOnce) {
        const std::size_t lanes = std::min(lanesAtOnce, addresses.size() - begin);
        cost.wavefronts += degree(addresses.subspan(begin, lanes), wordsPerLane);
        ++cost.idealWavefronts;
    }
    return cost;
}

}  // namespace warplens
