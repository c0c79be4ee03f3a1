#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <set>
#include <span>

#include "core/program/index_derivation.h"
#include "core/program/remedy_findings.h"
#include "core/text/encoding.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// Where the outermost statement around the place begins whose condition depends on the thread:
/// what all threads are to come to goes before it or behind it. The place itself where there is
/// none.
std::size_t whereAllCome(const KernelText& kernel, std::size_t at) {
    for (const source::Statement& each : kernel.statementsAround(at)) {
        if (!kernel.body.holds(each.whole.begin) || each.condition.size() == 0) continue;
        const IndexDerivation made(kernel.textOf(each.condition), kernel.textOf(kernel.body), "");
        if (!made.isAnyThreads()) return each.whole.begin;
    }
    return at;
}

/// Before the statement or behind it, where all threads come to; within the braces that a loop's
/// only statement gets then.
void insertBarrier(const KernelText& kernel, SourceEdit& edit, std::size_t place, bool isBefore) {
    const std::string barrier = "__syncthreads();";
    const std::size_t at = whereAllCome(kernel, place);
    const TextSpan whole = edit.statementAt(at);
    for (const source::Statement& each : edit.statementsAround(at)) {
        const bool isLoop =
            each.condition.size() != 0 && !edit.textOf(each.whole).starts_with("if");
        if (each.whole.begin != whole.begin || !isLoop || !each.inside.holds(at)) continue;
        edit.insert(each.inside.begin, isBefore ? "{ " + barrier + ' ' : "{ ");
        edit.insert(each.inside.end, isBefore ? " }" : ' ' + barrier + " }");
        return;
    }
    if (isBefore)
        edit.insertLineBefore(whole.begin, barrier);
    else
        edit.insertLineAfter(whole.end, barrier);
}

/// Where statements that race begin in their lines, each statement once.
std::vector<std::size_t> racingIn(const KernelText& kernel,
                                  const std::vector<const Finding*>& findings) {
    std::vector<std::size_t> all;
    for (const Finding* finding : findings) {
        const std::size_t at = kernel.beginOf(finding->place.line);
        const TextSpan statement = kernel.statementAt(at);
        if (kernel.body.holds(at) &&
            std::ranges::none_of(all, [&](std::size_t other) { return statement.holds(other); }))
            all.push_back(at);
    }
    return all;
}

/// Where the outermost loop around one of these begins that holds none of the others.
std::optional<std::size_t> loopAround(const KernelText& kernel, const std::vector<std::size_t>& all,
                                      std::size_t which) {
    for (const source::Statement& each : kernel.statementsAround(all[which])) {
        const std::string_view words = kernel.textOf(each.whole);
        const auto held =
            std::ranges::count_if(all, [&](std::size_t other) { return each.whole.holds(other); });
        if (kernel.body.holds(each.whole.begin) && held == 1 &&
            (words.starts_with("for") || words.starts_with("while")))
            return each.whole.begin;
    }
    return std::nullopt;
}

/// The statements around a place are an `if` without an else, its braces, and what is in them.
bool isInIf(const KernelText& kernel, const std::vector<source::Statement>& around) {
    if (around.size() < 4) return false;
    const source::Statement& branch = around[around.size() - 3];
    return kernel.textOf(branch.whole).starts_with("if") &&
           around[around.size() - 2].whole.begin == branch.inside.begin &&
           !kernel.masked()
                .substr(source::skipBlanks(kernel.masked(), branch.whole.end))
                .starts_with("else");
}

