#include "kernels/device/explain/without_calls.h"

#include <algorithm>
#include <vector>

#include "core/program/cuda_tokens.h"

namespace warplens {
namespace {

/// Behind `a.b::c(...)` that begins at `at`; `at` where there is no such call.
std::size_t behindCall(const std::vector<CudaToken>& tokens, std::size_t at) {
    std::size_t i = at;
    while (i < tokens.size() && (tokens[i].kind == CudaTokenKind::identifier || tokens[i].is(".") ||
                                 tokens[i].is("->") || tokens[i].is("::"))) {
        ++i;
    }
    if (i == at || i >= tokens.size() || !tokens[i].is("(")) return at;
    int depth = 0;
    for (; i < tokens.size(); ++i) {
        if (tokens[i].is("(")) ++depth;
        if (tokens[i].is(")") && --depth == 0) return i + 1;
    }
    return at;
}

}  // namespace

std::string withoutCalls(const std::string& source, const std::set<std::uint32_t>& lines) {
    std::vector<CudaToken> tokens;
    for (const CudaToken& token : cudaTokens(source)) {
        if (token.kind != CudaTokenKind::directive) tokens.push_back(token);
    }
    std::string text = source;
    std::uint32_t line = 1;
    std::size_t at = 0;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        line += static_cast<std::uint32_t>(
            std::count(source.begin() + static_cast<std::ptrdiff_t>(at),
                       source.begin() + static_cast<std::ptrdiff_t>(tokens[i].begin), '\n'));
        at = tokens[i].begin;
        const bool begins = tokens[i - 1].is(";") || tokens[i - 1].is("{") || tokens[i - 1].is("}");
        if (!begins || !lines.contains(line)) continue;
        const std::size_t end = behindCall(tokens, i);
        if (end == i || end >= tokens.size() || !tokens[end].is(";")) continue;
        std::replace_if(
            text.begin() + static_cast<std::ptrdiff_t>(tokens[i].begin),
            text.begin() + static_cast<std::ptrdiff_t>(tokens[end].begin),
            [](char c) { return c != '\n'; }, ' ');
    }
    return text;
}

}  // namespace warplens
