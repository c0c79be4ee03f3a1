#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A line of the first text that the second has not (`-`), the other way round (`+`), or of both.
struct DiffLine final {
    char sign = ' ';
    std::string_view text;
};
/// What is between two texts, by the longest common subsequence of their lines. Cost: lines times
/// lines of what differs; where that is more than 16 million, common lines are not looked for.
[[nodiscard]] std::vector<DiffLine> lineDiff(std::span<const std::string_view> before,
                                             std::span<const std::string_view> after);

/// What stands between separators, without blanks around it.
[[nodiscard]] std::vector<std::string_view> cellsOf(std::string_view row, char separator);

/// The lines that differ, with two around them, as `diff -u` writes them; empty where none does.
[[nodiscard]] std::string unifiedDiff(const std::string& file, std::string_view before,
                                      std::string_view after);

}  // namespace warplens