/// `if (c) { A B }` becomes `if (c) { A } __syncthreads(); if (c) { B }`.
bool isSplitBefore(const KernelText& kernel, SourceEdit& edit, std::size_t at) {
    const std::vector<source::Statement> around = kernel.statementsAround(at);
    if (!isInIf(kernel, around)) return false;
    const source::Statement& branch = around[around.size() - 3];
    const std::size_t first = source::skipBlanks(kernel.masked(), branch.inside.begin + 1);
    if (whereAllCome(kernel, at) != branch.whole.begin || around.back().whole.begin == first)
        return false;
    const std::string indent = '\n' + kernel.indentAt(branch.whole.begin);
    const std::size_t begin = around.back().whole.begin;
    // In place of the indentation before it.
    const std::size_t row = kernel.masked().rfind('\n', begin) + 1;
    const bool isAlone = source::skipBlanks(kernel.masked(), row) == begin;
    edit.replace({isAlone ? row : begin, begin},
                 (isAlone ? indent.substr(1) : "") + "}" + indent + "__syncthreads();" + indent +
                     "if (" + kernel.copyOf(branch.condition) + ") {\n" + kernel.indentAt(begin));
    return true;
}

}  // namespace

std::vector<TextSpan> ruledIn(const KernelText& kernel, std::size_t at) {
    const TextSpan last = kernel.ruledAt(kernel.statementAt(at).end - 1);
    if (kernel.masked()[last.begin] != '{') return {last};
    std::vector<TextSpan> all;
    for (std::size_t next = last.begin + 1;;) {
        next = source::skipBlanks(kernel.masked(), next);
        if (next + 1 >= last.end) return all;
        all.push_back(kernel.ruledAt(next));
        next = std::max(all.back().end, next + 1);
    }
}

std::optional<std::array<TextSpan, 2>> changedByNeighbour(const KernelText& kernel,
                                                          std::size_t at) {
    static const std::regex form(R"(^(\w+)\s*\[[^=;]*[-+*|&^\s]=(?!=)[^=;]*;$)");
    for (const TextSpan each : ruledIn(kernel, at)) {
        const std::string words = kernel.copyOf(each);
        std::smatch found;
        if (!std::regex_match(words, found, form)) continue;
        const auto all = kernel.bracketsOf(found.str(1), '[', each);
        const TextSpan sign{all.front().whole.end,
                            kernel.masked().find('=', all.front().whole.end)};
        const bool isOfOthers = std::ranges::any_of(all, [&](const NamedBrackets& one) {
            return one.whole.begin > sign.end &&
                   kernel.textOf(one.whole) != kernel.textOf(all.front().whole);
        });
        const std::string_view body = kernel.textOf(kernel.body);
        const bool isOwn = std::ranges::any_of(all.front().parts, [&](TextSpan part) {
            return !IndexDerivation(kernel.textOf(part), body, "").isAnyThreads();
        });
        if (isOfOthers && isOwn)
            return std::array{TextSpan{each.begin, sign.end + 1},
                              TextSpan{sign.end + 1, each.end - 1}};
    }
    return std::nullopt;
}

