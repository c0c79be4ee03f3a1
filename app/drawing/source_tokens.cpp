#include "app/drawing/source_tokens.h"

#include <algorithm>
#include <array>

namespace warplens::drawing {
namespace {

using Words = std::string_view;
constexpr std::array<Words, 17> keywords{
    "__global__", "__shared__", "__device__", "break",    "const", "continue",
    "do",         "else",       "extern",     "for",      "if",    "return",
    "static",     "template",   "while",      "unsigned", "auto"};
constexpr std::array<Words, 8> types{"bool",   "char", "double", "float",
                                     "float4", "int",  "long",   "void"};
constexpr std::array<Words, 6> builtins{"blockDim",  "blockIdx", "gridDim",
                                        "threadIdx", "fmaf",     "__syncthreads"};

bool isLetter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

TokenKind kindOf(std::string_view word) {
    const auto is = [&](const auto& list) { return std::ranges::find(list, word) != list.end(); };
    if (is(keywords)) return TokenKind::keyword;
    if (is(types)) return TokenKind::type;
    if (is(builtins)) return TokenKind::builtin;
    return TokenKind::plain;
}

}  // namespace

std::vector<Token> tokensOf(std::string_view line) {
    std::vector<Token> tokens;
    const auto take = [&](std::size_t length, TokenKind kind) {
        tokens.push_back({line.substr(0, length), kind});
        line.remove_prefix(length);
    };
    const auto run = [&](auto belongs) {
        const auto end = std::ranges::find_if_not(line, belongs);
        return static_cast<std::size_t>(end - line.begin());
    };
    while (!line.empty()) {
        const char first = line[0];
        if (line.starts_with("//")) {
            take(line.size(), TokenKind::comment);
        } else if (first == '#') {
            take(line.size(), TokenKind::directive);
        } else if (isLetter(first)) {
            const std::size_t length = run([](char c) { return isLetter(c) || isDigit(c); });
            take(length, kindOf(line.substr(0, length)));
        } else if (isDigit(first)) {
            take(run([](char c) { return isLetter(c) || isDigit(c) || c == '.'; }),
                 TokenKind::number);
        } else {
            // Up to the next word, number or comment.
            std::size_t length = 1;
            while (length < line.size() && !isLetter(line[length]) && !isDigit(line[length]) &&
                   !line.substr(length).starts_with("//") && line[length] != '#') {
                ++length;
            }
            take(length, TokenKind::plain);
        }
    }
    return tokens;
}

}  // namespace warplens::drawing
