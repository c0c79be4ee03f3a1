#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

/// What the lanes of a warp gave one another at an intrinsic: 32 values.
namespace warplens::runtime {

/// Bytes from one lane's value to the next one's; the most a value has.
inline constexpr std::uint32_t exchangeStride = 32;

/// The lanes of `mask` with the value given, bit for bit.
[[nodiscard]] inline std::uint32_t lanesWith(const std::uint8_t* values, std::uint32_t mask,
                                             const void* value, std::uint32_t bytes) {
    std::uint32_t found = 0;
    if (bytes != sizeof(std::uint32_t)) {
        for (; mask != 0; mask &= mask - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
            const bool same = std::memcmp(values + lane * exchangeStride, value, bytes) == 0;
            if (same) found |= 1u << lane;
        }
        return found;
    }
    // What nearly all values are: all lanes, without a jump.
    const auto wordAt = [](const void* place) {
        std::uint32_t word = 0;
        std::memcpy(&word, place, sizeof word);
        return word;
    };
    const std::uint32_t wanted = wordAt(value);
#pragma GCC unroll 32
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        found |= (wordAt(values + lane * exchangeStride) == wanted ? 1u : 0u) << lane;
    }
    return found & mask;
}

/// The lanes of `mask` whose predicate, an int, is not 0.
[[nodiscard]] inline std::uint32_t lanesThatHold(const std::uint8_t* values, std::uint32_t mask) {
    const int no = 0;
    return mask & ~lanesWith(values, mask, &no, sizeof no);
}

}  // namespace warplens::runtime