namespace {

void addBarrierEdit(RemedyCause& cause, const SourceEdit& edit, std::string words) {
    const std::size_t before = cause.edits.size();
    addEdit(cause, "add-barrier", edit);
    if (cause.edits.size() > before) cause.edits.back().detail = std::move(words);
}

/// `if (c) d[t] += d[t - 32];` becomes `const auto other = c ? d[t - 32] : 0; __syncthreads();
/// if (c) d[t] += other;`, where all threads come to the barrier.
void loadFirst(const KernelText& kernel, const std::vector<std::size_t>& all, RemedyCause& cause) {
    for (const bool isBehind : {false, true}) {
        SourceEdit edit = kernel;
        int count = 0;
        for (const std::size_t at : all) {
            const auto change = changedByNeighbour(kernel, at);
            if (!change) continue;
            const auto& [target, value] = *change;
            const TextSpan whole = kernel.statementAt(at);
            const std::vector<source::Statement> around = kernel.statementsAround(target.begin);
            const auto branch = std::ranges::find_if(around, [&](const source::Statement& each) {
                return each.whole.begin == whole.begin && each.condition.size() != 0;
            });
            const bool isBranch = branch != around.end();
            const bool isAlone =
                isBranch
                    ? kernel.textOf(whole).starts_with("if") && ruledIn(kernel, at).size() == 1 &&
                          kernel.textOf(whole).find("else") == std::string_view::npos
                    : whole.begin == target.begin;
            // Threads that left do not come to a barrier.
            const bool mayHaveLeft =
                std::ranges::any_of(kernel.tokensIn({kernel.body.begin, whole.begin}),
                                    [](const CudaToken& token) { return token.is("return"); });
            if (!isAlone || mayHaveLeft || (isBranch && branch->condition.end > target.begin) ||
                whereAllCome(kernel, target.begin) < whole.begin)
                continue;
            const std::string name = "other" + (++count == 1 ? "" : std::to_string(count));
            const std::string guard = isBranch ? kernel.copyOf(branch->condition) : "";
            const std::string indent = '\n' + kernel.indentAt(whole.begin);
            const std::string read = std::string(trimmed(kernel.textOf(value)));
            edit.replace(whole,
                         "const auto " + name + " = " +
                             (isBranch ? '(' + guard + ") ? " + read + " : 0;" : read + ';') +
                             indent + "__syncthreads();" + indent +
                             (isBranch ? "if (" + guard + ") " : "") + kernel.copyOf(target) + ' ' +
                             name + ';' + (isBehind ? indent + "__syncthreads();" : ""));
        }
        if (source::findWord(kernel.textOf(kernel.body), "other") == source::nowhere)
            addBarrierEdit(cause, edit,
                           "Load what another thread changes first, let all threads come to "
                           "__syncthreads(), and store then.");
    }
}

}  // namespace

void syncWarps(const KernelText& kernel, const std::vector<const Finding*>& findings,
               RemedyCause& cause) {
    const std::array<std::array<bool, 2>, 3> around{{{false, false}, {true, false}, {false, true}}};
    for (const auto& [isBefore, isBehind] : around) {
        SourceEdit edit = kernel;
        std::set<std::size_t> done;
        for (const Finding* finding : findings) {
            const bool isOfOrder = finding->kind == FindingKind::warpOrder;
            const TextSpan line = kernel.line(finding->place.line);
            for (const auto& [access, indices] : kernel.bracketsOf(finding->array(), '[', line)) {
                const TextSpan statement = kernel.ruledAt(access.begin);
                if (!done.insert(statement.begin).second) continue;
                const std::string before = isOfOrder || isBefore ? "__syncwarp(); " : "";
                const std::string behind = isOfOrder || !isBehind ? "" : " __syncwarp();";
                const bool isChange =
                    statement.begin == access.begin &&
                    edit.rewrite(statement, R"(^([^=;]+?)\s*([-+*|&^])=\s*([^;]+?)\s*;$)",
                                 "{ " + before +
                                     "const auto other = $3; __syncwarp(); $1 $2= other;" + behind +
                                     " }");
                if (!isChange && !before.empty())
                    edit.insertLineBefore(kernel.statementAt(access.begin).begin, "__syncwarp();");
            }
        }
        addBarrierEdit(cause, edit, std::string(barrierOfWarp));
    }
}

void addBarriers(const KernelText& kernel, const std::vector<const Finding*>& findings,
                 RemedyCause& cause) {
    const std::vector<std::size_t> all = racingIn(kernel, findings);
    const auto add = [&](std::span<const std::size_t> some, bool isBehind, bool isBefore) {
        SourceEdit edit = kernel;
        for (const std::size_t each : some) {
            if (isBehind) insertBarrier(kernel, edit, each, false);
            if (isBefore) insertBarrier(kernel, edit, each, true);
        }
        addEdit(cause, "add-barrier", edit);
    };
    loadFirst(kernel, all, cause);
    // Of those in one `if` each behind the first parts it.
    for (const std::size_t first : {1u, 0u}) {
        SourceEdit together = kernel;
        for (std::size_t at = first; at < all.size(); ++at) {
            const bool isParted = at != 0 && isSplitBefore(kernel, together, all[at]);
            if (!isParted) insertBarrier(kernel, together, all[at], true);
        }
        addEdit(cause, "add-barrier", together);
    }
    for (std::size_t at = all.size(); at-- > 0;) {
        // Once before a loop that has no other of them in it, where that will do.
        if (const auto loop = loopAround(kernel, all, at))
            addEdit(cause, "add-barrier",
                    SourceEdit(kernel).insertLineBefore(*loop, "__syncthreads();"));
        add({&all[at], 1}, false, true);
    }
    add(all, false, true);
    for (const std::size_t each : all) {
        SourceEdit edit = kernel;
        if (isSplitBefore(kernel, edit, each)) addEdit(cause, "add-barrier", edit);
    }
    syncWarps(kernel, findings, cause);
    for (const std::size_t& each : all) {
        add({&each, 1}, true, false);
        add({&each, 1}, true, true);
    }
}

