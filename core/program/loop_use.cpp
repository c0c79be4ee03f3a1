#include "core/program/loop_use.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace warplens::source {
namespace {

bool isOneOf(const CudaToken& token, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, token.text) != words.end();
}

/// The tokens of a body, with questions about one of them.
class Body final {
  public:
    explicit Body(std::vector<CudaToken> tokens) : tokens_(std::move(tokens)) {}

    LoopUse use() {
        for (std::size_t at = 0; at < tokens_.size(); ++at) {
            if (isName(at) && isDeclared(at)) declare(at);
        }
        for (std::size_t at = 0; at < tokens_.size(); ++at) {
            use_.carries |= isOneOf(tokens_[at], {"break", "return"});
            if (isName(at) && !own_.contains(tokens_[at].text)) lookAt(at);
        }
        for (std::size_t at = 0; at < tokens_.size(); ++at)
            use_.carries |=
                isName(at) && changed_.contains(tokens_[at].text) && !summed_.contains(at);
        return use_;
    }

  private:
    [[nodiscard]] bool is(std::size_t at, std::string_view word) const {
        return at < tokens_.size() && tokens_[at].is(word);
    }
    /// A name that is no member of another.
    [[nodiscard]] bool isName(std::size_t at) const {
        return tokens_[at].kind == CudaTokenKind::identifier &&
               (at == 0 || !isOneOf(tokens_[at - 1], {".", "->"}));
    }
    /// `float v`, `auto& v`, `vector<int> v`.
    [[nodiscard]] bool isDeclared(std::size_t at) const {
        std::size_t type = at;
        while (type > 1 && isOneOf(tokens_[type - 1], {"*", "&"})) --type;
        if (type == 0) return false;
        const CudaToken& before = tokens_[type - 1];
        if (before.is(">")) return type == at && !is(at + 1, "(");
        if (before.kind != CudaTokenKind::identifier ||
            isOneOf(before, {"return", "else", "case", "goto"}))
            return false;
        // `a * b;` multiplies, `float* b = c;` declares.
        return type == at || is(at + 1, "=");
    }
    void declare(std::size_t at) {
        own_.insert(tokens_[at].text);
        int depth = 0;
        for (; at < tokens_.size() && !(depth == 0 && isOneOf(tokens_[at], {";", ")", ":"}));
             ++at) {
            depth += isOneOf(tokens_[at], {"(", "[", "{"}) ? 1 : 0;
            depth -= isOneOf(tokens_[at], {")", "]", "}"}) ? 1 : 0;
            if (depth == 0 && tokens_[at].is(",") && at + 1 < tokens_.size())
                own_.insert(tokens_[at + 1].text);
        }
    }
    /// Behind its members and indices.
    [[nodiscard]] std::size_t behind(std::size_t at, bool& isArray) const {
        for (++at; at < tokens_.size();) {
            if (isOneOf(tokens_[at], {".", "->"})) {
                at += 2;
            } else if (tokens_[at].is("[")) {
                isArray = true;
                int depth = 0;
                do {
                    depth += tokens_[at].is("[") ? 1 : tokens_[at].is("]") ? -1 : 0;
                } while (++at < tokens_.size() && depth != 0);
            } else {
                break;
            }
        }
        return at;
    }
    [[nodiscard]] bool isTwice(std::size_t at, std::string_view sign) const {
        return is(at, sign) && is(at + 1, sign) && tokens_[at].end == tokens_[at + 1].begin;
    }
    /// Up to the end of what is assigned.
    [[nodiscard]] std::size_t endOf(std::size_t at) const {
        int depth = 0;
        for (; at < tokens_.size(); ++at) {
            if (depth == 0 && isOneOf(tokens_[at], {";", ",", ")"})) break;
            depth += isOneOf(tokens_[at], {"(", "[", "{"}) ? 1 : 0;
            depth -= isOneOf(tokens_[at], {")", "]", "}"}) ? 1 : 0;
        }
        return at;
    }

    void lookAt(std::size_t at) {
        const std::string_view name = tokens_[at].text;
        bool isArray =
            at > 1 && tokens_[at - 1].is("*") && isOneOf(tokens_[at - 2], {";", "{", "}"});
        const std::size_t sign = behind(at, isArray);
        const bool isStep = isTwice(sign, "+") || isTwice(sign, "-") ||
                            (at > 1 && (isTwice(at - 2, "+") || isTwice(at - 2, "-")));
        const bool isCompound = sign + 1 < tokens_.size() && is(sign + 1, "=") &&
                                isOneOf(tokens_[sign], {"+", "-", "*", "|", "&", "^"}) &&
                                tokens_[sign].end == tokens_[sign + 1].begin;
        const bool isPlain = is(sign, "=") && !isTwice(sign, "=");
        if (!isStep && !isCompound && !isPlain) return;
        if (isArray) {
            use_.stores = true;
            return;
        }
        changed_.insert(name);
        if (isStep) {
            use_.addsUp = true;
            summed_.insert(at);
            return;
        }
        const std::size_t begin = sign + (isCompound ? 2 : 1);
        std::vector<std::size_t> again;
        for (std::size_t each = begin; each < endOf(begin); ++each) {
            if (isName(each) && tokens_[each].is(name)) again.push_back(each);
        }
        // `s = s + x`, `s = fmaxf(s, x)`.
        constexpr std::array<std::string_view, 8> functions{"max",   "min",   "fmax", "fmin",
                                                            "fmaxf", "fminf", "fma",  "fmaf"};
        const bool isSum =
            isCompound ? again.empty()
                       : again.size() == 1 &&
                             ((again[0] == begin && begin + 1 < tokens_.size() &&
                               isOneOf(tokens_[begin + 1], {"+", "*", "|", "&", "^"})) ||
                              std::ranges::find(functions, tokens_[begin].text) != functions.end());
        if (!isSum) {
            use_.carries = true;
            return;
        }
        use_.addsUp = true;
        summed_.insert(at);
        summed_.insert(again.begin(), again.end());
    }

    std::vector<CudaToken> tokens_;
    LoopUse use_{};
    std::set<std::string_view> own_{};      ///< declared in the body
    std::set<std::string_view> changed_{};  ///< others that it assigns to
    std::set<std::size_t> summed_{};        ///< where these stand in a sum of their own
};

}  // namespace

LoopUse useOf(const SourceEdit& text, TextSpan body) {
    return Body(text.tokensIn(body)).use();
}

std::optional<TextSpan> loopAround(const SourceEdit& text, std::size_t at) {
    std::optional<TextSpan> innermost;
    for (const Statement& each : text.statementsAround(at)) {
        const std::string_view words = text.textOf(each.whole);
        if ((words.starts_with("for") || words.starts_with("while")) && each.inside.holds(at))
            innermost = each.inside;
    }
    return innermost;
}

}  // namespace warplens::source
