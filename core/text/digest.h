#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// 64-bit FNV-1a in 16 hexadecimal digits. It guards files against edits by hand and damage, not
/// against somebody who computes it anew.
[[nodiscard]] std::string digestOf(std::string_view text);

}  // namespace warplens
