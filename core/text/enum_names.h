#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace warplens {

/// The enumerator that stands where `text` stands among `names`, which are in the enumerators'
/// order; nothing where it is none of them.
template <class Enum, std::size_t count>
[[nodiscard]] std::optional<Enum> enumeratorNamed(const std::array<std::string_view, count>& names,
                                                  std::string_view text) {
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) return std::nullopt;
    return static_cast<Enum>(found - names.begin());
}

}  // namespace warplens
