#include "core/program/cuda_tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace warplens {
namespace {

bool startsWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

class CudaLexer final {
  public:
    explicit CudaLexer(std::string_view source) : source_(source) {}

    std::vector<CudaToken> run() {
        while (skipBlanks()) {
            const std::size_t begin = at_;
            const CudaTokenKind kind = read();
            lineStart_ = false;
            tokens_.push_back({kind, begin, at_, source_.substr(begin, at_ - begin)});
        }
        return std::move(tokens_);
    }

  private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }
    [[nodiscard]] bool follows(std::string_view text) const {
        return source_.substr(at_).starts_with(text);
    }

    /// Bytes that a line continuation takes here, 0 where there is none.
    [[nodiscard]] std::size_t splice() const {
        if (peek() != '\\') return 0;
        if (peek(1) == '\n') return 2;
        return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
    }

    void skipLineComment() {
        while (at_ < source_.size() && peek() != '\n') at_ += std::max<std::size_t>(splice(), 1);
    }

    void skipBlockComment() {
        const std::size_t end = source_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? source_.size() : end + 2;
    }

    /// False at the end of the source.
    bool skipBlanks() {
        while (at_ < source_.size()) {
            const char c = peek();
            if (c == '\n') {
                lineStart_ = true;
                ++at_;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
                ++at_;
            } else if (const std::size_t length = splice(); length != 0) {
                at_ += length;
            } else if (follows("//")) {
                skipLineComment();
            } else if (follows("/*")) {
                skipBlockComment();
            } else {
                return true;
            }
        }
        return false;
    }

    CudaTokenKind read() {
        const char c = peek();
        if (c == '#' && lineStart_) return readDirective();
        if (isDigit(c) || (c == '.' && isDigit(peek(1)))) return readNumber();
        if (c == '"' || c == '\'') return readQuoted();
        if (startsWord(c)) return readWord();
        static constexpr std::array<std::string_view, 3> longer{"<<<", "::", "->"};
        const auto* const found =
            std::ranges::find_if(longer, [&](std::string_view text) { return follows(text); });
        at_ += found == longer.end() ? 1 : found->size();
        return CudaTokenKind::punctuation;
    }

    CudaTokenKind readDirective() {
        while (at_ < source_.size() && peek() != '\n') {
            if (follows("//")) break;
            if (follows("/*")) {
                skipBlockComment();
            } else if (peek() == '"') {
                readQuoted();
            } else {
                at_ += std::max<std::size_t>(splice(), 1);
            }
        }
        return CudaTokenKind::directive;
    }

    CudaTokenKind readNumber() {
        while (startsWord(peek()) || isDigit(peek()) || peek() == '.' || peek() == '\'') {
            const char c = peek();
            ++at_;
            const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
            if (exponent && (peek() == '+' || peek() == '-')) ++at_;
        }
        return CudaTokenKind::number;
    }

    CudaTokenKind readQuoted() {
        const char quote = peek();
        ++at_;
        while (at_ < source_.size() && peek() != quote && peek() != '\n') {
            at_ += peek() == '\\' ? std::max<std::size_t>(splice(), 2) : 1;
        }
        at_ = std::min(at_ + (peek() == quote ? 1 : 0), source_.size());
        return CudaTokenKind::literal;
    }

    CudaTokenKind readWord() {
        const std::size_t begin = at_;
        while (startsWord(peek()) || isDigit(peek())) ++at_;
        const std::string_view word = source_.substr(begin, at_ - begin);
        if (peek() != '"' && peek() != '\'') return CudaTokenKind::identifier;
        static constexpr std::array<std::string_view, 4> prefixes{"L", "u", "U", "u8"};
        if (std::ranges::find(prefixes, word) != prefixes.end()) return readQuoted();
        const bool raw =
            word.ends_with('R') &&
            (word == "R" ||
             std::ranges::find(prefixes, word.substr(0, word.size() - 1)) != prefixes.end());
        return raw && peek() == '"' ? readRawString() : CudaTokenKind::identifier;
    }

    CudaTokenKind readRawString() {
        const std::size_t open = source_.find('(', at_);
        if (open == std::string_view::npos) return readQuoted();
        const std::string closing =
            ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + '"';
        const std::size_t end = source_.find(closing, open);
        at_ = end == std::string_view::npos ? source_.size() : end + closing.size();
        return CudaTokenKind::literal;
    }

    std::string_view source_;
    std::size_t at_ = 0;
    bool lineStart_ = true;  ///< nothing but blanks since the line began
    std::vector<CudaToken> tokens_;
};

}  // namespace

std::vector<CudaToken> cudaTokens(std::string_view source) {
    return CudaLexer(source).run();
}

std::vector<CudaToken> directiveTokens(const CudaToken& directive) {
    std::vector<CudaToken> tokens = cudaTokens(directive.text.substr(1));
    for (CudaToken& token : tokens) {
        token.begin += directive.begin + 1;
        token.end += directive.begin + 1;
    }
    return tokens;
}

std::string_view directiveName(const CudaToken& directive) {
    const std::size_t begin = directive.text.find_first_not_of(" \t", 1);
    if (begin == std::string_view::npos) return {};
    std::size_t end = begin;
    while (end < directive.text.size() && startsWord(directive.text[end])) ++end;
    return directive.text.substr(begin, end - begin);
}

std::string includedName(const CudaToken& directive) {
    if (directiveName(directive) != "include") return {};
    const std::size_t open = directive.text.find_first_of("<\"");
    if (open == std::string_view::npos) return {};
    const char closing = directive.text[open] == '<' ? '>' : '"';
    const std::size_t close = directive.text.find(closing, open + 1);
    if (close == std::string_view::npos) return {};
    return std::string(directive.text.substr(open + 1, close - open - 1));
}

}  // namespace warplens
