#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// RFC 4648, 4: with +, / and =.
[[nodiscard]] std::string toBase64(std::span<const std::byte> bytes);
/// Nothing where the text is none.
[[nodiscard]] std::optional<std::vector<std::byte>> fromBase64(std::string_view text);

}  // namespace warplens
