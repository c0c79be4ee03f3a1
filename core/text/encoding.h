#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The text's lines without their ends; a last one need not have one.
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

/// The line (from 1) of a byte.
[[nodiscard]] std::uint32_t lineAt(std::string_view text, std::size_t offset);

/// Without blanks, tabs and ends of lines before and behind it.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\f\v";
    while (!text.empty() && blanks.find(text.front()) != blanks.npos) text.remove_prefix(1);
    while (!text.empty() && blanks.find(text.back()) != blanks.npos) text.remove_suffix(1);
    return text;
}

/// Text of somebody else as it can be shown and written anywhere: what is no UTF-8 (The Unicode
/// Standard, table 3-7) becomes U+FFFD, a byte at a time, and it ends before the first character
/// that does not fit into `mostBytes`.
[[nodiscard]] std::string asUtf8(std::string_view text, std::size_t mostBytes);

/// A text without the byte order mark that editors of Windows begin it with.
[[nodiscard]] constexpr std::string_view withoutByteOrderMark(std::string_view text) {
    return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

// Text from elsewhere (programs, compilers, sources, file names, workers), fit to be shown. Two
// kinds of characters are not: controls (U+0000 to U+001F but newline and tab, U+007F to U+009F),
// which a terminal obeys, and those of Unicode's property Bidi_Control (U+061C, U+200E, U+200F,
// U+202A to U+202E, U+2066 to U+2069), which show source in another order than a compiler reads.

/// UTF-8 as `asUtf8` makes it, at most `most` bytes of it, the end of longer ones replaced by
/// `...`; a control is a blank, and a Bidi_Control U+FFFD: as a blank it would go unseen. Text that
/// is fit stays as it is.
[[nodiscard]] std::string sanitized(std::string_view said, std::size_t most = 4000);

/// The same of any length.
[[nodiscard]] inline std::string sanitizedWhole(std::string_view said) {
    return sanitized(said, SIZE_MAX);
}

/// The same on one line: a newline and a tab are blanks, too.
[[nodiscard]] std::string sanitizedLine(std::string_view said, std::size_t most = 4000);

/// A JSON text with these characters as `\u009b`: it means the same.
[[nodiscard]] std::string sanitizedJson(std::string_view json);

/// 64-bit FNV-1a in 16 hexadecimal digits. It guards files against edits by hand and damage, not
/// against somebody who computes it anew.
[[nodiscard]] std::string digestOf(std::string_view text);

/// RFC 4648, 4: with +, / and =.
[[nodiscard]] std::string toBase64(std::span<const std::byte> bytes);
/// Nothing where the text is none.
[[nodiscard]] std::optional<std::vector<std::byte>> fromBase64(std::string_view text);

}  // namespace warplens
