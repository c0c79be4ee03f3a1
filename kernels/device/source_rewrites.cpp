#include <algorithm>
#include <functional>
#include <vector>

#include "core/program/cuda_tokens.h"
#include "core/text/encoding.h"
#include "kernels/device/differences.h"

namespace warplens {
namespace {

/// Without directives, which go into `directives` where they are wanted.
std::vector<CudaToken> codeTokens(const std::string& source,
                                  std::vector<CudaToken>* directives = nullptr) {
    std::vector<CudaToken> tokens;
    for (const CudaToken& token : cudaTokens(source)) {
        if (token.kind != CudaTokenKind::directive) {
            tokens.push_back(token);
        } else if (directives != nullptr) {
            directives->push_back(token);
        }
    }
    return tokens;
}

/// Behind the bracket that closes the one at `open`.
std::size_t behindBracket(const std::vector<CudaToken>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is("(") || tokens[i].is("{") || tokens[i].is("[")) ++depth;
        if ((tokens[i].is(")") || tokens[i].is("}") || tokens[i].is("]")) && --depth == 0)
            return i + 1;
    }
    return tokens.size();
}

/// Finds loops and how far they go.
class LoopFinder final {
  public:
    explicit LoopFinder(const std::string& source) : tokens_(codeTokens(source, &directives_)) {}

    struct Loop final {
        std::size_t begin = 0;  ///< offsets
        std::size_t end = 0;
    };

    [[nodiscard]] std::vector<Loop> loops() {
        std::vector<Loop> found;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const bool loop = tokens_[i].is("for") || tokens_[i].is("do") ||
                              (tokens_[i].is("while") && !endsDo(i));
            if (!loop) continue;
            const std::size_t end = behindStatement(i);
            found.push_back({tokens_[i].begin, tokens_[std::max(end, i + 1) - 1].end});
        }
        return found;
    }
    [[nodiscard]] const std::vector<CudaToken>& directives() const { return directives_; }

  private:
    [[nodiscard]] bool is(std::size_t i, std::string_view text) const {
        return i < tokens_.size() && tokens_[i].is(text);
    }

    /// Behind the statement that begins at `i`; notes the `while` of each `do`.
    std::size_t behindStatement(std::size_t i) {
        if (i >= tokens_.size()) return tokens_.size();
        if (is(i, "{")) return behindBracket(tokens_, i);
        if (is(i, "do")) {
            const std::size_t test = behindStatement(i + 1);
            if (is(test, "while")) doTests_.push_back(test);
            return std::min(behindBracket(tokens_, test + 1) + 1, tokens_.size());
        }
        if (is(i, "for") || is(i, "while") || is(i, "switch") || is(i, "if")) {
            std::size_t open = i + 1;
            while (open < tokens_.size() && !is(open, "(")) ++open;
            std::size_t end = behindStatement(behindBracket(tokens_, open));
            if (is(i, "if") && is(end, "else")) end = behindStatement(end + 1);
            return end;
        }
        while (i < tokens_.size() && !is(i, ";")) {
            if (is(i, "}")) return i;
            i = is(i, "(") || is(i, "{") || is(i, "[") ? behindBracket(tokens_, i) : i + 1;
        }
        return std::min(i + 1, tokens_.size());
    }

    [[nodiscard]] bool endsDo(std::size_t i) const {
        return std::ranges::find(doTests_, i) != doTests_.end();
    }

    std::vector<CudaToken> directives_;
    std::vector<CudaToken> tokens_;
    std::vector<std::size_t> doTests_;
};

/// Whether the body at `open` hands the pointer on, to a function that takes no other type.
bool handsOn(const std::vector<CudaToken>& tokens, std::size_t open, std::string_view name) {
    const std::size_t end = std::min(behindBracket(tokens, open), tokens.size() - 1);
    for (std::size_t i = open + 1; i < end; ++i) {
        const bool alone = (tokens[i - 1].is("(") || tokens[i - 1].is(",")) &&
                           (tokens[i + 1].is(")") || tokens[i + 1].is(","));
        if (tokens[i].is(name) && alone) return true;
    }
    return false;
}

