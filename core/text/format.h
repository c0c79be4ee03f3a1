#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// `1,048,576`.
[[nodiscard]] std::string groupedDigits(std::uint64_t value);

/// `1 block`, `1,024 blocks`: a noun whose plural ends in s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// The same of a count that stops at 2^64-1, as Launch::threadCount: `2^64 or more`.
[[nodiscard]] std::string groupedCount(std::uint64_t count);

/// `3.14`: so many digits behind the point.
[[nodiscard]] std::string fixedNumber(double value, int decimals);

/// Three or four significant digits of a value from 1 to 999: `4.24`, `97.5`, `123`.
[[nodiscard]] std::string significantDigits(double value);
/// The same of a value of any size, divided by `step` until a prefix fits: `4.24 TB/s`.
[[nodiscard]] std::string prefixedNumber(double value, double step,
                                         std::span<const char* const> prefixes,
                                         std::string_view unit);

/// `1e+308`, `0.25`: six digits at most and no unit, as a number might be typed.
[[nodiscard]] std::string plainNumber(double value);

/// `60 MiB`, `512 B`.
[[nodiscard]] std::string formatBytes(std::uint64_t bytes);

/// The version this program was built as: `0.1.0`.
[[nodiscard]] std::string version();

/// The whole number that the text is, in decimal; nothing for other text and for what a Number does
/// not hold.
template <class Number>
[[nodiscard]] std::optional<Number> wholeNumber(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// A number and what stands behind it.
struct NumberRead final {
    double value = 0;
    std::string_view rest;
};
/// The decimal number that the text begins with: `1.5e3`, `-2`; nullopt where it begins with none,
/// or with one that no double holds.
[[nodiscard]] inline std::optional<NumberRead> readNumber(std::string_view text) {
    // strtod takes more than decimal numbers, and from_chars does not take doubles everywhere.
    const std::string number(text.substr(0, text.find_first_not_of("0123456789.eE+-")));
    const char* const begin = number.c_str();
    if (number.empty() || *begin == 'e' || *begin == 'E' || *begin == '+') return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    if (end == begin || !std::isfinite(value)) return std::nullopt;
    return NumberRead{value, text.substr(static_cast<std::size_t>(end - begin))};
}

// Tables for other programs.

/// The first row names the columns; rows may be shorter than it.
using TextRows = std::vector<std::vector<std::string>>;

/// As RFC 4180 has it: fields with commas, quotes or line ends stand in quotes, lines end in LF.
[[nodiscard]] std::string toCsv(const TextRows& rows);

/// A table of GitHub's Markdown; a `|` and a line end inside a field do not end it.
[[nodiscard]] std::string toMarkdown(const TextRows& rows);

/// Puts words behind the text, after the separator where something stands there already.
inline void addWords(std::string& text, std::string_view separator, std::string_view words) {
    if (!text.empty()) text += separator;
    text += words;
}

/// What `wordsOf` tells of each item, in one text with the separator between them.
template <class Items, class WordsOf = std::identity>
[[nodiscard]] std::string joined(Items&& items, std::string_view separator, WordsOf wordsOf = {}) {
    std::string text;
    for (auto&& item : items) addWords(text, separator, std::invoke(wordsOf, item));
    return text;
}

}  // namespace warplens
