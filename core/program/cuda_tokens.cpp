#include "core/program/cuda_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace warplens::source {
namespace {

void copyCode(const std::vector<CudaToken>& tokens, std::string& masked) {
    for (const CudaToken& token : tokens) {
        if (token.kind == CudaTokenKind::directive) {
            masked[token.begin] = '#';
            copyCode(directiveTokens(token), masked);
        } else if (token.kind != CudaTokenKind::literal) {
            token.text.copy(masked.data() + token.begin, token.text.size());
        }
    }
}

}  // namespace

std::string maskedText(std::string_view text) {
    std::string masked(text);
    std::ranges::replace_if(
        masked, [](char c) { return c != '\n'; }, ' ');
    copyCode(cudaTokens(text), masked);
    return masked;
}

TextPlace placeAt(std::string_view text, std::size_t position) {
    position = std::min(position, text.size());
    const std::string_view before = text.substr(0, position);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t last = before.rfind('\n');
    return {.line = static_cast<std::uint32_t>(lines) + 1,
            .column = static_cast<std::uint32_t>(position - (last == nowhere ? 0 : last + 1) + 1)};
}

bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t skipBlanks(std::string_view text, std::size_t at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) {
        ++at;
    }
    return at;
}

std::size_t closing(std::string_view masked, std::size_t open) {
    std::size_t depth = 0;
    for (std::size_t i = open; i < masked.size(); ++i) {
        if (masked[i] == '(' || masked[i] == '[' || masked[i] == '{') ++depth;
        if (masked[i] == ')' || masked[i] == ']' || masked[i] == '}') {
            if (--depth == 0) return i + 1;
        }
    }
    return nowhere;
}

std::size_t findWord(std::string_view masked, std::string_view word, std::size_t from) {
    for (std::size_t at = masked.find(word, from); at != nowhere; at = masked.find(word, at + 1)) {
        const bool begins = at == 0 || !isNameCharacter(masked[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end >= masked.size() || !isNameCharacter(masked[end]))) return at;
    }
    return nowhere;
}

bool isAttribute(std::string_view word) {
    return word == "__launch_bounds__" || word == "__attribute__" || word == "__align__" ||
           word == "__cluster_dims__" || word == "__maxnreg__" || word == "alignas" ||
           word == "decltype" || word == "__block_size__" || word == "__declspec";
}

}  // namespace warplens::source

namespace warplens {

std::string shortKernelName(std::string_view kernel) {
    const std::size_t arguments = std::min(kernel.find('<'), kernel.size());
    const std::size_t scope = kernel.rfind("::", arguments);
    if (scope == kernel.npos) return std::string(kernel);
    return std::string(kernel.substr(scope + 2, arguments - scope - 2));
}

std::vector<std::uint32_t> statementLines(std::string_view source) {
    const auto lineCount = static_cast<std::size_t>(std::ranges::count(source, '\n')) + 1;
    std::vector<std::uint32_t> lines(lineCount);
    for (std::size_t i = 0; i < lineCount; ++i) lines[i] = static_cast<std::uint32_t>(i + 1);
    std::size_t at = 0;
    std::uint32_t line = 1;
    std::uint32_t statement = 0;  // 0: the next token begins one
    int depth = 0;                // of parentheses and brackets
    bool head = false;            // within the parentheses of if, for, while or switch
    int headDepth = 0;
    std::string_view before;
    for (const CudaToken& token : cudaTokens(source)) {
        line += static_cast<std::uint32_t>(
            std::ranges::count(source.substr(at, token.begin - at), '\n'));
        at = token.begin;
        if (token.kind == CudaTokenKind::directive) continue;
        if (statement == 0) statement = line;
        lines[line - 1] = std::min(lines[line - 1], statement);
        const bool opensHead = token.is("(") && !head &&
                               (before == "if" || before == "for" || before == "while" ||
                                before == "switch" || before == "constexpr");
        if (token.is("(") || token.is("[")) {
            if (opensHead) {
                head = true;
                headDepth = depth;
            }
            ++depth;
        } else if (token.is(")") || token.is("]")) {
            --depth;
            if (head && depth == headDepth) {
                head = false;
                statement = 0;
            }
        } else if (token.is("{") || token.is("}")) {
            // Of a block, a lambda or a list: what follows is counted by itself.
            statement = 0;
            if (token.is("}") && depth < 0) depth = 0;
        } else if (token.is(";") && (depth <= 0 || !head)) {
            statement = 0;
        } else if (token.is("else") || token.is("do")) {
            statement = 0;
        }
        before = token.text;
    }
    return lines;
}

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
