#include "kernels/device/explain/volatile_parameters.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/program/cuda_tokens.h"

namespace warplens {
namespace {

/// Behind the bracket that closes the one at `open`.
std::size_t behind(const std::vector<CudaToken>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is("(")) ++depth;
        if (tokens[i].is(")") && --depth == 0) return i + 1;
    }
    return tokens.size();
}

}  // namespace

std::string withVolatileParameters(const std::string& source) {
    std::vector<CudaToken> tokens;
    for (const CudaToken& token : cudaTokens(source)) {
        if (token.kind != CudaTokenKind::directive) tokens.push_back(token);
    }
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].is("__global__")) continue;
        std::size_t open = i;
        while (open < tokens.size() && !tokens[open].is("(") && !tokens[open].is(";")) ++open;
        // `__launch_bounds__(256)` comes before the name.
        while (open < tokens.size() && tokens[open - 1].is("__launch_bounds__")) {
            open = behind(tokens, open);
            while (open < tokens.size() && !tokens[open].is("(") && !tokens[open].is(";")) ++open;
        }
        if (open >= tokens.size() || !tokens[open].is("(")) continue;
        std::size_t begin = open + 1;
        const std::size_t end = behind(tokens, open);
        for (std::size_t k = begin; k < end; ++k) {
            // The innermost pointer's elements: a qualifier may stand behind the type.
            const bool first = tokens[k].is("*") &&
                               std::none_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                                            tokens.begin() + static_cast<std::ptrdiff_t>(k),
                                            [](const CudaToken& token) { return token.is("*"); });
            if (first) places.push_back(tokens[k].begin);
            if (tokens[k].is(",")) begin = k + 1;
        }
    }
    std::string text = source;
    std::ranges::sort(places, std::greater<>());
    for (const std::size_t place : places) text.insert(place, " volatile ");
    return text;
}

}  // namespace warplens
