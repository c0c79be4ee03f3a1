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

/// A name with what its brackets hold: the arguments of `f(a, b)`, the indices of `a[i][j]`.
struct NamedBrackets final {
    TextSpan whole{};
    std::vector<TextSpan> parts{};
};

/// `if (condition) inside`, `{ inside }`, or what ends with a semicolon.
struct Statement final {
    TextSpan whole{};
    TextSpan condition{};  ///< of an if, for or while
    /// What it rules, in braces or not; of another one, what the braces around the offset that was
    /// asked for hold.
    TextSpan inside{};
};

/// A file's text with what is to be changed in it, and ways to find such places.
class SourceEdit {
  public:
    explicit SourceEdit(std::string_view text, std::string file = {});

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::string_view textOf(TextSpan span) const;
    [[nodiscard]] std::string copyOf(TextSpan span) const { return std::string(textOf(span)); }
    /// The text with comments, literals and macros blanked.
    [[nodiscard]] const std::string& masked() const { return masked_; }
    [[nodiscard]] const std::vector<CudaToken>& tokens() const { return tokens_; }
    [[nodiscard]] std::vector<CudaToken> tokensIn(TextSpan span) const;

    /// A line's bytes, from 1; empty where there is none.
    [[nodiscard]] TextSpan line(std::uint32_t number) const;
    /// Those around an offset, from the function's inwards.
    [[nodiscard]] std::vector<Statement> statementsAround(std::size_t at) const;
    /// The outermost of them within the innermost braces: with the `if` or `for` that it belongs
    /// to, its `;` included.
    [[nodiscard]] TextSpan statementAt(std::size_t at) const;
    /// The innermost: without those.
    [[nodiscard]] TextSpan ruledAt(std::size_t at) const;
    /// What stands between separators that no bracket is around, without blanks.
    [[nodiscard]] std::vector<TextSpan> partsOf(TextSpan span, char separator) const;
    /// The same between commas in the brackets that open there.
    [[nodiscard]] std::vector<TextSpan> argumentsAt(std::size_t open) const;
    /// The value that a name has before `at`: `= value`, `(value)` of a dim3, or of a #define.
    [[nodiscard]] std::optional<TextSpan> valueOf(std::string_view name, std::size_t at) const;
    /// `cudaMalloc(...)` or `a[i + 1]`, by the first of its brackets, wherever the name stands.
    [[nodiscard]] std::vector<NamedBrackets> bracketsOf(std::string_view name, char opening,
                                                        TextSpan within = {0, nowhere}) const;
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
    /// What fits the pattern (ECMAScript) there in the form `with`. Whether anything does.
    bool rewrite(TextSpan within, const std::string& pattern, const std::string& with);
    [[nodiscard]] bool isChanged() const { return result() != text_; }
    [[nodiscard]] std::string result() const;

  private:
    [[nodiscard]] TextSpan spanOf(std::string_view part) const;
    [[nodiscard]] Statement statementFrom(std::size_t begin, std::size_t at) const;
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

}  // namespace warplens::source
