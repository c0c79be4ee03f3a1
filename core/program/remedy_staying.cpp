#include <algorithm>
#include <regex>

#include "core/program/index_derivation.h"
#include "core/program/remedy_findings.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::Statement;
using source::TextSpan;

namespace {

/// `i < n` of `i >= n`, and `x < w && y < h` of `x >= w || y >= h`.
std::string opposite(const std::string& condition) {
    static const std::regex comparison(
        R"(\s*([^<>=!&|]*[^<>=!&|\s])\s*([<>]=?)\s*([^<>=!&|]+?)\s*)");
    std::string all;
    for (std::size_t at = 0; at <= condition.size();) {
        const std::size_t end = std::min(condition.find("||", at), condition.size());
        const std::string part = condition.substr(at, end - at);
        std::smatch parts;
        if (!std::regex_match(part, parts, comparison)) return "!(" + condition + ')';
        const std::string sign = parts.str(2);
        const std::string turned = sign[0] == '<' ? ">" : "<";
        all += (all.empty() ? "" : " && ") + parts.str(1) + ' ' + turned +
               (sign.size() == 1 ? "= " : " ") + parts.str(3);
        at = end + 2;
    }
    return all;
}

/// What threads beyond the end do not do, and stay: from `begin` to `end`.
struct Staying final {
    std::string condition;  ///< of those that have an element
    TextSpan within;
};

/// Whether the text is made of one of the names that the condition asks for.
bool isMadeOf(std::string_view text, const Staying& staying, std::string_view code) {
    const IndexDerivation made(text, code, "");
    const SourceEdit asked(staying.condition);
    return std::ranges::any_of(asked.tokens(), [&](const CudaToken& name) {
        return name.kind == CudaTokenKind::identifier &&
               !IndexDerivation(name.text, code, "").isAnyThreads() &&
               std::ranges::any_of(made.texts(), [&](std::string_view each) {
                   return source::findWord(each, name.text) != source::nowhere;
               });
    });
}

/// Guards what the threads that stay would load and store. Whether that can be done.
bool guardAccesses(const KernelText& kernel, const Staying& staying, SourceEdit& edit) {
    static const std::regex assigned(R"(^[^=;(]*[^=<>!;(]=(?!=)\s*)");
    const std::string_view code = kernel.textOf(kernel.body);
    const std::string& text = kernel.masked();
    const std::vector<CudaToken> tokens = kernel.tokensIn(staying.within);
    std::size_t done = 0;  // where what has its condition ends
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        const CudaToken& name = tokens[at];
        const bool isAtomic = name.text.starts_with("atomic") && tokens[at + 1].is("(");
        const bool isElement = name.kind == CudaTokenKind::identifier && tokens[at + 1].is("[") &&
                               !kernel.sharedNamed(name.text);
        if (name.begin < done || (!isAtomic && !isElement)) continue;
        const std::vector<NamedBrackets> found =
            kernel.bracketsOf(name.text, isAtomic ? '(' : '[', {name.begin, name.end});
        if (found.empty() || found[0].parts.empty()) continue;
        const TextSpan access = found[0].whole;
        const TextSpan rule = kernel.ruledAt(name.begin);
        const TextSpan inside{std::max(rule.begin, staying.within.begin), rule.end};
        const std::vector<Statement> around = kernel.statementsAround(name.begin);
        const std::size_t next = source::skipBlanks(text, access.end);
        const bool isChanged = text.compare(next, 2, "++") == 0 ||
                               (text[next] == '=' && text[next + 1] != '=') ||
                               (text[next] != '<' && text[next] != '>' && text[next] != '!' &&
                                text[next] != '=' && text[next + 1] == '=');
        const bool isStore = isAtomic || (inside.begin == name.begin && isChanged);
        // What one thread does for all of them, that is there before the end if any is.
        const bool isOfOne = std::ranges::any_of(around, [&](const Statement& each) {
            return each.condition.size() != 0 && each.whole.begin >= staying.within.begin &&
                   !each.condition.holds(name.begin) &&
                   !IndexDerivation(kernel.textOf(each.condition), code, "").isAnyThreads();
        });
        // Of an atomic its place decides, not what it adds.
        const TextSpan index{found[0].parts.front().begin,
                             (isAtomic ? found[0].parts.front() : found[0].parts.back()).end};
        const bool isOfElement = isMadeOf(kernel.textOf(index), staying, code);
        if (!isOfElement && (!isStore || isOfOne)) continue;
        const std::string_view words = kernel.textOf(rule);
        const bool isWaiting = words.find("__shfl") != std::string_view::npos ||
                               words.find("__sync") != std::string_view::npos;
        std::match_results<std::string_view::const_iterator> value;
        if (isStore) {
            if (isWaiting) return false;
            edit.insert(inside.begin, "if (" + staying.condition + ") ");
            done = rule.end;
        } else if (!isWaiting && words.ends_with(';') && !words.starts_with("for") &&
                   std::regex_search(words.begin(), words.end(), value, assigned) &&
                   rule.begin + static_cast<std::size_t>(value.length()) <= access.begin) {
            edit.insert(rule.begin + static_cast<std::size_t>(value.length()),
                        staying.condition + " ? ");
            edit.insert(rule.end - 1, " : 0");
            done = rule.end;
        } else {
            edit.insert(access.begin, '(' + staying.condition + " ? ");
            edit.insert(access.end, " : 0)");
            done = access.end;
        }
    }
    return true;
}

