#include "core/library/block_axes.h"

#include <algorithm>

#include "core/program/cuda_tokens.h"

namespace warplens {

std::array<bool, 3> blockAxesRead(std::string_view text) {
    constexpr std::array<bool, 3> all{true, true, true};
    constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
    const std::vector<CudaToken> tokens = cudaTokens(text);
    std::array<bool, 3> read{};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == CudaTokenKind::directive && directiveName(tokens[i]) != "pragma") {
            return all;
        }
        if (!tokens[i].is("blockIdx")) continue;
        if (i + 2 >= tokens.size() || !tokens[i + 1].is(".")) return all;
        const auto axis = std::ranges::find(names, tokens[i + 2].text);
        if (axis == names.end()) return all;
        read[static_cast<std::size_t>(axis - names.begin())] = true;
    }
    return read;
}

}  // namespace warplens
