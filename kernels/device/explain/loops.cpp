#include "kernels/device/explain/loops.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/program/cuda_tokens.h"

namespace warplens {
namespace {

/// Finds loops and how far they go.
class LoopFinder final {
  public:
    explicit LoopFinder(const std::string& source) : source_(source) {
        for (const CudaToken& token : cudaTokens(source)) {
            if (token.kind == CudaTokenKind::directive) {
                directives_.push_back(token);
            } else {
                tokens_.push_back(token);
            }
        }
    }

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

    [[nodiscard]] std::size_t behindBracket(std::size_t i) const {
        int depth = 0;
        for (; i < tokens_.size(); ++i) {
            if (is(i, "(") || is(i, "{") || is(i, "[")) ++depth;
            if ((is(i, ")") || is(i, "}") || is(i, "]")) && --depth == 0) return i + 1;
        }
        return tokens_.size();
    }

    /// Behind the statement that begins at `i`; notes the `while` of each `do`.
    std::size_t behindStatement(std::size_t i) {
        if (i >= tokens_.size()) return tokens_.size();
        if (is(i, "{")) return behindBracket(i);
        if (is(i, "do")) {
            const std::size_t test = behindStatement(i + 1);
            if (is(test, "while")) doTests_.push_back(test);
            return std::min(behindBracket(test + 1) + 1, tokens_.size());
        }
        if (is(i, "for") || is(i, "while") || is(i, "switch") || is(i, "if")) {
            std::size_t open = i + 1;
            while (open < tokens_.size() && !is(open, "(")) ++open;
            std::size_t end = behindStatement(behindBracket(open));
            if (is(i, "if") && is(end, "else")) end = behindStatement(end + 1);
            return end;
        }
        while (i < tokens_.size() && !is(i, ";")) {
            if (is(i, "}")) return i;
            i = is(i, "(") || is(i, "{") || is(i, "[") ? behindBracket(i) : i + 1;
        }
        return std::min(i + 1, tokens_.size());
    }

    [[nodiscard]] bool endsDo(std::size_t i) const {
        return std::ranges::find(doTests_, i) != doTests_.end();
    }

    const std::string& source_;
    std::vector<CudaToken> tokens_;
    std::vector<CudaToken> directives_;
    std::vector<std::size_t> doTests_;
};

std::uint32_t lineAtOffset(const std::string& source, std::size_t offset) {
    return 1 + static_cast<std::uint32_t>(std::count(
                   source.begin(), source.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace

std::string withoutUnrolling(const std::string& source, const std::set<std::uint32_t>& lines) {
    LoopFinder finder(source);
    std::vector<std::size_t> places;
    for (const LoopFinder::Loop& loop : finder.loops()) {
        const std::uint32_t first = lineAtOffset(source, loop.begin);
        const std::uint32_t last = lineAtOffset(source, loop.end);
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

}  // namespace warplens
