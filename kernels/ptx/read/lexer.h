#pragma once

#include <charconv>
#include <string_view>

#include "kernels/ptx/read/module.h"

namespace warplens::ptx {

inline bool isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
inline bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
inline bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool isInWord(char c) {
    return isLetter(c) || isDigit(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/// Tokens of PTX, one after the other. A word takes its dots along: `ld.global.f32`, `%tid.x`; a
/// directive ends before the next, as in `.reg.b8 x`.
class Lexer final {
  public:
    enum class Kind : u8 { end, word, number, string, sign };

    explicit Lexer(std::string_view text) : text_(text) { next(); }

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::string_view token() const { return token_; }  ///< strings without quotes
    [[nodiscard]] u32 row() const { return row_; }                   ///< from 1
    [[nodiscard]] bool is(std::string_view token) const {
        return kind_ != Kind::string && token_ == token;
    }
    [[nodiscard]] bool isDirective() const { return kind_ == Kind::word && token_[0] == '.'; }
    [[nodiscard]] bool atEnd() const { return kind_ == Kind::end; }

    void next() {
        skipBlanks();
        if (at_ >= text_.size()) {
            token_ = {};
            kind_ = Kind::end;
            return;
        }
        const std::size_t begin = at_;
        if (text_[at_] == '"') {
            for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
                if (text_[at_] == '\\') ++at_;
                if (at_ < text_.size()) row_ += text_[at_] == '\n';
            }
            at_ = at_ < text_.size() ? at_ : text_.size();
            token_ = text_.substr(begin + 1, at_ - begin - 1);
            kind_ = Kind::string;
            at_ += at_ < text_.size();
            return;
        }
        if (!isInWord(text_[at_])) {
            token_ = text_.substr(at_++, 1);
            kind_ = Kind::sign;
            return;
        }
        // `cp.async.wait_group`, but also `cluster::cta` and `L2::128B` within one word.
        const bool isDirective = text_[at_++] == '.';
        while (at_ < text_.size() && !(isDirective && text_[at_] == '.') &&
               (isInWord(text_[at_]) || (text_.substr(at_, 2) == "::" && at_ + 2 < text_.size() &&
                                         isInWord(text_[at_ + 2])))) {
            at_ += text_[at_] == ':' ? 2 : 1;
        }
        token_ = text_.substr(begin, at_ - begin);
        kind_ = isDigit(token_[0]) ? Kind::number : Kind::word;
    }
    /// Steps over `token` where it is next.
    bool accept(std::string_view token) {
        if (!is(token)) return false;
        next();
        return true;
    }
    /// The token, and steps over it.
    std::string_view take() {
        const std::string_view token = token_;
        next();
        return token;
    }

  private:
    void skipBlanks() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (isBlank(c)) {
                if (c == '\n') ++row_;
                ++at_;
            } else if (text_.substr(at_, 2) == "//") {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else if (text_.substr(at_, 2) == "/*") {
                const std::size_t end = text_.find("*/", at_ + 2);
                const std::size_t stop = end == std::string_view::npos ? text_.size() : end + 2;
                for (; at_ < stop; ++at_) row_ += text_[at_] == '\n';
            } else {
                return;
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string_view token_;
    Kind kind_ = Kind::end;
    u32 row_ = 1;
};

/// `12`, `0x1F`, `017`, `0b11`, with or without `U`; hexadecimal floats are bits.
inline u64 integerOf(std::string_view token) {
    int base = 10;
    if (token.size() > 2 && token[0] == '0') {
        const char kind = static_cast<char>(token[1] | 0x20);
        base = kind == 'x' || kind == 'f' || kind == 'd' ? 16 : kind == 'b' ? 2 : 8;
        token.remove_prefix(base == 8 ? 1 : 2);
    }
    u64 value = 0;
    std::from_chars(token.data(), token.data() + token.size(), value, base);
    return value;
}

}  // namespace warplens::ptx
