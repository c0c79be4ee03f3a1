#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Text from elsewhere (programs, compilers, sources, file names, workers), fit to be shown. Two
/// kinds of characters are not: controls (U+0000 to U+001F but newline and tab, U+007F to U+009F),
/// which a terminal obeys, and those of Unicode's property Bidi_Control (U+061C, U+200E, U+200F,
/// U+202A to U+202E, U+2066 to U+2069), which show source in another order than a compiler reads.
namespace warplens {

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

}  // namespace warplens
