#include <algorithm>
#include <array>

#include "kernels/device/code/separate.h"

namespace warplens {
namespace {

using NameSet = std::set<std::string, std::less<>>;
using Tokens = std::vector<CudaToken>;

bool isTypeKey(const CudaToken& token) {
    return token.is("struct") || token.is("class") || token.is("union") || token.is("enum");
}

/// Words whose parentheses are not those of a function's parameters.
bool takesParentheses(std::string_view word) {
    static constexpr std::array<std::string_view, 9> words{
        "__launch_bounds__", "__align__",        "alignas",     "__attribute__", "decltype",
        "noexcept",          "__cluster_dims__", "__maxnreg__", "requires"};
    return std::ranges::find(words, word) != words.end();
}

class PartReader final {
  public:
    PartReader(std::string_view source, const NameSet& marks)
        : tokens_(cudaTokens(source)), marks_(marks) {}

    std::vector<CodePart> run() {
        while (at_ < tokens_.size()) readOne();
        return std::move(parts_);
    }

  private:
    [[nodiscard]] const CudaToken& token(std::size_t i) const { return tokens_[i]; }
    [[nodiscard]] bool is(std::size_t i, std::string_view text) const {
        return i < tokens_.size() && tokens_[i].is(text);
    }

    void readOne() {
        const CudaToken& first = token(at_);
        if (first.kind == CudaTokenKind::directive) {
            readDirective(first);
            ++at_;
        } else if (first.is("}") || first.is(";")) {
            ++at_;  // the end of a namespace, or nothing
        } else if (!enterNamespace()) {
            readDeclaration();
        }
    }

    void readDirective(const CudaToken& directive) {
        const std::string_view name = directiveName(directive);
        CodePart part{.begin = directive.begin, .end = directive.end};
        if (name == "include") {
            part.kind = CodePartKind::include;
            part.declares.insert(includedName(directive));
        } else if (name == "define") {
            part.kind = CodePartKind::macro;
            const Tokens inner = directiveTokens(directive);
            if (inner.size() > 1) part.declares.emplace(inner[1].text);
            for (const CudaToken& piece : inner) use(part, piece);
        } else if (name == "error" || name == "warning") {
            // The system that it asks for is the host's.
        } else {
            return;  // conditions stay, whatever they hold
        }
        parts_.push_back(std::move(part));
    }

    static void use(CodePart& part, const CudaToken& piece) {
        if (piece.kind == CudaTokenKind::identifier) part.uses.emplace(piece.text);
    }

    /// Steps behind the brace of `namespace a::b {`, `inline namespace {` or `extern "C" {`.
    bool enterNamespace() {
        std::size_t i = at_;
        if (is(i, "extern") && i + 1 < tokens_.size() &&
            token(i + 1).kind == CudaTokenKind::literal && is(i + 2, "{")) {
            at_ = i + 3;
            return true;
        }
        if (is(i, "inline")) ++i;
        if (!is(i, "namespace")) return false;
        while (i < tokens_.size() && !is(i, "{")) {
            if (is(i, ";") || is(i, "=")) return false;
            ++i;
        }
        at_ = i + 1;
        return true;
    }

    /// Behind the closing counterpart of the bracket at `i`. Of alternatives that the preprocessor
    /// chooses from, only the first is counted.
    [[nodiscard]] std::size_t behindBracket(std::size_t i) const {
        int depth = 0;
        for (; i < tokens_.size(); ++i) {
            const CudaToken& here = token(i);
            if (here.kind == CudaTokenKind::directive) {
                i = behindAlternatives(i);
            } else if (here.is("(") || here.is("{") || here.is("[")) {
                ++depth;
            } else if (here.is(")") || here.is("}") || here.is("]")) {
                if (--depth == 0) return i + 1;
            }
        }
        return tokens_.size();
    }

