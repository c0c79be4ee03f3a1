#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

enum class CudaTokenKind : std::uint8_t {
    identifier,  ///< keywords too
    number,
    literal,      ///< a string or a character, raw strings and prefixes included
    punctuation,  ///< one character, but for `::`, `->` and `<<<`
    directive,    ///< `#` to the end of its logical line
};

/// A piece of CUDA source that is neither white space nor comment.
struct CudaToken final {
    CudaTokenKind kind = CudaTokenKind::punctuation;
    std::size_t begin = 0;  ///< offset of its first byte
    std::size_t end = 0;    ///< offset after its last
    std::string_view text;  ///< of the source, which must live as long

    [[nodiscard]] bool is(std::string_view word) const { return text == word; }
};

/// The tokens of `source` in order. Never fails: what is not closed ends with the source. Spliced
/// lines (a backslash before the end of the line) are one logical line.
[[nodiscard]] std::vector<CudaToken> cudaTokens(std::string_view source);

/// The tokens of a directive after its `#`.
[[nodiscard]] std::vector<CudaToken> directiveTokens(const CudaToken& directive);

/// `define` of `#define N 4`; empty for a lone `#`.
[[nodiscard]] std::string_view directiveName(const CudaToken& directive);

/// `my.h` of `#include "my.h"` and of `#include <my.h>`; empty for any other directive.
[[nodiscard]] std::string includedName(const CudaToken& directive);

}  // namespace warplens
