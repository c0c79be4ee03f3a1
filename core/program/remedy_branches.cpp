#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/program/remedy_edits.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// A switch, or an if with all of its elses: what it does in each case.
struct Cases final {
    TextSpan whole{};
    std::vector<TextSpan> each{};
    bool isComplete = false;  ///< with a default, a last else
};

Cases casesOfSwitch(const KernelText& kernel, const CudaToken& word) {
    Cases cases{kernel.ruledAt(word.begin)};
    const auto tokens = kernel.tokensIn(cases.whole);
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        const bool isDefault = tokens[at].is("default");
        if (!isDefault && !tokens[at].is("case")) continue;
        cases.isComplete |= isDefault;
        if (!cases.each.empty()) cases.each.back().end = tokens[at].begin;
        while (at + 1 < tokens.size() && !tokens[at].is(":")) ++at;
        cases.each.push_back({tokens[at].end, cases.whole.end});
    }
    // Labels of one case: `case 1: case 2:`.
    std::erase_if(cases.each, [&](TextSpan each) { return kernel.tokensIn(each).empty(); });
    return cases;
}

Cases casesOfIf(const KernelText& kernel, const CudaToken& word) {
    Cases cases{{word.begin, word.end}};
    for (std::size_t at = word.begin; !cases.isComplete;) {
        const auto around = kernel.statementsAround(at);
        const auto found = std::ranges::find_if(
            around, [&](const source::Statement& each) { return each.whole.begin == at; });
        if (found == around.end()) break;
        const bool isCondition = found->condition.size() != 0;
        cases.each.push_back(isCondition ? found->inside : found->whole);
        cases.whole.end = found->whole.end;
        cases.isComplete = !isCondition;
        const std::size_t behind = source::skipBlanks(kernel.masked(), found->whole.end);
        if (cases.isComplete || source::findWord(kernel.masked(), "else", behind) != behind) break;
        at = source::skipBlanks(kernel.masked(), behind + 4);
    }
    return cases;
}

/// The outermost around the offset.
Cases casesAround(const KernelText& kernel, std::size_t at) {
    for (const CudaToken& token : kernel.tokensIn({kernel.body.begin, at})) {
        const bool isSwitch = token.is("switch");
        if (!isSwitch && !token.is("if")) continue;
        Cases cases = isSwitch ? casesOfSwitch(kernel, token) : casesOfIf(kernel, token);
        if (cases.whole.holds(at) && cases.each.size() > 1) return cases;
    }
    return {};
}

/// What stands behind the access: `=`, `+=`; empty where it is only read.
std::string_view signBehind(const KernelText& kernel, const NamedBrackets& access) {
    const auto tokens = kernel.tokensIn({access.whole.end, kernel.body.end});
    if (tokens.empty()) return {};
    const std::string_view sign = tokens.front().text;
    return sign.ends_with('=') && sign != "==" && sign != "!=" && sign != "<=" && sign != ">="
               ? sign
           : sign == "++" || sign == "--" ? sign
                                          : std::string_view();
}

/// The one place of the array that each case accesses, as it is written; empty where there are
/// several, or a case without.
std::vector<NamedBrackets> oneOfAll(const KernelText& kernel, const Cases& cases,
                                    std::string_view array) {
    const auto all = kernel.bracketsOf(array, '[', cases.whole);
    const bool isOne = std::ranges::all_of(all, [&](const NamedBrackets& each) {
        return kernel.textOf(each.whole) == kernel.textOf(all.front().whole);
    });
    const bool isInEach = std::ranges::all_of(cases.each, [&](TextSpan each) {
        return std::ranges::any_of(
            all, [&](const NamedBrackets& access) { return each.holds(access.whole.begin); });
    });
    return isOne && isInEach ? all : std::vector<NamedBrackets>();
}

}  // namespace

