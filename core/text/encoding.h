#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// 64-bit FNV-1a in 16 hexadecimal digits. It guards files against edits by hand and damage, not
/// against somebody who computes it anew.
[[nodiscard]] std::string digestOf(std::string_view text);

/// RFC 4648, 4: with +, / and =.
[[nodiscard]] std::string toBase64(std::span<const std::byte> bytes);
/// Nothing where the text is none.
[[nodiscard]] std::optional<std::vector<std::byte>> fromBase64(std::string_view text);

}  // namespace warplens
