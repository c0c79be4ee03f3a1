#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warplens {

/// Text of somebody else as it can be shown and written anywhere: what is no UTF-8 (The Unicode
/// Standard, table 3-7) becomes U+FFFD, a byte at a time, and it ends before the first character
/// that does not fit into `mostBytes`.
[[nodiscard]] std::string asUtf8(std::string_view text, std::size_t mostBytes);

/// A text without the byte order mark that editors of Windows begin it with.
[[nodiscard]] constexpr std::string_view withoutByteOrderMark(std::string_view text) {
    return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

}  // namespace warplens
