#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace warplens {

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
