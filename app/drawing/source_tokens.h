#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// CUDA C++ cut into what is told apart by colour. Knows single lines of the kernels here, no
/// strings and no comments over several lines.
namespace warplens::drawing {

enum class TokenKind : std::uint8_t {
    plain,
    keyword,  ///< if, for, return, and CUDA's qualifiers
    type,     ///< int, float4
    builtin,  ///< threadIdx, __syncthreads
    number,
    comment,
    directive,  ///< #pragma unroll
};

struct Token final {
    std::string_view text;
    TokenKind kind = TokenKind::plain;
    friend constexpr bool operator==(const Token&, const Token&) = default;
};

/// The line's pieces, which together are the line.
[[nodiscard]] std::vector<Token> tokensOf(std::string_view line);

}  // namespace warplens::drawing
