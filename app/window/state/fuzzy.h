#pragma once

#include <optional>
#include <string_view>

namespace warplens::window {

/// How well a text answers to what is typed: the more, the better; nothing where it does not. Each
/// word of `typed` has to be there, in any order and whatever its case: as it stands, or as
/// beginnings of words that follow one another (`msw` finds `matmul-swapped`).
[[nodiscard]] std::optional<int> matchScore(std::string_view typed, std::string_view text);

}  // namespace warplens::window