void moveOutOfCases(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const Cases cases = casesAround(kernel, accessBegin(kernel, line));
    if (oneOfAll(kernel, cases, line.array).empty()) return;
    if (cause.advice.empty()) cause.advice = "out-of-the-cases";
    const auto tokens = kernel.tokensIn(cases.whole);
    const bool leaves = std::ranges::any_of(tokens, [](const CudaToken& token) {
        return token.is("return") || token.is("goto") || token.text.starts_with("__sync");
    });
    if (!cases.isComplete || leaves) return;
    // An outer access takes its index with it.
    std::vector<std::pair<std::string_view, std::vector<NamedBrackets>>> arrays;
    std::set<std::string_view> known;
    for (const CudaToken& token : tokens) {
        if (token.kind != CudaTokenKind::identifier || kernel.elementOf(token.text).empty() ||
            !known.insert(token.text).second)
            continue;
        if (auto all = oneOfAll(kernel, cases, token.text); !all.empty())
            arrays.emplace_back(token.text, std::move(all));
    }
    std::ranges::stable_sort(arrays, std::greater<>(),
                             [](const auto& each) { return each.second.front().whole.size(); });
    SourceEdit edit = kernel;
    std::vector<TextSpan> moved;
    // In lines of their own where the cases begin one.
    const std::string indent = kernel.indentAt(cases.whole.begin);
    const bool isOfLines =
        kernel.masked().rfind('\n', cases.whole.begin) + indent.size() + 1 == cases.whole.begin;
    const std::string gap = isOfLines ? '\n' + indent : " ";
    std::string before;
    std::string behind;
    for (const auto& [array, all] : arrays) {
        const auto isStored = [&](const NamedBrackets& each) {
            return signBehind(kernel, each) == "=" &&
                   kernel.ruledAt(each.whole.begin).end <= cases.whole.end;
        };
        const bool isLoad = std::ranges::all_of(
            all, [&](const NamedBrackets& each) { return signBehind(kernel, each).empty(); });
        if (!isLoad && (all.size() != cases.each.size() || !std::ranges::all_of(all, isStored)))
            continue;
        // An index that a case changes is another one there.
        const bool isKept =
            std::ranges::none_of(kernel.tokensIn(all.front().whole), [&](const CudaToken& name) {
                return std::ranges::any_of(tokens, [&](const CudaToken& other) {
                    const auto next = kernel.tokensIn({other.end, cases.whole.end});
                    return other.is(name.text) && name.kind == CudaTokenKind::identifier &&
                           !next.empty() &&
                           (next[0].is("=") || next[0].is("+=") || next[0].is("-=") ||
                            next[0].is("++") || next[0].is("--"));
                });
            });
        const bool isWithin = std::ranges::any_of(all, [&](const NamedBrackets& each) {
            return std::ranges::any_of(moved, [&](TextSpan other) {
                return each.whole.begin < other.end && other.begin < each.whole.end;
            });
        });
        if (!isKept || isWithin) continue;
        const std::string name = std::string(array) + (isLoad ? "Loaded" : "Stored");
        const std::string access = kernel.copyOf(all.front().whole);
        const std::string type = kernel.elementOf(array);
        before += isLoad ? "const " + type + ' ' + name + " = " + access + ";" + gap
                         : type + ' ' + name + ';' + gap;
        if (!isLoad) behind += gap + access + " = " + name + ';';
        for (const NamedBrackets& each : all) {
            edit.replace(each.whole, name);
            moved.push_back(each.whole);
        }
    }
    if (before.empty()) return;
    // Within braces of its own where it stands behind a condition alone.
    const bool isRuled = kernel.statementAt(cases.whole.begin).begin != cases.whole.begin;
    edit.insert(cases.whole.begin, (isRuled ? "{ " : "") + before);
    edit.insert(cases.whole.end, behind + (isRuled ? " }" : ""));
    addEdit(cause, "out-of-the-cases", edit);
}

}  // namespace warplens
