#include "app/window/state/fuzzy.h"

#include <algorithm>
#include <string>

namespace warplens::window {
namespace {

std::string lowered(std::string_view text) {
    std::string small(text);
    for (char& c : small) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return small;
}

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (static_cast<unsigned char>(c) & 0x80);
}

bool beginsWord(const std::string& text, std::size_t at) {
    return at == 0 || !isLetter(text[at - 1]);
}

/// Whether the letters are beginnings of words, in their order; `at` is where the first stands.
bool isAbbreviated(const std::string& word, const std::string& text, std::size_t at) {
    for (std::size_t i = 1; i < word.size(); ++i) {
        std::size_t next = at + 1;
        while (next < text.size() &&
               (text[next] != word[i] || (next != at + 1 && !beginsWord(text, next)))) {
            ++next;
        }
        if (next == text.size()) return false;
        at = next;
    }
    return true;
}

std::optional<int> abbreviation(const std::string& word, const std::string& text) {
    constexpr int score = 20;
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (text[begin] == word[0] && beginsWord(text, begin) && isAbbreviated(word, text, begin)) {
            return score;
        }
    }
    return std::nullopt;
}

std::optional<int> scoreOf(const std::string& word, const std::string& text) {
    std::optional<int> best;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const int score = at == 0 ? 100 : beginsWord(text, at) ? 80 : 50;
        best = std::max(best.value_or(0), score);
    }
    return best ? best : abbreviation(word, text);
}

}  // namespace

std::optional<int> matchScore(std::string_view typed, std::string_view text) {
    const std::string wanted = lowered(typed);
    const std::string there = lowered(text);
    int sum = 0;
    for (std::size_t at = 0; at < wanted.size();) {
        const std::size_t begin = wanted.find_first_not_of(' ', at);
        if (begin == std::string::npos) break;
        at = std::min(wanted.find(' ', begin), wanted.size());
        const auto score = scoreOf(wanted.substr(begin, at - begin), there);
        if (!score) return std::nullopt;
        sum += *score;
    }
    return sum;
}

}  // namespace warplens::window
