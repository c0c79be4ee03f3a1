#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/program/cuda_tokens.h"

namespace warplens::source {

/// A part of a text, by offsets of its bytes.
struct TextSpan final {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
    [[nodiscard]] bool holds(std::size_t at) const { return begin <= at && at < end; }
};

/// `name(arguments)`.
struct SourceCall final {
    std::size_t begin = 0;  ///< of its name
    std::size_t end = 0;    ///< behind its bracket
    std::vector<TextSpan> arguments{};
};

/// A file's text with what is to be changed in it, and ways to find such places.
class SourceEdit {
  public:
    explicit SourceEdit(std::string_view text, std::string file = {});

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::string_view textOf(TextSpan span) const;
    [[nodiscard]] std::string copyOf(TextSpan span) const { return std::string(textOf(span)); }
    [[nodiscard]] const std::string& masked() const { return masked_; }
    [[nodiscard]] const std::vector<CudaToken>& tokens() const { return tokens_; }
    [[nodiscard]] std::vector<CudaToken> tokensIn(TextSpan span) const;

    /// A line's bytes, from 1; empty where there is none.
    [[nodiscard]] TextSpan line(std::uint32_t number) const;
    /// The statement around an offset, with the `if` or `for` that it belongs to, its `;` included.
    [[nodiscard]] TextSpan statementAt(std::size_t at) const;
    /// What a statement's `if`, `for` and `while` without braces rule, the innermost around `at`.
    [[nodiscard]] TextSpan ruledAt(TextSpan statement, std::size_t at) const;
    /// What stands between separators that no bracket is around, without blanks.
    [[nodiscard]] std::vector<TextSpan> partsOf(TextSpan span, char separator) const;
    /// The same between commas in the brackets that open there.
    [[nodiscard]] std::vector<TextSpan> argumentsAt(std::size_t open) const;
    /// The function's body around an offset: within its braces.
    [[nodiscard]] std::optional<TextSpan> bodyAt(std::size_t at) const;
    /// The value that a name has before `at`: `= value`, `(value)` of a dim3, or of a #define.
    [[nodiscard]] std::optional<TextSpan> valueOf(std::string_view name, std::size_t at) const;
    /// `cudaMalloc(...)` and the like whose names stand there, one by one.
    [[nodiscard]] std::vector<SourceCall> callsOf(std::string_view name,
                                                  TextSpan within = {0, nowhere}) const;
    /// What stands in the brackets behind an array's name: `i + 1` of `a[i + 1]`.
    [[nodiscard]] std::vector<TextSpan> indicesOf(std::string_view array, TextSpan within) const;
    /// Blanks that the line of an offset begins with.
    [[nodiscard]] std::string indentAt(std::size_t at) const;

    SourceEdit& replace(TextSpan span, std::string with);
    SourceEdit& insert(std::size_t at, std::string text) {
        return replace({at, at}, std::move(text));
    }
    /// A line of its own before what begins at `at`, as far in.
    SourceEdit& insertLineBefore(std::size_t at, const std::string& code) {
        return insert(at, code + '\n' + indentAt(at));
    }
    /// The same behind a statement that ends at `at`.
    SourceEdit& insertLineAfter(std::size_t at, const std::string& code) {
        return insert(at, '\n' + indentAt(statementAt(at - 1).begin) + code);
    }
    [[nodiscard]] bool isChanged() const { return result() != text_; }
    [[nodiscard]] std::string result() const;

  private:
    struct Change final {
        TextSpan span;
        std::string with;
    };
    std::string_view text_;
    std::string file_;
    std::string masked_;
    std::vector<CudaToken> tokens_;
    std::vector<Change> changes_;
};

/// Of `512`, `64u`; nothing where it is no whole number.
[[nodiscard]] std::optional<std::int64_t> wholeNumber(std::string_view text);

/// `N` and 512 of `#define N 512`; nothing of other tokens.
using NamedNumber = std::pair<std::string, std::int64_t>;
[[nodiscard]] std::optional<NamedNumber> definedNumber(const CudaToken& token);

/// The lines that differ, with two around them, as `diff -u` writes them; empty where none does.
[[nodiscard]] std::string unifiedDiff(const std::string& file, std::string_view before,
                                      std::string_view after);

}  // namespace warplens::source
