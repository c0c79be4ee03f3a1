#include "kernels/trace/source/masked_text.h"

#include <algorithm>
#include <cctype>

namespace warplens::source {
namespace {

void blank(std::string& text, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, text.size()); ++i) {
        if (text[i] != '\n') text[i] = ' ';
    }
}

/// One past a string or character constant that opens at `open`.
std::size_t endOfQuoted(std::string_view text, std::size_t open) {
    const char quote = text[open];
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            return i + 1;
        } else if (text[i] == '\n') {
            return i;
        }
    }
    return text.size();
}

std::size_t endOfRawString(std::string_view text, std::size_t quote) {
    const std::size_t open = text.find('(', quote);
    if (open == nowhere) return text.size();
    const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text.find(close, open);
    return end == nowhere ? text.size() : end + close.size();
}

}  // namespace

std::string maskedText(std::string_view text) {
    std::string masked(text);
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 2, "//") == 0) {
            std::size_t end = text.find('\n', i);
            while (end != nowhere && text[end - 1] == '\\') {
                end = text.find('\n', end + 1);
            }
            end = std::min(end, text.size());
            blank(masked, i, end);
            i = end;
        } else if (text.compare(i, 2, "/*") == 0) {
            std::size_t end = text.find("*/", i + 2);
            end = end == nowhere ? text.size() : end + 2;
            blank(masked, i, end);
            i = end;
        } else if (text[i] == '"') {
            const bool raw =
                i > 0 && text[i - 1] == 'R' && (i < 2 || !isNameCharacter(text[i - 2]));
            const std::size_t end = raw ? endOfRawString(text, i) : endOfQuoted(text, i);
            blank(masked, i, end);
            i = end;
        } else if (text[i] == '\'' && i > 0 && isNameCharacter(text[i - 1]) &&
                   std::isxdigit(static_cast<unsigned char>(text[i - 1])) != 0) {
            ++i;  // 1'000'000
        } else if (text[i] == '\'') {
            const std::size_t end = endOfQuoted(text, i);
            blank(masked, i, end);
            i = end;
        } else {
            ++i;
        }
    }
    return masked;
}

TextPlace placeAt(std::string_view text, std::size_t position) {
    position = std::min(position, text.size());
    const std::string_view before = text.substr(0, position);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t last = before.rfind('\n');
    return {.line = static_cast<std::uint32_t>(lines) + 1,
            .column = static_cast<std::uint32_t>(position - (last == nowhere ? 0 : last + 1) + 1)};
}

bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t skipBlanks(std::string_view text, std::size_t at) {
    while (at < text.size() &&
           (std::isspace(static_cast<unsigned char>(text[at])) != 0 ||
            (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '\n'))) {
        ++at;
    }
    return at;
}

std::size_t closing(std::string_view masked, std::size_t open) {
    std::size_t depth = 0;
    for (std::size_t i = open; i < masked.size(); ++i) {
        if (masked[i] == '(' || masked[i] == '[' || masked[i] == '{') ++depth;
        if (masked[i] == ')' || masked[i] == ']' || masked[i] == '}') {
            if (--depth == 0) return i + 1;
        }
    }
    return nowhere;
}

std::size_t findWord(std::string_view masked, std::string_view word, std::size_t from) {
    for (std::size_t at = masked.find(word, from); at != nowhere; at = masked.find(word, at + 1)) {
        const bool begins = at == 0 || !isNameCharacter(masked[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end >= masked.size() || !isNameCharacter(masked[end]))) return at;
    }
    return nowhere;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return text;
}

bool isAttribute(std::string_view word) {
    return word == "__launch_bounds__" || word == "__attribute__" || word == "__align__" ||
           word == "__cluster_dims__" || word == "__maxnreg__" || word == "alignas" ||
           word == "decltype" || word == "__block_size__" || word == "__declspec";
}

}  // namespace warplens::source