void waitForCopies(const KernelText& kernel, const Finding& finding, RemedyCause& cause) {
    const std::string body = kernel.copyOf(kernel.body);
    const std::string wait = body.find("__pipeline_") != body.npos ? "__pipeline_wait_prior(0);"
                             : body.find("cp.async") != body.npos
                                 ? R"(asm volatile("cp.async.wait_all;" ::: "memory");)"
                                 : "";
    cause.advice = "add-barrier";
    cause.detail =
        "Wait for the copy, by __pipeline_wait_prior(0), cp.async.wait_group or what the pipeline "
        "has for it, before the __syncthreads() that stands between it and this line: each thread "
        "waits for its own copies, and the barrier for all threads.";
    if (wait.empty()) return;
    const std::size_t at = kernel.beginOf(finding.place.line);
    // One copy less may be on its way: what is left still overlaps.
    for (const NamedBrackets& call :
         kernel.bracketsOf("__pipeline_wait_prior", '(', {kernel.body.begin, at})) {
        const auto count = source::wholeNumber(kernel.textOf(call.parts.at(0)));
        if (count.value_or(0) > 0)
            addBarrierEdit(cause,
                           SourceEdit(kernel).replace(call.parts[0], std::to_string(*count - 1)),
                           "Wait until " + std::to_string(*count - 1) +
                               " of the copies' groups, in place of " + std::to_string(*count) +
                               ", may still be on their way: the one that is read here is done "
                               "then, and later ones go on.");
    }
    const auto barriers = kernel.bracketsOf("__syncthreads", '(', {kernel.body.begin, at});
    SourceEdit edit = kernel;
    if (barriers.empty()) {
        const std::size_t before = kernel.statementAt(whereAllCome(kernel, at)).begin;
        edit.insertLineBefore(before, wait).insertLineBefore(before, "__syncthreads();");
    } else {
        edit.insertLineBefore(kernel.statementAt(barriers.back().whole.begin).begin, wait);
    }
    addBarrierEdit(cause, edit,
                   "Wait for the copy before the barrier: each thread for its own, then all of "
                   "the block for one another.");
}

