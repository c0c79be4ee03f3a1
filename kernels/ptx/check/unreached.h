#pragma once

#include <cstdint>
#include <optional>

#include "kernels/ptx/check/shadow.h"

namespace warplens::ptx::check {

/// Elements of an array that no thread of any launch reached, where it looks as if the grid did not
/// cover the array: the rest of it, or the rest of each of its rows.
struct Unreached final {
    std::uint64_t elements = 0;  ///< of the array, or of a row
    std::uint64_t reached = 0;   ///< the first of them
    std::uint64_t rows = 0;      ///< that have a rest each; 0: it is the array's own
    std::uint32_t width = 0;     ///< bytes of an element
};
[[nodiscard]] std::optional<Unreached> unreachedOf(const Shadow& shadow);

}  // namespace warplens::ptx::check
