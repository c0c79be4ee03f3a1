#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

inline constexpr std::size_t nowhere = std::string_view::npos;

/// A source with comments, strings and character constants blanked, so that what looks like code is
/// code. Positions and line breaks are those of the source.
[[nodiscard]] std::string maskedText(std::string_view text);

/// A place in a text, both from 1.
struct TextPlace final {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};
[[nodiscard]] TextPlace placeAt(std::string_view text, std::size_t position);

[[nodiscard]] bool isNameCharacter(char c);
/// The next position from `at` that is no blank; the text's size where there is none.
[[nodiscard]] std::size_t skipBlanks(std::string_view text, std::size_t at);
/// One past the bracket that closes the one at `open`; `nowhere` where it is never closed.
[[nodiscard]] std::size_t closing(std::string_view masked, std::size_t open);
/// Where `word` stands as a whole word from `from` on; `nowhere` where it does not.
[[nodiscard]] std::size_t findWord(std::string_view masked, std::string_view word,
                                   std::size_t from = 0);

/// Whether `word(...)` in a declaration says something about what is declared: `alignas(16)`.
[[nodiscard]] bool isAttribute(std::string_view word);

}  // namespace warplens::source

namespace warplens {

/// For each line of a source (index 0 is line 1) the line on which its statement began: compilers
/// lay all of a statement to one line. A line without a statement maps to itself.
[[nodiscard]] std::vector<std::uint32_t> statementLines(std::string_view source);

}  // namespace warplens