void liftBarrier(const KernelText& kernel, const Finding& finding, RemedyCause& cause) {
    const auto calls = kernel.bracketsOf("__syncthreads", '(', kernel.line(finding.place.line));
    if (calls.empty()) return;
    const std::vector<source::Statement> around =
        kernel.statementsAround(calls.front().whole.begin);
    if (around.size() >= 3) {
        const source::Statement& branch = around[around.size() - 2];
        const std::size_t next = source::skipBlanks(kernel.masked(), branch.whole.end);
        if (kernel.textOf(branch.whole).starts_with("if") &&
            kernel.textOf(branch.inside) == "__syncthreads();" &&
            kernel.masked().compare(next, 4, "else") != 0)
            return addEdit(cause, "barrier-for-all",
                           SourceEdit(kernel).replace(branch.whole, "__syncthreads();"));
    }
    if (!isInIf(kernel, around)) return;
    const auto& [barrier, braces, branch] =
        std::tie(around.back(), around[around.size() - 2], around[around.size() - 3]);
    if (kernel.textOf(barrier.whole) != "__syncthreads();") return;
    const auto isCode = [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; };
    const auto hasCode = [&](std::size_t from, std::size_t to) {
        return std::ranges::any_of(kernel.masked().substr(from, to - from), isCode);
    };
    const bool isBehind = hasCode(braces.inside.begin, barrier.whole.begin);
    const bool isBefore = hasCode(barrier.whole.end, braces.inside.end);
    const std::string indent = '\n' + kernel.indentAt(branch.whole.begin);
    SourceEdit edit = kernel;
    if (isBehind && isBefore) {
        edit.replace(barrier.whole, "}" + indent + "__syncthreads();" + indent + "if (" +
                                        kernel.copyOf(branch.condition) + ") {");
    } else {
        // With the line that it leaves empty.
        const std::size_t line = kernel.masked().find_last_not_of(" \t", barrier.whole.begin - 1);
        edit.replace({line + (kernel.masked()[line] == '\n' ? 0 : 1), barrier.whole.end}, "");
        // What a loop rules without braces.
        const std::size_t before =
            kernel.masked().find_last_not_of(" \t\r\n", branch.whole.begin - 1);
        const bool isRuled = kernel.masked()[before] == ')';
        if (isRuled) edit.insert(branch.whole.begin, "{ ");
        if (isBehind)
            edit.insertLineAfter(branch.whole.end, "__syncthreads();");
        else
            edit.insertLineBefore(branch.whole.begin, "__syncthreads();");
        if (isRuled) edit.insert(branch.whole.end, " }");
    }
    addEdit(cause, "barrier-for-all", edit);
}

void useAtomics(const KernelText& kernel, const std::vector<const Finding*>& findings,
                RemedyCause& cause) {
    const std::array<std::pair<std::string, std::string>, 6> forms{{
        {R"(\(\s*\*\s*(\w+)\s*\)\s*\+\+)", "atomicAdd($1, 1)"},
        {R"(^\+\+\s*\(?\s*\*\s*(\w+)\s*\)?\s*;$)", "atomicAdd($1, 1);"},
        {R"(^\*(\w+)\s*(?:\+=|=\s*\*\1\s*\+)(?![^;]*\b\1\b)\s*([^;]+?)\s*;$)",
         "atomicAdd($1, $2);"},
        // No other element of it is read: that would be by a plain load.
        {R"(^([^\w=;]*(?:\w+(?:\.|->))*(\w+)\b[^=;]*?)\s*(?:\+=|=\s*\1\s*\+)(?![^;]*\b\2\b)\s*([^;]+?)\s*;$)",
         "atomicAdd(&$1, $3);"},
        {R"(^\+\+([^=;]+);$|^([^=;]+?)\+\+;$)", "atomicAdd(&$1$2, 1);"},
        {R"(\b()" + findings.front()->array() + R"(\s*\[[^\[\]]*\])\s*\+\+)", "atomicAdd(&$1, 1)"},
    }};
    SourceEdit edit = kernel;
    for (const std::size_t at : racingIn(kernel, findings)) {
        for (const TextSpan inner : ruledIn(kernel, at))
            (void)std::ranges::any_of(forms, [&](const auto& form) {
                return edit.rewrite(inner, form.first, form.second);
            });
    }
    addEdit(cause, "use-atomic", edit);
    // `old = *count; *count = old + 1;`
    const std::string name = findings.front()->array();
    SourceEdit pair = kernel;
    const std::string change = R"()\s*;\s*\2\s*=\s*\1\s*\+\s*([^;]+);)";
    (void)(pair.rewrite(kernel.body, R"((\w+)\s*=\s*(\*\s*()" + name + ")" + change,
                        "$1 = atomicAdd($3, $4);") ||
           pair.rewrite(kernel.body, R"((\w+)\s*=\s*()" + name + R"(\s*\[[^;=]*\])" + change,
                        "$1 = atomicAdd(&$2, $3);"));
    addEdit(cause, "use-atomic", pair);
}

