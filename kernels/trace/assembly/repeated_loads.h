#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// Loads, by instruction, that only the compiler repeats: `a[n[i]] += 1` evaluates its left side
/// once, and unoptimised code loads `n[i]` twice. `compound`: lines and columns of such operators.
[[nodiscard]] std::set<std::size_t> repeatedLoads(
    const Unit& unit, const Function& function,
    const std::set<std::pair<std::uint32_t, std::uint32_t>>& compound);

}  // namespace warplens::assembly