    /// At `#else` or `#elif`: the index of the `#endif` that ends it; else `i` itself.
    [[nodiscard]] std::size_t behindAlternatives(std::size_t i) const {
        const std::string_view name = directiveName(token(i));
        if (name != "else" && !name.starts_with("elif")) return i;
        int depth = 0;
        for (std::size_t j = i; j < tokens_.size(); ++j) {
            if (token(j).kind != CudaTokenKind::directive) continue;
            const std::string_view inner = directiveName(token(j));
            if (inner.starts_with("if")) ++depth;
            if (inner == "endif" && depth-- == 0) return j;
        }
        return i;
    }

    /// Behind the `>` of a template's parameters or arguments that open at `i`.
    [[nodiscard]] std::size_t behindAngles(std::size_t i) const {
        int depth = 0;
        while (i < tokens_.size()) {
            if (is(i, "<")) ++depth;
            if (is(i, "(") || is(i, "[") || is(i, "{")) {
                i = behindBracket(i);
                continue;
            }
            if (is(i, ";")) return i;
            if (is(i, ">") && --depth == 0) return i + 1;
            ++i;
        }
        return i;
    }

    void readDeclaration() {
        const std::size_t begin = at_;
        const Extent extent = extentFrom(begin);
        at_ = std::max(extent.end, begin + 1);
        parts_.push_back(describe(begin, extent));
    }

    /// How far a declaration goes and where its interesting pieces are; indices of tokens.
    struct Extent final {
        std::size_t end = 0;         ///< behind `;` or the body
        std::size_t head = 0;        ///< where the head ends: the body, the initialiser or the end
        std::size_t parameters = 0;  ///< the `(` of a function's parameters, 0: none
        bool type = false;
        std::size_t typeBody = 0;  ///< its `{`, 0: none
    };

    [[nodiscard]] Extent extentFrom(std::size_t begin) const {
        Extent extent;
        bool assigned = false;
        bool operatorName = false;
        bool initialisers = false;  // of a constructor
        const bool alias = is(begin, "typedef") || is(begin, "using");
        std::size_t i = begin;
        const auto endHead = [&](std::size_t at) {
            if (extent.head == 0) extent.head = at;
        };
        while (i < tokens_.size()) {
            const CudaToken& here = token(i);
            if (here.kind == CudaTokenKind::directive) {
                i = behindAlternatives(i) + 1;
            } else if (here.is(";")) {
                endHead(i);
                extent.end = i + 1;
                return extent;
            } else if (here.is("}")) {  // of the namespace around: something was not understood
                endHead(i);
                extent.end = i;
                return extent;
            } else if (here.is("template") && is(i + 1, "<")) {
                i = behindAngles(i + 1);
            } else if (here.is("operator")) {
                operatorName = true;
                ++i;
                while (i < tokens_.size() && !is(i, "(")) ++i;
                if (is(i + 1, ")") && is(i + 2, "(")) i += 2;  // operator()
            } else if (here.is("(")) {
                const bool attribute = i > begin && takesParentheses(token(i - 1).text);
                if (!attribute && extent.parameters == 0 && !assigned && extent.typeBody == 0) {
                    extent.parameters = i;
                }
                i = behindBracket(i);
            } else if (here.is("[")) {
                i = behindBracket(i);
            } else if (here.is("=") && !operatorName) {
                assigned = true;
                endHead(i);
                ++i;
            } else if (here.is(":") && extent.parameters != 0) {
                initialisers = true;
                ++i;
            } else if (here.is("{")) {
                const bool member = initialisers && token(i - 1).kind == CudaTokenKind::identifier;
                const bool function = extent.parameters != 0 && !assigned && !member;
                if (!assigned && extent.parameters == 0 && extent.type) extent.typeBody = i;
                endHead(i);
                i = behindBracket(i);
                if (function && !alias) {
                    extent.end = i;
                    return extent;
                }
            } else {
                if (isTypeKey(here) && extent.parameters == 0 && !assigned) extent.type = true;
                ++i;
            }
        }
        endHead(i);
        extent.end = i;
        return extent;
    }

