#include "kernels/ptx/read/lexer.h"

namespace warplens::ptx {
namespace {

bool isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isInWord(char c) {
    return isLetter(c) || isDigit(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

}  // namespace

void Lexer::skipBlanks() {
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

void Lexer::next() {
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
    while (at_ < text_.size() &&
           (isInWord(text_[at_]) ||
            (text_.substr(at_, 2) == "::" && at_ + 2 < text_.size() && isInWord(text_[at_ + 2])))) {
        at_ += text_[at_] == ':' ? 2 : 1;
    }
    token_ = text_.substr(begin, at_ - begin);
    kind_ = isDigit(token_[0]) ? Kind::number : Kind::word;
}

bool Lexer::accept(std::string_view token) {
    if (!is(token)) return false;
    next();
    return true;
}

std::string_view Lexer::take() {
    const std::string_view token = token_;
    next();
    return token;
}

std::uint64_t integerOf(std::string_view token) {
    std::uint64_t base = 10;
    std::size_t at = 0;
    if (token.size() > 2 && token[0] == '0') {
        const char kind = token[1];
        if (kind == 'x' || kind == 'X' || kind == 'f' || kind == 'F' || kind == 'd' ||
            kind == 'D') {
            base = 16;
            at = 2;
        } else if (kind == 'b' || kind == 'B') {
            base = 2;
            at = 2;
        } else {
            base = 8;
            at = 1;
        }
    }
    std::uint64_t value = 0;
    for (; at < token.size(); ++at) {
        const char c = token[at];
        std::uint64_t digit = base;
        if (isDigit(c)) digit = static_cast<std::uint64_t>(c - '0');
        if (c >= 'a' && c <= 'f') digit = static_cast<std::uint64_t>(c - 'a' + 10);
        if (c >= 'A' && c <= 'F') digit = static_cast<std::uint64_t>(c - 'A' + 10);
        if (digit >= base) break;
        value = value * base + digit;
    }
    return value;
}

}  // namespace warplens::ptx
