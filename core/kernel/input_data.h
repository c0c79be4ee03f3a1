#pragma once

#include <cstdint>

#include "core/launch/extents.h"

namespace warplens {

/// The value every input array holds at `index`: random-looking, from 0 to just below 1 in steps of
/// 2^-24 (exact in float), the same on host and device, so that neither has to be given the other's
/// data. `array` is the array's place in the kernel's parameter list.
[[nodiscard]] constexpr float inputValue(std::uint32_t array, std::uint64_t index) {
    // Finaliser of MurmurHash3 over the 32 low bits that int-indexed arrays have.
    std::uint32_t h = static_cast<std::uint32_t>(index) + 0x9e3779b9u * (array + 1);
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return static_cast<float>(h >> 8) * 0x1p-24f;
}

}  // namespace warplens
