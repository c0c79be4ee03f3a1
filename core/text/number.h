#pragma once

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

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

}  // namespace warplens
