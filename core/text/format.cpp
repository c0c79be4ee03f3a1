#include "core/text/format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <numeric>
#include <optional>
#include <utility>

#include "core/text/names.h"

namespace warplens {
std::string fixedNumber(double value, int decimals) {
    std::array<char, 400> text{};  // the largest number has 309 digits
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::string significantDigits(double value) {
    const double size = std::abs(value);
    return fixedNumber(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

std::string prefixedNumber(double value, double step, std::span<const char* const> prefixes,
                           std::string_view unit) {
    std::size_t prefix = 0;
    while (std::abs(value) >= step * 0.9995 && prefix + 1 < prefixes.size()) {
        value /= step;
        ++prefix;
    }
    return significantDigits(value) + ' ' + prefixes[prefix] + std::string(unit);
}

std::string groupedDigits(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, ",");
    return digits;
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return groupedDigits(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

std::string groupedCount(std::uint64_t count) {
    return count == UINT64_MAX ? "2^64 or more" : groupedDigits(count);
}

std::string plainNumber(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::string formatBytes(std::uint64_t bytes) {
    static constexpr std::array<const char*, 5> binary{"B", "KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return std::to_string(bytes) + " B";
    return prefixedNumber(static_cast<double>(bytes), 1024, binary, "");
}

std::string version() {
    return WARPLENS_VERSION;
}

namespace {

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string text = "\"";
    for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

std::string cell(const std::string& field) {
    std::string text;
    for (const char c : field) {
        if (c == '|') {
            text += "\\|";
        } else {
            text += c == '\n' || c == '\r' ? ' ' : c;
        }
    }
    return text;
}

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

/// How far what was typed is from a name, 0 where the name holds it; nothing where it is not near.
std::optional<std::size_t> awayFrom(std::string typed, std::string name) {
    for (std::string* text : {&typed, &name})
        std::ranges::transform(*text, text->begin(), ::tolower);
    if (name.find(typed) != std::string_view::npos) return 0;
    if (const std::size_t away = distance(typed, name);
        away <= std::max<std::size_t>(2, typed.size() / 4))
        return away;
    std::optional<std::size_t> nearest;
    for (std::size_t from = 0; from < name.size();) {
        const std::size_t to = std::min(name.find_first_of("- /", from), name.size());
        const std::size_t away = distance(typed, std::string_view(name).substr(from, to - from));
        if (away <= typed.size() / 4 && away < nearest.value_or(typed.size())) nearest = away;
        from = to + 1;
    }
    return nearest;
}

}  // namespace

std::string toCsv(const TextRows& rows) {
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + quoted(row[i]);
        text += '\n';
    }
    return text;
}

std::string toMarkdown(const TextRows& rows) {
    if (rows.empty()) return "";
    const std::size_t columns = rows.front().size();
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        text += '|';
        for (std::size_t i = 0; i < columns; ++i) {
            text += ' ' + (i < rows[r].size() ? cell(rows[r][i]) : std::string()) + " |";
        }
        text += '\n';
        if (r > 0) continue;
        text += '|';
        for (std::size_t i = 0; i < columns; ++i) text += " --- |";
        text += '\n';
    }
    return text;
}

std::string didYouMean(std::string_view typed, std::span<const std::string_view> known,
                       std::span<const std::string_view> looked) {
    constexpr std::size_t longest = 60;
    if (typed.size() < 2 || typed.size() > longest) return {};
    if (looked.empty()) looked = known;
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (const auto away = awayFrom(std::string(typed), std::string(looked[i])))
            near.emplace_back(*away, known[i]);
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
