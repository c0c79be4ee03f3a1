#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::source {

inline constexpr std::size_t nowhere = std::string_view::npos;

/// A source with comments, strings and character constants blanked, so that what looks like code is
/// code. Positions and line breaks are those of the source.
[[nodiscard]] std::string maskedText(std::string_view text);

/// A place in a text, both from 1.
struct TextPlace final {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};
[[nodiscard]] TextPlace placeAt(std::string_view text, std::size_t position);

[[nodiscard]] bool isNameCharacter(char c);
/// The next position from `at` that is no blank; the text's size where there is none.
[[nodiscard]] std::size_t skipBlanks(std::string_view text, std::size_t at);
/// One past the bracket that closes the one at `open`; `nowhere` where it is never closed.
[[nodiscard]] std::size_t closing(std::string_view masked, std::size_t open);
/// Where `word` stands as a whole word from `from` on; `nowhere` where it does not.
[[nodiscard]] std::size_t findWord(std::string_view masked, std::string_view word,
                                   std::size_t from = 0);

/// Whether `word(...)` in a declaration says something about what is declared: `alignas(16)`.
[[nodiscard]] bool isAttribute(std::string_view word);

}  // namespace warplens::source

namespace warplens {

/// For each line of a source (index 0 is line 1) the line on which its statement began: compilers
/// lay all of a statement to one line. A line without a statement maps to itself.
[[nodiscard]] std::vector<std::uint32_t> statementLines(std::string_view source);

/// `DeviceReduceKernel` of `cub::detail::reduce::DeviceReduceKernel<float, int>`: what is in no
/// namespace is named as a whole, `tile<16>`.
[[nodiscard]] std::string shortKernelName(std::string_view kernel);

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
