#pragma once

#include <cstdint>

namespace warplens::ptx::check {

/// Who was at a word of memory last, and when: the block's serial number in bits 32 to 62 (0: no
/// kernel; 1 alone is the host), the block's time in bits 12 to 31, whether it was strong in bit 11
/// (atomic, volatile or with a scope: PTX ISA, "Memory Consistency Model"), who in the lowest 11.
/// So what is later is greater.
using Stamp = std::int64_t;

inline constexpr int whoBits = 11;
inline constexpr Stamp whoMask = (Stamp{1} << whoBits) - 1;
inline constexpr Stamp lanesOfWarp = 1024;  ///< several lanes of the warp that is added
inline constexpr Stamp manyThreads = 2046;  ///< of several warps of the block
inline constexpr Stamp manyBlocks = 2047;
inline constexpr Stamp strongBit = Stamp{1} << whoBits;
inline constexpr int timeShift = whoBits + 1;
inline constexpr Stamp mostTime = (Stamp{1} << 20) - 1;
inline constexpr Stamp timeMask = mostTime << timeShift;
inline constexpr int serialShift = 32;
inline constexpr Stamp mostSerial = (Stamp{1} << 31) - 2;
inline constexpr Stamp hostStamp = 1;

[[nodiscard]] constexpr Stamp whoOf(Stamp stamp) {
    return stamp & whoMask;
}
[[nodiscard]] constexpr Stamp timeOf(Stamp stamp) {
    return (stamp & timeMask) >> timeShift;
}
[[nodiscard]] constexpr Stamp serialOf(Stamp stamp) {
    return stamp >> serialShift;
}
[[nodiscard]] constexpr bool isStrong(Stamp stamp) {
    return (stamp & strongBit) != 0;
}
/// The warp of a thread or of several lanes; none of the block's for the others.
[[nodiscard]] constexpr Stamp warpOf(Stamp who) {
    return who >= manyThreads ? who : who >= lanesOfWarp ? who - lanesOfWarp : who / 32;
}

}  // namespace warplens::ptx::check
