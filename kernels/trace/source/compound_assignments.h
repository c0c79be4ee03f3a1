#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

namespace warplens::source {

/// Lines and columns, from 1, of `+=` and its like in a text.
[[nodiscard]] std::set<std::pair<std::uint32_t, std::uint32_t>> compoundAssignmentsIn(
    std::string_view text);

}  // namespace warplens::source
