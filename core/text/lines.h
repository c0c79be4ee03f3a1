#pragma once

#include <string_view>
#include <vector>

namespace warplens {

/// The text's lines without their ends; a last one need not have one.
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

/// Without blanks, tabs and ends of lines before and behind it.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n\f\v";
    while (!text.empty() && blanks.find(text.front()) != blanks.npos) text.remove_prefix(1);
    while (!text.empty() && blanks.find(text.back()) != blanks.npos) text.remove_suffix(1);
    return text;
}

}  // namespace warplens