/// What a condition rules without it: its braces gone, and what was in them as far in as it was.
void liftOut(const KernelText& kernel, const Statement& branch, SourceEdit& edit) {
    const std::string_view text = kernel.textOf({0, kernel.masked().size()});
    const std::size_t first = source::skipBlanks(text, branch.inside.begin + 1);
    const std::size_t outer = kernel.indentAt(branch.whole.begin).size();
    const std::size_t inner = kernel.indentAt(first).size();
    edit.replace({branch.whole.begin, first}, "");
    for (std::size_t row = text.find('\n', first) + 1; row != 0 && row < branch.whole.end;
         row = text.find('\n', row) + 1) {
        if (row + inner < branch.whole.end && inner > outer &&
            text.substr(row, inner).find_first_not_of(" \t") == std::string_view::npos)
            edit.replace({row + outer, row + inner}, "");
    }
    const std::size_t last = text.find_last_not_of(" \t\n", branch.whole.end - 2) + 1;
    edit.replace({last, branch.whole.end}, "");
}

}  // namespace

void stayBeyondEnd(const KernelText& kernel, const Finding& finding, RemedyCause& cause) {
    const std::string_view code = kernel.textOf(kernel.body);
    const std::string_view text = kernel.textOf({0, kernel.masked().size()});
    const std::size_t place = kernel.beginOf(finding.place.line);
    SourceEdit edit = kernel;
    Staying staying{{}, {kernel.body.end, kernel.body.end}};
    // The statement of the kernel itself, where that is a condition of the thread.
    const auto branchAround = [&](std::size_t at) -> std::optional<Statement> {
        const std::vector<Statement> around = kernel.statementsAround(at);
        const auto branch = std::ranges::find_if(
            around, [&](const Statement& each) { return kernel.body.holds(each.whole.begin); });
        if (branch == around.end() || !kernel.textOf(branch->whole).starts_with("if") ||
            kernel.masked().compare(source::skipBlanks(kernel.masked(), branch->whole.end), 4,
                                    "else") == 0 ||
            IndexDerivation(kernel.textOf(branch->condition), code, "").isAnyThreads())
            return std::nullopt;
        return *branch;
    };
    for (const CudaToken& token : kernel.tokensIn({kernel.body.begin, place})) {
        const auto branch = branchAround(token.begin);
        if (!token.is("return") || !branch) continue;
        static const std::regex leaves(R"(\{?\s*return\s*;\s*\}?)");
        if (!std::regex_match(kernel.copyOf(branch->inside), leaves)) return;
        staying.condition +=
            (staying.condition.empty() ? "" : " && ") + opposite(kernel.copyOf(branch->condition));
        staying.within.begin = std::min(staying.within.begin, branch->whole.end);
        // With its line, if it has one of its own.
        const std::size_t row = text.rfind('\n', branch->whole.begin) + 1;
        const bool isAlone =
            text[branch->whole.end] == '\n' && source::skipBlanks(text, row) == branch->whole.begin;
        edit.replace(isAlone ? TextSpan{row, branch->whole.end + 1} : branch->whole, "");
    }
    if (staying.condition.empty()) {
        const auto branch = branchAround(place);
        if (!branch || kernel.masked()[branch->inside.begin] != '{') return;
        staying = {kernel.copyOf(branch->condition),
                   {branch->inside.begin + 1, branch->inside.end - 1}};
        liftOut(kernel, *branch, edit);
    }
    if (guardAccesses(kernel, staying, edit)) addEdit(cause, "stay-beyond-the-end", edit);
}

}  // namespace warplens
