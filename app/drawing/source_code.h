#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/drawing/warp_memory.h"

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

[[nodiscard]] Rgb colorOf(TokenKind kind, const ColorRoles& colors);

/// The line's pieces, which together are the line.
[[nodiscard]] std::vector<Token> tokensOf(std::string_view line);

/// Where a line of source stands: its number ends at `gutter`, its rows lie between `left` and
/// `right`, `height` apart.
struct CodeRoom final {
    Point at;          ///< of the first row
    float gutter = 0;  ///< from `at.x`, as are `left` and `right`
    float left = 0;
    float right = 0;
    float height = 0;
    float size = 12;  ///< of the text
};

/// Adds the number, and the line in colours, what does not fit on rows below it, a little further
/// in; returns the number of rows. Without items it draws nothing.
int drawCode(Items* items, const DrawArea& area, std::uint32_t number, std::string_view code,
             const CodeRoom& room);

}  // namespace warplens::drawing