    CodePart describe(std::size_t begin, const Extent& extent) {
        CodePart part{.begin = token(begin).begin, .end = token(extent.end - 1).end};
        for (std::size_t i = begin; i < extent.head; ++i) {
            if (token(i).kind != CudaTokenKind::identifier) continue;
            part.onDevice = part.onDevice || marks_.contains(token(i).text);
            part.isConstexpr =
                part.isConstexpr || token(i).is("constexpr") || token(i).is("consteval");
        }
        if (is(begin, "using") && is(begin + 1, "namespace")) {
            part.kind = CodePartKind::usingNamespace;
        } else if (is(begin, "typedef") || is(begin, "using") || is(begin, "namespace") ||
                   isAliasTemplate(begin)) {
            part.kind = CodePartKind::type;
            declareAlias(part, begin, extent);
        } else if (extent.parameters != 0) {
            part.kind = CodePartKind::function;
            declareFunction(part, extent);
        } else if (extent.type) {
            part.kind = CodePartKind::type;
            declareType(part, begin, extent);
        } else if (is(begin, "static_assert")) {
            part.kind = CodePartKind::other;
        } else {
            part.kind = CodePartKind::variable;
            declareVariables(part, begin, extent);
        }
        if (is(begin, "static_assert") || is(begin, "asm")) part.kind = CodePartKind::other;
        if (part.kind == CodePartKind::type && extent.typeBody != 0 && !is(begin, "enum")) {
            findHostMembers(part, extent.typeBody);
        }
        for (std::size_t i = begin; i < extent.end; ++i) {
            const bool onHost = std::ranges::any_of(part.hostMembers, [&](CodePart::Range range) {
                return token(i).begin >= range.begin && token(i).end <= range.end;
            });
            if (onHost) continue;
            use(part, token(i));
            if (token(i).kind != CudaTokenKind::directive) continue;
            for (const CudaToken& piece : directiveTokens(token(i))) use(part, piece);
        }
        return part;
    }

    [[nodiscard]] bool isAliasTemplate(std::size_t begin) const {
        return is(begin, "template") && is(begin + 1, "<") && is(behindAngles(begin + 1), "using");
    }

    /// Of `typedef`, `using name =` and `namespace name =`.
    void declareAlias(CodePart& part, std::size_t begin, const Extent& extent) const {
        if (is(begin, "template")) begin = behindAngles(begin + 1);
        if (!is(begin, "typedef")) return use2(part, begin + 1);
        std::size_t i = begin + 1;
        for (; i + 1 < extent.end; ++i) {
            if (is(i, "{")) i = behindBracket(i);
            if (is(i, "(")) {  // of a pointer to functions: the last name between the parentheses
                const std::size_t close = behindBracket(i) - 1;
                if (close > i) use2(part, close - 1);
                return;
            }
            const bool last = is(i + 1, ";") || is(i + 1, ",") || is(i + 1, "[");
            if (last) use2(part, i);
        }
        // `typedef struct list { ... } list;` declares both.
        for (i = begin + 1; i < extent.end; ++i) {
            if (isTypeKey(token(i)) && i + 1 < extent.end) use2(part, i + 1);
        }
        if (is(begin + 1, "enum") && extent.typeBody != 0) declareType(part, begin, extent);
    }
    void use2(CodePart& part, std::size_t i) const {
        if (token(i).kind == CudaTokenKind::identifier) part.declares.emplace(token(i).text);
    }

    void declareFunction(CodePart& part, const Extent& extent) const {
        std::size_t name = extent.parameters;
        if (name == 0) return;
        --name;
        if (token(name).is(">")) {  // a specialisation
            int depth = 0;
            for (;; --name) {
                if (token(name).is(">")) ++depth;
                if (token(name).is("<") && --depth == 0) break;
                if (name == 0) return;
            }
            --name;
        }
        use2(part, name);
    }

