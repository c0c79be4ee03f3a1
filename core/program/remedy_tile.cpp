#include <algorithm>
#include <map>

#include "core/launch/mapping.h"
#include "core/program/cuda_tokens.h"
#include "core/program/remedy_edits.h"

namespace warplens {

using source::SourceEdit;
using source::TextSpan;

namespace {

/// `in[y * width + x]`, nothing behind it.
struct ArrayAccess final {
    std::string array;
    TextSpan index;
};
std::optional<ArrayAccess> accessOf(const SourceEdit& text, TextSpan span) {
    const std::vector<CudaToken> tokens = text.tokensIn(span);
    if (tokens.size() < 4 || tokens[0].kind != CudaTokenKind::identifier || !tokens[1].is("[") ||
        source::closing(text.masked(), tokens[1].begin) != tokens.back().end)
        return std::nullopt;
    return ArrayAccess{std::string(tokens[0].text), {tokens[1].end, tokens.back().begin}};
}

/// A statement of the kernel's body with what it is ruled by.
struct GuardedStatement final {
    TextSpan whole;  ///< with its `if` and braces
    std::vector<TextSpan> conditions;
};

/// Nothing where something else than `if` rules it, or another statement is ruled with it.
std::optional<GuardedStatement> guardedAt(const KernelText& kernel, std::size_t at) {
    const std::string& masked = kernel.masked();
    const std::vector<CudaToken> tokens = kernel.tokensIn(kernel.body);
    GuardedStatement found{kernel.statementAt(at), {}};
    for (;;) {
        std::size_t inner = found.whole.begin;
        for (auto token = std::ranges::lower_bound(tokens, inner, {}, &CudaToken::begin);
             token != tokens.end() && token->begin == inner && token->is("if");
             token = std::ranges::lower_bound(tokens, inner, {}, &CudaToken::begin)) {
            const std::size_t closed = source::closing(masked, std::next(token)->begin);
            if (closed == source::nowhere) return std::nullopt;
            found.conditions.push_back({std::next(token)->end, closed - 1});
            inner = source::skipBlanks(masked, closed);
        }
        const std::size_t next = source::skipBlanks(masked, found.whole.end);
        if (masked.compare(next, 4, "else") == 0) return std::nullopt;
        const auto first =
            std::ranges::lower_bound(tokens, found.whole.begin, {}, &CudaToken::begin);
        if (first == tokens.begin() || !std::prev(first)->is("{")) break;
        if (masked[next] != '}' || std::prev(first) == tokens.begin()) return std::nullopt;
        found.whole = {kernel.statementAt(std::prev(first, 2)->begin).begin, next + 1};
    }
    const std::string_view before =
        std::string_view(masked).substr(kernel.body.begin, found.whole.begin - kernel.body.begin);
    if (std::ranges::count(before, '{') != std::ranges::count(before, '}')) return std::nullopt;
    return found;
}

/// threadIdx.x and threadIdx.y in each other's place.
std::string exchanged(std::string_view code) {
    SourceEdit edit(code);
    exchangeAxes(edit, {0, code.size()}, true);
    return edit.result();
}

}  // namespace

void tileInShared(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                  RemedyCause& cause) {
    const SourceEdit& text = kernel;
    const Extents block = launch.launch.block;
    const std::size_t at = kernel.beginOf(line.place.line);
    if (block.x != block.y || block.z != 1 || kernel.says("tile")) return;
    const TextSpan statement = text.statementAt(at);
    const TextSpan copy = text.ruledAt(statement, statement.end - 1);
    const std::vector<CudaToken> tokens = text.tokensIn(copy);
    const auto equals = std::ranges::find_if(tokens, [](const CudaToken& t) { return t.is("="); });
    const auto guarded = guardedAt(kernel, at);
    if (equals == tokens.end() || !tokens.back().is(";") || !guarded) return;
    const auto to = accessOf(text, {copy.begin, equals->begin});
    const auto from = accessOf(text, {equals->end, tokens.back().begin});
    const bool isLast =
        source::skipBlanks(text.masked(), guarded->whole.end) + 1 == kernel.body.end;
    if (!to || !from || !isLast) return;
    const std::string element = kernel.elementOf(from->array);
    if (element.empty()) return;

    SourceEdit edit = text;
    std::vector<TextSpan> parts = guarded->conditions;
    std::string condition;
    const auto addCondition = [&](const std::string& more) {
        condition += (condition.empty() ? "" : " && ") + more;
    };
    for (const CudaToken& token : text.tokensIn(kernel.body)) {
        if (!token.is("return")) continue;
        // All come to the barrier: who returned before does nothing now.
        const auto leaving = guardedAt(kernel, token.begin);
        if (!leaving || leaving->conditions.size() != 1) return;
        parts.push_back(leaving->conditions[0]);
        addCondition("!(" + text.copyOf(leaving->conditions[0]) + ')');
        const std::size_t next = source::skipBlanks(text.masked(), leaving->whole.end);
        edit.replace({leaving->whole.begin, next}, "");
    }
    for (const TextSpan each : guarded->conditions) {
        const std::string words = text.copyOf(each);
        addCondition(guarded->conditions.size() + condition.size() > 1 ? '(' + words + ')' : words);
    }
    // What they are made of: names that are defined in the kernel, by threadIdx in the end.
    parts.insert(parts.end(), {to->index, from->index});
    std::map<std::size_t, std::pair<std::string, TextSpan>> definitions;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (const CudaToken& token : text.tokensIn(TextSpan(parts[part]))) {
            const auto value = text.valueOf(token.text, copy.begin);
            if (token.kind != CudaTokenKind::identifier || !value ||
                !kernel.body.holds(value->begin))
                continue;
            if (definitions.try_emplace(value->begin, token.text, *value).second)
                parts.push_back(*value);
        }
    }
    const bool loadsExchanged = line.kind == AccessKind::load;
    const std::string indent = edit.indentAt(guarded->whole.begin);
    std::string exchange;
    for (const auto& [begin, definition] : definitions) {
        const auto& [name, value] = definition;
        const std::string before = text.copyOf(value);
        const std::string after = exchanged(before);
        if (loadsExchanged && after != before) edit.replace(value, after);
        exchange += indent + name + " = " + (loadsExchanged ? before : after) + ";\n";
        for (const CudaToken& token : text.tokensIn(text.statementAt(begin))) {
            if (token.is("const")) edit.replace({token.begin, token.end + 1}, "");
        }
    }
    // Elements more in a row, so that the rows that a warp reads down begin in banks of their own.
    std::string side = std::to_string(block.x);
    std::string pad = std::to_string(std::max(1U, lanesPerWarp / block.x));
    for (const LaunchSite& site : launchSites(text, kernel.kernel.name)) {
        const std::vector<TextSpan> axes = dimensionsOf(text, site, 1);
        const auto isDefined = [&](const CudaToken& token) {
            const bool isMacro =
                token.kind == CudaTokenKind::directive && directiveName(token) == "define";
            return isMacro && directiveTokens(token)[1].is(text.textOf(axes[0]));
        };
        if (!std::ranges::any_of(text.tokens(), isDefined)) continue;
        side = text.textOf(axes[0]);
        if (pad != "1") pad = std::to_string(lanesPerWarp) + " / " + side;
    }
    const auto inTurn = [](const std::string& words, bool isExchanged) {
        return isExchanged ? exchanged(words) : words;
    };
    const auto guardOf = [&](bool isExchanged) {
        return indent + (condition.empty() ? "" : "if (" + inTurn(condition, isExchanged) + ") ");
    };
    edit.replace(guarded->whole,
                 "__shared__ " + element + " tile[" + side + "][" + side + " + " + pad + "];\n" +
                     guardOf(loadsExchanged) + "tile[threadIdx.y][threadIdx.x] = " + from->array +
                     '[' + inTurn(text.copyOf(from->index), loadsExchanged) + "];\n" + indent +
                     "__syncthreads();\n" + exchange + guardOf(!loadsExchanged) + to->array + '[' +
                     inTurn(text.copyOf(to->index), !loadsExchanged) +
                     "] = tile[threadIdx.x][threadIdx.y];");
    addEdit(cause, "tile-in-shared-memory", edit);
}

}  // namespace warplens