/// Behind `a.b::c(...)` that begins at `at`; `at` where there is no such call.
std::size_t behindCall(const std::vector<CudaToken>& tokens, std::size_t at) {
    std::size_t i = at;
    while (i < tokens.size() && (tokens[i].kind == CudaTokenKind::identifier || tokens[i].is(".") ||
                                 tokens[i].is("->") || tokens[i].is("::"))) {
        ++i;
    }
    if (i == at || i >= tokens.size() || !tokens[i].is("(")) return at;
    return behindBracket(tokens, i);
}

}  // namespace

std::string withoutUnrolling(const std::string& source, const std::set<std::uint32_t>& lines) {
    LoopFinder finder(source);
    std::vector<std::size_t> places;
    for (const LoopFinder::Loop& loop : finder.loops()) {
        const std::uint32_t first = lineAt(source, loop.begin);
        const std::uint32_t last = lineAt(source, loop.end);
        const auto in = lines.lower_bound(first);
        if (in != lines.end() && *in <= last) places.push_back(loop.begin);
    }
    if (places.empty()) return source;
    std::string text = source;
    for (const CudaToken& directive : finder.directives()) {
        const std::string_view words = directive.text;
        if (directiveName(directive) == "pragma" && words.find("unroll") != words.npos) {
            for (std::size_t i = directive.begin; i < directive.end; ++i) {
                if (text[i] != '\n') text[i] = ' ';
            }
        }
    }
    std::ranges::sort(places, std::greater<>());
    for (const std::size_t place : places) text.insert(place, "_Pragma(\"unroll 1\") ");
    return text;
}

std::string withVolatileParameters(const std::string& source) {
    const std::vector<CudaToken> tokens = codeTokens(source);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].is("__global__")) continue;
        std::size_t open = i;
        while (open < tokens.size() && !tokens[open].is("(") && !tokens[open].is(";")) ++open;
        // `__launch_bounds__(256)` comes before the name.
        while (open < tokens.size() && tokens[open - 1].is("__launch_bounds__")) {
            open = behindBracket(tokens, open);
            while (open < tokens.size() && !tokens[open].is("(") && !tokens[open].is(";")) ++open;
        }
        if (open >= tokens.size() || !tokens[open].is("(")) continue;
        const std::size_t end = behindBracket(tokens, open);
        // The innermost pointer's elements: a qualifier may stand behind the type.
        std::size_t star = 0;
        for (std::size_t k = open + 1; k < end; ++k) {
            if (tokens[k].is("*") && star == 0) star = k;
            if (!tokens[k].is(",") && k + 1 != end) continue;
            if (star != 0 && !handsOn(tokens, end, tokens[k - 1].text)) {
                places.push_back(tokens[star].begin);
            }
            star = 0;
        }
    }
    std::string text = source;
    std::ranges::sort(places, std::greater<>());
    for (const std::size_t place : places) text.insert(place, " volatile ");
    return text;
}

std::string withoutCalls(const std::string& source, const std::set<std::uint32_t>& lines) {
    const std::vector<CudaToken> tokens = codeTokens(source);
    std::string text = source;
    std::uint32_t line = 1;
    std::size_t at = 0;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        line += static_cast<std::uint32_t>(
            std::count(source.begin() + static_cast<std::ptrdiff_t>(at),
                       source.begin() + static_cast<std::ptrdiff_t>(tokens[i].begin), '\n'));
        at = tokens[i].begin;
        const bool begins = tokens[i - 1].is(";") || tokens[i - 1].is("{") || tokens[i - 1].is("}");
        if (!begins || !lines.contains(line)) continue;
        const std::size_t end = behindCall(tokens, i);
        if (end == i || end >= tokens.size() || !tokens[end].is(";")) continue;
        std::replace_if(
            text.begin() + static_cast<std::ptrdiff_t>(tokens[i].begin),
            text.begin() + static_cast<std::ptrdiff_t>(tokens[end].begin),
            [](char c) { return c != '\n'; }, ' ');
    }
    return text;
}

}  // namespace warplens