    /// The type's own name, enumerators, and what is declared behind its body.
    void declareType(CodePart& part, std::size_t begin, const Extent& extent) const {
        if (is(begin, "template")) begin = behindAngles(begin + 1);
        const std::size_t bodyEnd =
            extent.typeBody != 0 ? behindBracket(extent.typeBody) : extent.end;
        bool enumeration = false;
        bool named = false;
        for (std::size_t i = begin; i < extent.end; ++i) {
            if (isTypeKey(token(i))) {
                enumeration = enumeration || token(i).is("enum");
                named = false;
                continue;
            }
            if (is(i, "<") || is(i, ":") || i == extent.typeBody) {
                // Arguments of a specialisation, and what it is derived from, are used.
                named = true;
            }
            const bool inBody = extent.typeBody != 0 && i > extent.typeBody && i < bodyEnd;
            if (inBody ? enumeration : (!named || i >= bodyEnd)) use2(part, i);
        }
    }

    void declareVariables(CodePart& part, std::size_t begin, const Extent& extent) const {
        for (std::size_t i = begin; i + 1 < extent.end; ++i) {
            static constexpr std::array<std::string_view, 6> after{"=", "[", ",", ";", "{", "("};
            if (std::ranges::find(after, token(i + 1).text) != after.end()) use2(part, i);
        }
    }

    /// Member functions without a mark, in the class body that opens at `open`: what the device
    /// cannot call. Their declarations stay out with their bodies.
    void findHostMembers(CodePart& part, std::size_t open) const {
        std::size_t i = open + 1;
        const std::size_t close = behindBracket(open) - 1;
        while (i < close) {
            const CudaToken& here = token(i);
            if (here.kind == CudaTokenKind::directive || here.is(";") ||
                (is(i + 1, ":") && !is(i + 1, "::"))) {
                i += here.kind == CudaTokenKind::directive || here.is(";") ? 1 : 2;
                continue;
            }
            const Extent extent = extentFrom(i);
            const std::size_t end = std::min(std::max(extent.end, i + 1), close);
            readMember(part, i, end, extent);
            i = end;
        }
    }

    void readMember(CodePart& part, std::size_t begin, std::size_t end,
                    const Extent& extent) const {
        if (extent.parameters == 0) {
            if (extent.typeBody != 0) findHostMembers(part, extent.typeBody);
            return;
        }
        bool marked = false;
        for (std::size_t i = begin; i < std::min(extent.head, end); ++i) {
            marked = marked || marks_.contains(token(i).text) || token(i).is("constexpr");
        }
        // `= default` and `= delete` are for both sides.
        const bool defaulted =
            end >= 2 && (token(end - 2).is("default") || token(end - 2).is("delete"));
        if (!marked && !defaulted) {
            part.hostMembers.push_back({token(begin).begin, token(end - 1).end});
        }
    }

    Tokens tokens_;
    const NameSet& marks_;
    std::size_t at_ = 0;
    std::vector<CodePart> parts_;
};

}  // namespace

std::vector<CodePart> codePartsOf(std::string_view source, const NameSet& deviceMarks) {
    return PartReader(source, deviceMarks).run();
}

NameSet deviceMarksOf(const std::vector<std::string_view>& sources) {
    NameSet marks{"__global__", "__device__", "__constant__", "__shared__", "__managed__"};
    for (bool grew = true; grew;) {
        grew = false;
        for (const std::string_view source : sources) {
            for (const CudaToken& token : cudaTokens(source)) {
                if (token.kind != CudaTokenKind::directive || directiveName(token) != "define") {
                    continue;
                }
                const Tokens inner = directiveTokens(token);
                if (inner.size() < 3 || marks.contains(inner[1].text)) continue;
                // A macro with code in it is no mark.
                const bool marks_it =
                    inner.size() <= 8 &&
                    std::any_of(inner.begin() + 2, inner.end(),
                                [&](const CudaToken& piece) { return marks.contains(piece.text); });
                if (marks_it) grew = marks.emplace(inner[1].text).second || grew;
            }
        }
    }
    return marks;
}

}  // namespace warplens
