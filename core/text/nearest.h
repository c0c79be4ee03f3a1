#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// `; did you mean 'matadd-swapped' or 'matmul-swapped'?`: the known words, at most three, that
/// hold what was typed or are few letters away from it; empty where none is.
[[nodiscard]] std::string didYouMean(std::string_view typed,
                                     std::span<const std::string_view> known);

}  // namespace warplens
