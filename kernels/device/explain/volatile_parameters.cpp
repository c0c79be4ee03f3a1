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
        if (tokens[i].is("(") || tokens[i].is("{")) ++depth;
        if ((tokens[i].is(")") || tokens[i].is("}")) && --depth == 0) return i + 1;
    }
    return tokens.size();
}

/// Whether the body at `open` hands the pointer on, to a function that takes no other type.
bool handsOn(const std::vector<CudaToken>& tokens, std::size_t open, std::string_view name) {
    const std::size_t end = std::min(behind(tokens, open), tokens.size() - 1);
    for (std::size_t i = open + 1; i < end; ++i) {
        const bool alone = (tokens[i - 1].is("(") || tokens[i - 1].is(",")) &&
                           (tokens[i + 1].is(")") || tokens[i + 1].is(","));
        if (tokens[i].is(name) && alone) return true;
    }
    return false;
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
        const std::size_t end = behind(tokens, open);
        // The innermost pointer's elements: a qualifier may stand behind the type.
        std::size_t star = 0;
        for (std::size_t k = open + 1; k < end; ++k) {
            if (tokens[k].is("*") && star == 0) star = k;
            if (!tokens[k].is(",") && k + 1 != end) continue;
            if (star != 0 && !handsOn(tokens, end, tokens[k - 1].text)) {
                places.push_back(tokens[star].begin);
            }
            star = 0;
        }
    }
    std::string text = source;
    std::ranges::sort(places, std::greater<>());
    for (const std::size_t place : places) text.insert(place, " volatile ");
    return text;
}

}  // namespace warplens
