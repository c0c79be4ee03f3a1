#include "core/program/statement_lines.h"

#include <algorithm>

#include "core/program/cuda_tokens.h"

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
