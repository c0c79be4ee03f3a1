#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "core/launch/limit_violation.h"

namespace warplens {

class Archive;

/// Position of a thread in its block, or of a block in its grid: CUDA's threadIdx and blockIdx.
struct Index3 final {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;
    friend constexpr bool operator==(const Index3&, const Index3&) = default;
};

/// Size of a block in threads or of a grid in blocks: CUDA's dim3. Any value can be held;
/// `validate` (launch.h) says whether CUDA would accept it.
struct Extents final {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
    friend constexpr bool operator==(const Extents&, const Extents&) = default;

    /// x*y*z, exact up to 2^64-1 and that value beyond it.
    [[nodiscard]] constexpr std::uint64_t count() const {
        const std::uint64_t plane = std::uint64_t{x} * y;
        if (plane != 0 && z > UINT64_MAX / plane) return UINT64_MAX;
        return plane * z;
    }
};

/// Reads `16`, `16,16`, `16x16x2`; missing extents are 1. Anything else (signs, blanks, letters, a
/// fourth extent, a value over 2^32-1) is a violation that names `name` and quotes the text. Zero
/// is read: it is `validate` that refuses it, with the other broken limits.
[[nodiscard]] std::variant<Extents, LimitViolation> parseExtents(std::string_view name,
                                                                 std::string_view text);

/// Three numbers in a list.
void describeValue(Archive& v, Index3& index);
void describeValue(Archive& v, Extents& extents);

/// `16,16,1` as CUDA prints a dim3, without trailing ones: `16,16`, `5,7,3`, `1`.
[[nodiscard]] std::string toString(Extents extents);

}  // namespace warplens
