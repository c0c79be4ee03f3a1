#include "app/cli/documentation/wrapped.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr std::size_t helpWidth = 96;

}  // namespace

std::string wrapped(const std::string& words, std::size_t indent, const std::string& first) {
    std::string text;
    std::string margin = first;
    std::string line;
    const auto endLine = [&] {
        text += line.empty() ? "\n" : margin + line + '\n';
        line.clear();
        margin.assign(indent, ' ');
    };
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find_first_of(" \n", at), words.size());
        const std::string word = words.substr(at, end - at);
        if (!line.empty() && margin.size() + line.size() + 1 + word.size() > helpWidth) endLine();
        line += (line.empty() ? "" : " ") + word;
        if (end < words.size() && words[end] == '\n') endLine();
        at = end + 1;
    }
    if (!line.empty()) endLine();
    return text;
}

std::string wrapped(const std::string& words, std::size_t indent) {
    return wrapped(words, indent, std::string(indent, ' '));
}

std::string beside(const std::string& left, const std::string& words, std::size_t column) {
    if (left.size() + 2 > column) return left + '\n' + wrapped(words, column);
    return wrapped(words, column, left + std::string(column - left.size(), ' '));
}

}  // namespace warplens
