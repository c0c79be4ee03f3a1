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
    const auto search = [&](const auto same) {
        std::uint32_t found = 0;
        for (; mask != 0; mask &= mask - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
            if (same(values + lane * exchangeStride)) found |= 1u << lane;
        }
        return found;
    };
    // What nearly all values are, without a call for each.
    if (bytes == sizeof(std::uint32_t)) {
        return search([&](const std::uint8_t* other) {
            return std::memcmp(other, value, sizeof(std::uint32_t)) == 0;
        });
    }
    return search([&](const std::uint8_t* other) { return std::memcmp(other, value, bytes) == 0; });
}

/// The lanes of `mask` whose predicate, an int, is not 0.
[[nodiscard]] inline std::uint32_t lanesThatHold(const std::uint8_t* values, std::uint32_t mask) {
    const int no = 0;
    return mask & ~lanesWith(values, mask, &no, sizeof no);
}

}  // namespace warplens::runtime
