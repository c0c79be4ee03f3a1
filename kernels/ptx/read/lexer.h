#pragma once

#include <cstdint>
#include <string_view>

namespace warplens::ptx {

/// Tokens of PTX, one after the other. A word takes its dots along: `ld.global.f32`, `.reg`,
/// `%tid.x`.
class Lexer final {
  public:
    enum class Kind : std::uint8_t { end, word, number, string, sign };

    explicit Lexer(std::string_view text) : text_(text) { next(); }

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::string_view token() const { return token_; }  ///< strings without quotes
    [[nodiscard]] std::uint32_t row() const { return row_; }         ///< from 1
    [[nodiscard]] bool is(std::string_view token) const {
        return kind_ != Kind::string && token_ == token;
    }
    [[nodiscard]] bool isDirective() const { return kind_ == Kind::word && token_[0] == '.'; }
    [[nodiscard]] bool atEnd() const { return kind_ == Kind::end; }

    void next();
    /// Steps over `token` where it is next.
    bool accept(std::string_view token);
    /// The token, and steps over it.
    std::string_view take();

  private:
    void skipBlanks();

    std::string_view text_;
    std::size_t at_ = 0;
    std::string_view token_;
    Kind kind_ = Kind::end;
    std::uint32_t row_ = 1;
};

/// `12`, `0x1F`, `017`, `0b11`, with or without `U`; hexadecimal floats are bits.
[[nodiscard]] std::uint64_t integerOf(std::string_view token);

}  // namespace warplens::ptx