void fenceLocks(const KernelText& kernel, RemedyCause& cause) {
    constexpr const char* fence = "__threadfence();";
    SourceEdit edit = kernel;
    bool isTaken = false;
    for (const NamedBrackets& call : kernel.bracketsOf("atomicCAS", '(')) {
        if (call.parts.size() != 3 || kernel.textOf(call.parts[1]) != "0") continue;
        for (const source::Statement& each : kernel.statementsAround(call.whole.begin)) {
            if (!each.condition.holds(call.whole.begin)) continue;
            const std::size_t inside = each.inside.begin + 1;
            if (kernel.textOf(each.whole).starts_with("while"))
                edit.insertLineAfter(each.whole.end, fence);
            else if (kernel.masked()[inside - 1] == '{')
                edit.insertLineBefore(source::skipBlanks(kernel.masked(), inside), fence);
            else
                continue;
            isTaken = true;
        }
    }
    bool isGivenBack = false;
    for (const NamedBrackets& call : kernel.bracketsOf("atomicExch", '(')) {
        if (call.parts.size() != 2 || kernel.textOf(call.parts[1]) != "0") continue;
        edit.insertLineBefore(kernel.statementAt(call.whole.begin).begin, fence);
        isGivenBack = true;
    }
    if (isTaken && isGivenBack) addEdit(cause, "fence-the-lock", edit);
}

bool fenceValues(const KernelText& kernel, const std::vector<const Finding*>& findings,
                 RemedyCause& cause) {
    const std::string_view code = kernel.textOf(kernel.body);
    const auto isByAtomic = [&](TextSpan condition) {
        const IndexDerivation made(kernel.textOf(condition), code, "");
        return std::ranges::any_of(
            made.texts(), [](std::string_view text) { return text.find("atomic") != text.npos; });
    };
    SourceEdit edit = kernel;
    std::vector<std::size_t> fenced;
    for (const Finding* finding : findings) {
        if (!finding->accessed || !finding->otherLine || isAtomic(finding->accessed->kind))
            continue;
        const std::array<std::uint32_t, 2> lines{finding->place.line, *finding->otherLine};
        const bool isOfStore = isStore(finding->accessed->kind);
        std::size_t at = kernel.beginOf(lines[isOfStore ? 0 : 1]);
        for (const NamedBrackets& each :
             kernel.bracketsOf(finding->array(), '[', kernel.line(lines[isOfStore ? 0 : 1]))) {
            if (kernel.masked()[source::skipBlanks(kernel.masked(), each.whole.end)] == '=')
                at = each.whole.begin;
        }
        const std::size_t stored = kernel.statementAt(at).end;
        const auto isReady = [](const CudaToken& token) {
            return token.text.starts_with("atomic");
        };
        const auto decides = [&](const CudaToken& token) {
            return (token.is("if") || token.is("while")) &&
                   isByAtomic(kernel.statementsAround(token.begin).back().condition);
        };
        if (std::ranges::any_of(kernel.tokensIn({stored, kernel.body.end}), isReady) &&
            std::ranges::any_of(
                kernel.tokensIn({kernel.body.begin, kernel.line(lines[isOfStore ? 1 : 0]).end}),
                decides)) {
            edit.insertLineAfter(stored, "__threadfence();");
            fenced.push_back(stored);
        }
    }
    // One that is there, and is for threads of the block alone.
    SourceEdit wider = kernel;
    for (const CudaToken& token : kernel.tokensIn(kernel.body)) {
        if (token.is("__threadfence_block") && !fenced.empty() &&
            token.begin >= std::ranges::min(fenced))
            wider.replace({token.begin, token.end}, "__threadfence");
    }
    const std::size_t before = cause.edits.size();
    addEdit(cause, "fence-the-values", wider.isChanged() ? wider : edit);
    if (wider.isChanged())
        cause.detail =
            "__threadfence_block() orders what is stored for threads of the same block "
            "alone: __threadfence() does so for those of other blocks, too.";
    if (cause.edits.size() > before) cause.edits.back().detail = cause.detail;
    return edit.isChanged();
}

}  // namespace warplens
