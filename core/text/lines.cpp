#include "core/text/lines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ranges>

#include "core/text/encoding.h"

namespace warplens {

std::vector<DiffLine> lineDiff(std::span<const std::string_view> before,
                               std::span<const std::string_view> after) {
    constexpr std::size_t mostCompared = 16u << 20;
    const auto first =
        static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
    const auto a = before.subspan(first);
    const auto b = after.subspan(first);
    const auto last = std::ranges::mismatch(a | std::views::reverse, b | std::views::reverse);
    const auto rows = static_cast<std::size_t>(last.in1.base() - a.begin());
    const auto columns = static_cast<std::size_t>(last.in2.base() - b.begin());
    // The most lines that both have, from each place to the end.
    std::vector<std::vector<std::uint32_t>> common;
    if (rows * columns < mostCompared)
        common.resize(rows + 1, std::vector<std::uint32_t>(columns + 1));
    for (std::size_t i = common.empty() ? 0 : rows; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;)
            common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1
                                        : std::max(common[i + 1][j], common[i][j + 1]);
    }
    std::vector<DiffLine> all;
    for (const std::string_view line : before.first(first)) all.push_back({' ', line});
    for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
        const bool isBoth = !common.empty() && i < rows && j < columns && a[i] == b[j];
        const bool isGone =
            i < rows && (j == columns || common.empty() || common[i + 1][j] >= common[i][j + 1]);
        all.push_back({isBoth ? ' ' : isGone ? '-' : '+', isBoth || isGone ? a[i] : b[j]});
        i += isBoth || isGone ? 1 : 0;
        j += isBoth || !isGone ? 1 : 0;
    }
    for (const std::string_view line : a.subspan(rows)) all.push_back({' ', line});
    return all;
}

std::vector<std::string_view> cellsOf(std::string_view row, char separator) {
    std::vector<std::string_view> cells;
    for (std::size_t at = row.find(separator); at != row.npos; at = row.find(separator)) {
        cells.push_back(trimmed(row.substr(0, at)));
        row.remove_prefix(at + 1);
    }
    cells.push_back(trimmed(row));
    return cells;
}

std::string unifiedDiff(const std::string& file, std::string_view before, std::string_view after) {
    constexpr std::size_t around = 2;
    const std::vector<DiffLine> all = lineDiff(splitLines(before), splitLines(after));
    const auto isShown = [&](std::size_t at) {
        const std::size_t from = at - std::min(at, around);
        const std::size_t to = std::min(at + around + 1, all.size());
        return std::ranges::any_of(std::span(all).subspan(from, to - from),
                                   [](const DiffLine& line) { return line.sign != ' '; });
    };
    std::string text;
    std::array<std::size_t, 2> line{1, 1};
    for (std::size_t at = 0; at < all.size();) {
        std::array<std::size_t, 2> count{};
        std::string hunk;
        for (; at < all.size() && isShown(at); ++at) {
            count[0] += all[at].sign != '+' ? 1 : 0;
            count[1] += all[at].sign != '-' ? 1 : 0;
            hunk += all[at].sign + std::string(all[at].text) + '\n';
        }
        if (!hunk.empty())
            text += "@@ -" + std::to_string(line[0]) + ',' + std::to_string(count[0]) + " +" +
                    std::to_string(line[1]) + ',' + std::to_string(count[1]) + " @@\n" + hunk;
        const std::size_t skipped = hunk.empty() ? 1 : 0;
        at += skipped;
        line = {line[0] + count[0] + skipped, line[1] + count[1] + skipped};
    }
    return text.empty() ? text : "--- " + file + "\n+++ " + file + '\n' + text;
}

}  // namespace warplens
