#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/launch/launch.h"

namespace warplens {

/// What kernels' arrays hold, and what their sizes are passed as.
enum class ElementType : std::uint8_t {
    int32,
    uint32,
    int64,
    uint64,
    float32,
    float64,
    int8,
    uint8,
    int32x2,
    int32x4,
    float32x2,
    float32x4,
    float64x2,
};

struct ElementTypeInfo final {
    ElementType type;
    std::string_view name;  ///< `long long`
    std::string_view also;  ///< another name of it; may be empty
    std::uint32_t bytes;
    bool isFloating;
    /// Whole numbers that it holds exactly, both ends included; 0 and 0 of one that is no single
    /// number, or a character: no size is passed as that.
    std::int64_t least;
    std::int64_t most;

    [[nodiscard]] bool holdsSizes() const { return most != 0; }
};

[[nodiscard]] std::span<const ElementTypeInfo> elementTypes();
[[nodiscard]] const ElementTypeInfo& infoOf(ElementType type);
/// By a name of CUDA's, `unsigned int`.
[[nodiscard]] std::optional<ElementType> elementTypeNamed(std::string_view name);
/// `int, unsigned, long long`: all of them, or those that sizes are passed as.
[[nodiscard]] std::string namesOfTypes(bool thatHoldSizes);
[[nodiscard]] inline std::uint64_t byteCount(ElementType type) {
    return infoOf(type).bytes;
}
/// The number as that type has it, in the lowest `byteCount` bytes; of one that holds sizes.
[[nodiscard]] inline std::uint64_t bitsOf(ElementType type, std::int64_t number) {
    if (type == ElementType::float32) {
        return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    }
    if (type == ElementType::float64) {
        return std::bit_cast<std::uint64_t>(static_cast<double>(number));
    }
    return static_cast<std::uint64_t>(number);
}

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
