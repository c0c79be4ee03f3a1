#include "core/program/masked_text.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "core/program/cuda_tokens.h"

namespace warplens::source {
namespace {

void copyCode(const std::vector<CudaToken>& tokens, std::string& masked) {
    for (const CudaToken& token : tokens) {
        if (token.kind == CudaTokenKind::directive) {
            masked[token.begin] = '#';
            copyCode(directiveTokens(token), masked);
        } else if (token.kind != CudaTokenKind::literal) {
            token.text.copy(masked.data() + token.begin, token.text.size());
        }
    }
}

}  // namespace

std::string maskedText(std::string_view text) {
    std::string masked(text);
    std::ranges::replace_if(
        masked, [](char c) { return c != '\n'; }, ' ');
    copyCode(cudaTokens(text), masked);
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
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) {
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

bool isAttribute(std::string_view word) {
    return word == "__launch_bounds__" || word == "__attribute__" || word == "__align__" ||
           word == "__cluster_dims__" || word == "__maxnreg__" || word == "alignas" ||
           word == "decltype" || word == "__block_size__" || word == "__declspec";
}

}  // namespace warplens::source

namespace warplens {

std::vector<std::uint32_t> statementLines(std::string_view source) {
    const auto lineCount = static_cast<std::size_t>(std::ranges::count(source, '\n')) + 1;
    std::vector<std::uint32_t> lines(lineCount);
    for (std::size_t i = 0; i < lineCount; ++i) lines[i] = static_cast<std::uint32_t>(i + 1);
    std::size_t at = 0;
    std::uint32_t line = 1;
    std::uint32_t statement = 0;  // 0: the next token begins one
    int depth = 0;                // of parentheses and brackets
    bool head = false;            // within the parentheses of if, for, while or switch
    int headDepth = 0;
    std::string_view before;
    for (const CudaToken& token : cudaTokens(source)) {
        line += static_cast<std::uint32_t>(
            std::ranges::count(source.substr(at, token.begin - at), '\n'));
        at = token.begin;
        if (token.kind == CudaTokenKind::directive) continue;
        if (statement == 0) statement = line;
        lines[line - 1] = std::min(lines[line - 1], statement);
        const bool opensHead = token.is("(") && !head &&
                               (before == "if" || before == "for" || before == "while" ||
                                before == "switch" || before == "constexpr");
        if (token.is("(") || token.is("[")) {
            if (opensHead) {
                head = true;
                headDepth = depth;
            }
            ++depth;
        } else if (token.is(")") || token.is("]")) {
            --depth;
            if (head && depth == headDepth) {
                head = false;
                statement = 0;
            }
        } else if (token.is("{") || token.is("}")) {
            // Of a block, a lambda or a list: what follows is counted by itself.
            statement = 0;
            if (token.is("}") && depth < 0) depth = 0;
        } else if (token.is(";") && (depth <= 0 || !head)) {
            statement = 0;
        } else if (token.is("else") || token.is("do")) {
            statement = 0;
        }
        before = token.text;
    }
    return lines;
}

}  // namespace warplens
