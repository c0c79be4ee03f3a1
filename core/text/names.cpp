#include "core/text/names.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace warplens {
namespace {

/// Letters to change, add or leave out (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
            corner = row[j + 1];
            row[j + 1] = std::min({changed, corner + 1, row[j] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string didYouMean(std::string_view typed, std::span<const std::string_view> known) {
    constexpr std::size_t longest = 60;
    if (typed.size() < 2 || typed.size() > longest) return {};
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const std::string_view word : known) {
        const std::size_t away = distance(typed, word);
        const bool holds = word.find(typed) != std::string_view::npos;
        if (holds || away <= std::max<std::size_t>(2, typed.size() / 4)) {
            near.emplace_back(holds ? 0 : away, word);
        }
    }
    std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string_view>::first);
    if (near.size() > 3) near.resize(3);
    std::string words;
    for (std::size_t i = 0; i < near.size(); ++i) {
        words += i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ";
        words += "'" + std::string(near[i].second) + "'";
    }
    return words.empty() ? words : words + "?";
}

}  // namespace warplens
