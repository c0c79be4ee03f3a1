#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <ranges>
#include <regex>
#include <set>
#include <span>

#include "core/program/index_derivation.h"
#include "core/program/lost_changes.h"
#include "core/program/named_numbers.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"
#include "core/text/lines.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

constexpr std::string_view toDevice = "cudaMemcpyHostToDevice";
constexpr std::string_view toHost = "cudaMemcpyDeviceToHost";

/// `a`, 1000 and 1000 of "load from a[1000], which has 1000 elements".
struct Beyond final {
    std::string array;
    std::int64_t index = 0;
    std::int64_t elements = 0;  ///< 0: the words name none
    bool isLoad = false;
    std::uint32_t line = 0;
};
Beyond beyondOf(const Finding& finding) {
    static const std::regex form(R"( ([^\s\[]*)\[(-?\d*)(?:.*which has (\d+) elements)?)");
    std::smatch found;
    (void)std::regex_search(finding.words, found, form);
    return {found.str(1), std::atoll(found.str(2).c_str()), std::atoll(found.str(3).c_str()),
            finding.words.starts_with("load"), finding.place.line};
}

bool waitsForOthers(const KernelText& kernel) {
    return std::ranges::any_of(kernel.tokensIn(kernel.body), [](const CudaToken& token) {
        return token.text.starts_with("__sync") || token.text.starts_with("__shfl_") ||
               token.is("__ballot_sync") || token.is("cooperative_groups") || token.is("cg") ||
               token.is("sync");
    });
}

/// What numbers are called in the launch that the finding is of; of one along x, its threads, too.
std::vector<NamedNumber> namesFor(const ProgramTrace& trace, const ProgramSources& sources,
                                  const Finding& finding) {
    const auto found = std::ranges::find_if(trace.launches, [&](const LaunchReport& launch) {
        return launch.index == finding.launch ||
               (!finding.launch && launch.kernel == finding.kernel);
    });
    const LaunchReport launch = found == trace.launches.end() ? LaunchReport{} : *found;
    std::vector<NamedNumber> names = namedNumbers(launch, sources);
    const Extents block = launch.launch.block;
    const Extents grid = launch.launch.grid;
    const std::uint64_t threads = std::uint64_t{grid.x} * block.x;
    if (threads == grid.count() * block.count())
        names.emplace_back("gridDim.x * blockDim.x", static_cast<std::int64_t>(threads));
    return names;
}

/// Of what is to be less than what, so that the index is within the array.
using Limits = std::vector<std::pair<std::string, std::string>>;
Limits limitsOf(const KernelText& kernel, TextSpan index, const std::vector<NamedNumber>& names,
                std::int64_t elements) {
    const auto called = [&](std::int64_t value) {
        const auto found = std::ranges::find(names, value, &NamedNumber::second);
        return found == names.end() ? std::string() : found->first;
    };
    if (const std::string count = called(elements); !count.empty())
        return {{kernel.copyOf(index), count}};
    static const std::regex inRows(R"((\w+)\s*\*\s*(\w+)\s*\+\s*(\w+))");
    std::smatch parts;
    const std::string words = kernel.copyOf(index);
    if (!std::regex_match(words, parts, inRows)) return {};
    const auto width = std::ranges::find(names, parts.str(2), &NamedNumber::first);
    if (width == names.end() || width->second == 0) return {};
    const std::string height = called(elements / width->second);
    if (height.empty()) return {};
    return {{parts.str(1), height}, {parts.str(3), width->first}};
}

/// `i <= n` around the access becomes `i < n`, in one of the conditions.
std::optional<SourceEdit> withoutLast(const KernelText& kernel, const Beyond& beyond) {
    if (beyond.elements == 0 || beyond.index != beyond.elements) return std::nullopt;
    const auto accesses = kernel.bracketsOf(beyond.array, '[', kernel.line(beyond.line));
    const std::size_t at = accesses.empty() ? kernel.statementAt(kernel.beginOf(beyond.line)).begin
                                            : accesses.front().whole.begin;
    for (const source::Statement& each : kernel.statementsAround(at)) {
        const std::size_t sign = kernel.masked().find("<=", each.condition.begin);
        if (kernel.body.holds(each.whole.begin) && sign < each.condition.end)
            return SourceEdit(kernel).replace({sign, sign + 2}, "<");
    }
    return std::nullopt;
}

/// A return behind the definition of what the index is made of, or a condition at the access: for
/// each index that the array has in the line.
void guardTail(const KernelText& kernel, const std::vector<NamedNumber>& names,
               const Beyond& beyond, RemedyCause& cause, const SourceEdit& begun) {
    if (beyond.elements == 0 || beyond.array.empty()) return;
    // With what else stands on the line: a kernel may be one line.
    TextSpan within = kernel.statementAt(kernel.beginOf(beyond.line));
    within.end = std::max(within.end, std::min(kernel.line(beyond.line).end, kernel.body.end));
    const std::vector<NamedBrackets> accesses = kernel.bracketsOf(beyond.array, '[', within);
    // A value of 0 would be, too.
    const auto isCounted = [&](const NamedBrackets& access) {
        return kernel.textOf(kernel.ruledAt(access.whole.begin)).starts_with("atomic");
    };
    for (const NamedBrackets& access : accesses) {
        const std::string index = kernel.copyOf(access.parts[0]);
        std::string condition;  // for those that go on
        std::string leaving;
        std::size_t behind = 0;
        bool isDefined = !waitsForOthers(kernel);
        for (const auto& [name, limit] :
             limitsOf(kernel, access.parts[0], names, beyond.elements)) {
            condition += (condition.empty() ? "" : " && ") + name + " < " + limit;
            leaving += (leaving.empty() ? "" : " || ") + name + " >= " + limit;
            const auto value = kernel.valueOf(name, access.whole.begin);
            isDefined = isDefined && value && kernel.body.holds(value->begin);
            if (isDefined) behind = std::max(behind, kernel.statementAt(value->begin).end);
        }
        if (condition.empty()) continue;
        if (beyond.index < 0)
            condition = index + " >= 0";
        else if (isDefined)
            addEdit(cause, "guard-the-tail",
                    SourceEdit(begun).insertLineAfter(behind, "if (" + leaving + ") return;"));
        SourceEdit edit = begun;
        const TextSpan ruled = kernel.ruledAt(access.whole.begin);
        const bool isWhole = !beyond.isLoad || isCounted(access);
        for (const NamedBrackets& each : accesses) {
            if (isWhole || kernel.textOf(each.parts[0]) != index) continue;
            edit.insert(each.whole.begin, '(' + condition + " ? ");
            edit.insert(each.whole.end, " : 0)");
        }
        if (isWhole) edit.insert(ruled.begin, "if (" + condition + ") ");
        addEdit(cause, "guard-the-tail", edit);
    }
    // Neighbours on both sides: of `a[i - 1] + a[i + 1]` each lies outside for another thread.
    SourceEdit edit = begun;
    for (const NamedBrackets& access : accesses) {
        const std::string index = kernel.copyOf(access.parts[0]);
        const Limits limits = limitsOf(kernel, access.parts[0], names, beyond.elements);
        if (!beyond.isLoad || isCounted(access) || limits.size() != 1) return;
        edit.insert(access.whole.begin,
                    '(' + index + " >= 0 && " + limits[0].first + " < " + limits[0].second + " ? ");
        edit.insert(access.whole.end, " : 0)");
    }
    const std::size_t before = cause.edits.size();
    addEdit(cause, "guard-the-tail", edit);
    if (cause.edits.size() > before)
        cause.edits.back().detail = "Let a load from beyond either end of the array give 0.";
}

/// `a / b` becomes `(a + b - 1) / b` where it says how many blocks there are: of the kernel, or
/// where no name is given of all.
void coverProblem(const ProgramTrace& trace, const ProgramSources& sources,
                  const std::string& kernel, RemedyCause& cause) {
    for (const ProgramFile& file : sources.units) {
        SourceEdit edit(file.text, file.path);
        for (const LaunchSite& site : launchSites(edit, kernel)) {
            for (const TextSpan count : site.grid) {
                const std::vector<TextSpan> parts = edit.partsOf(count, '/');
                if (parts.size() < 2) continue;
                const std::string right = edit.copyOf(parts.back());
                const std::string left = edit.copyOf({count.begin, std::prev(parts.end(), 2)->end});
                if (left.find(right) == std::string::npos)  // not rounded up already
                    edit.replace(count, '(' + left + " + " + right + " - 1) / " + right);
            }
        }
        if (!edit.isChanged()) continue;
        addEdit(cause, "cover-the-problem", edit);
        // Threads that are too many then: a guard as well.
        for (const LaunchReport& launch : trace.launches) {
            const std::vector<NamedNumber> names = namedNumbers(launch, sources);
            for (const ProgramLine& line : launch.lines) {
                const auto text = kernelAt({file}, line.place);
                if (line.kind != AccessKind::store || line.source != Source::predicted || !text ||
                    (!kernel.empty() && text->kernel.name != kernel))
                    continue;
                for (const auto& [argument, number] : launch.arguments.entries()) {
                    if (number >= static_cast<std::int64_t>(launch.launch.block.x))
                        guardTail(*text, names,
                                  {line.array, number, number, false, line.place.line}, cause,
                                  edit);
                }
            }
        }
    }
}

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

/// Within a warp: all read before one writes.
void syncWarps(const KernelText& kernel, const std::vector<const Finding*>& findings,
               RemedyCause& cause) {
    SourceEdit edit = kernel;
    std::set<std::size_t> done;
    for (const Finding* finding : findings) {
        const TextSpan line = kernel.line(finding->place.line);
        for (const auto& [access, indices] :
             kernel.bracketsOf(beyondOf(*finding).array, '[', line)) {
            const TextSpan statement = kernel.ruledAt(access.begin);
            if (!done.insert(statement.begin).second) continue;
            const std::string before =
                finding->kind == FindingKind::warpOrder ? "__syncwarp(); " : "";
            const std::string behind = before.empty() ? " __syncwarp();" : "";
            const bool isChange =
                statement.begin == access.begin &&
                edit.rewrite(statement, R"(^([^=;]+?)\s*([-+*|&^])=\s*([^;]+?)\s*;$)",
                             "{ " + before + "const auto other = $3; __syncwarp(); $1 $2= other;" +
                                 behind + " }");
            if (!isChange && !before.empty())
                edit.insertLineBefore(kernel.statementAt(access.begin).begin, "__syncwarp();");
        }
    }
    addEdit(cause, "add-barrier", edit);
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

/// `if (c) { A __syncthreads(); B }` becomes `if (c) { A } __syncthreads(); if (c) { B }`, without
/// what is empty then, and of `if (c) __syncthreads();` the barrier is left.
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
        const std::size_t line = kernel.masked().find_last_of("\n{", barrier.whole.begin);
        edit.replace({line + (kernel.masked()[line] == '{' ? 1 : 0), barrier.whole.end}, "");
        if (isBehind)
            edit.insertLineAfter(branch.whole.end, "__syncthreads();");
        else
            edit.insertLineBefore(branch.whole.begin, "__syncthreads();");
    }
    addEdit(cause, "barrier-for-all", edit);
}

/// `a[i] += v;`, `a[i] = a[i] + v;`, `a[i]++;`, `++a[i];` and `place = next[k]++` become atomicAdd.
void useAtomics(const KernelText& kernel, const std::vector<const Finding*>& findings,
                RemedyCause& cause) {
    const std::array<std::pair<std::string, std::string>, 4> forms{{
        {R"(^\*(\w+)\s*(?:\+=|=\s*\*\1\s*\+)\s*([^;]+?)\s*;$)", "atomicAdd($1, $2);"},
        {R"(^([^=;]+?)\s*(?:\+=|=\s*\1\s*\+)\s*([^;]+?)\s*;$)", "atomicAdd(&$1, $2);"},
        {R"(^\+\+([^=;]+);$|^([^=;]+?)\+\+;$)", "atomicAdd(&$1$2, 1);"},
        {R"(\b()" + beyondOf(*findings.front()).array + R"(\s*\[[^\[\]]*\])\s*\+\+)",
         "atomicAdd(&$1, 1)"},
    }};
    SourceEdit edit = kernel;
    for (const std::size_t at : racingIn(kernel, findings)) {
        const TextSpan inner = kernel.ruledAt(kernel.statementAt(at).end - 1);
        (void)std::ranges::any_of(
            forms, [&](const auto& form) { return edit.rewrite(inner, form.first, form.second); });
    }
    addEdit(cause, "use-atomic", edit);
}

/// What the host calls an array that the kernel calls so, by the launch's arguments.
std::string hostName(const KernelText& kernel, const std::string& array) {
    const auto& parameters = kernel.kernel.parameters;
    const auto found = std::ranges::find(parameters, array, &source::KernelParameter::name);
    const auto index = static_cast<std::size_t>(found - parameters.begin());
    for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
        if (index < site.arguments.size()) return kernel.copyOf(site.arguments[index]);
    }
    return array;
}

/// Whether the line reads an element of the finding's array, changes it and writes it back, and
/// reads no other of it: `a[i]++`, `*a += v`, `a[i] = a[i] + v`.
bool isChange(const KernelText& kernel, const Finding& finding) {
    static const std::regex form(
        R"(^(?:(?:\+\+|--)\s*\*?(\w+)|(\*?(\w+)[^=;]*?)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)=|=\s*\2\s*[-+*/%&|^])))");
    const std::size_t at = kernel.beginOf(finding.place.line);
    const std::string text = kernel.copyOf(kernel.ruledAt(kernel.statementAt(at).end - 1));
    std::smatch found;
    if (!std::regex_search(text, found, form)) return false;
    const std::string name = found.str(1) + found.str(3);
    const std::string array = beyondOf(finding).array;
    return (name == array || hostName(kernel, name) == array) &&
           source::findWord(found.suffix().str(), name) == source::nowhere;
}

/// The call that allocates what the host calls so: its second argument are the bytes.
std::optional<NamedBrackets> allocationOf(const SourceEdit& text, std::string_view name) {
    for (const std::string_view function : {"cudaMalloc", "cudaMallocManaged"}) {
        for (const NamedBrackets& call : text.bracketsOf(function, '(')) {
            if (call.parts.size() < 2) continue;
            const std::string_view target = text.textOf(call.parts[0]);
            const std::size_t mark = target.rfind('&');
            if (mark != target.npos && trimmed(target.substr(mark + 1)) == name) return call;
        }
    }
    return std::nullopt;
}

/// Of `h_a` for d_a what there is for d_b: what differs in the names of the device differs there.
std::string pairedName(const std::string& known, std::string paired, const std::string& other) {
    const auto [a, b] = std::ranges::mismatch(known, other);
    const std::string_view x(a, known.end());
    const std::string_view y(b, other.end());
    const auto [from, to] = std::ranges::mismatch(x | std::views::reverse, y | std::views::reverse);
    const std::string_view part(x.begin(), from.base());
    const std::size_t at = part.empty() ? std::string::npos : paired.rfind(part);
    if (at == std::string::npos) return {};
    return paired.replace(at, part.size(), std::string_view(y.begin(), to.base()));
}

void giveValues(const SourceEdit& text, const std::string& name, bool isChanged,
                RemedyCause& cause) {
    const auto allocated = allocationOf(text, name);
    if (!allocated) return;
    const std::string bytes = text.copyOf(allocated->parts[1]);
    std::vector<NamedBrackets> copies = text.bracketsOf("cudaMemcpy", '(');
    std::erase_if(copies, [&](const NamedBrackets& copy) {
        return copy.parts.size() != 4 || text.textOf(copy.parts[3]) != toDevice;
    });
    const bool isCopied = std::ranges::any_of(
        copies, [&](const NamedBrackets& copy) { return text.textOf(copy.parts[0]) == name; });
    for (const auto& [whole, arguments] : copies) {
        const std::string to = text.copyOf(arguments[0]);
        if (to == name) {
            addEdit(cause, "byte-count", SourceEdit(text).replace(arguments[2], bytes));
            continue;
        }
        const std::string from = pairedName(to, text.copyOf(arguments[1]), name);
        const TextSpan statement = text.statementAt(whole.begin);
        if (!isCopied && !from.empty() && source::findWord(text.masked(), from) < statement.begin)
            addEdit(cause, "copy-to-device",
                    SourceEdit(text).insertLineAfter(
                        statement.end, "cudaMemcpy(" + name + ", " + from + ", " + bytes +
                                           ", cudaMemcpyHostToDevice);"));
    }
    // `cudaMemset(a, 0, sizeof a)` of a pointer.
    for (const NamedBrackets& set : text.bracketsOf("cudaMemset", '(')) {
        if (set.parts.size() == 3 && text.textOf(set.parts[0]) == name)
            addEdit(cause, "byte-count", SourceEdit(text).replace(set.parts[2], bytes));
    }
    cause.advice = isChanged ? "initialise" : "copy-to-device";
    if (isChanged && !isCopied)
        addEdit(cause, "initialise",
                SourceEdit(text).insertLineAfter(text.statementAt(allocated->whole.begin).end,
                                                 "cudaMemset(" + name + ", 0, " + bytes + ");"));
}

/// Zeroes behind the declaration of a shared array, or of a shared variable.
void zeroShared(const KernelText& kernel, const std::string& array, RemedyCause& cause) {
    const auto declared = kernel.sharedNamed(array);
    if (!declared || declared->parts.size() > 1) return;
    const std::string zero = declared->parts.empty()
                                 ? "if (threadIdx.x == 0) " + array + " = 0;"
                                 : "for (int at = threadIdx.x; at < " +
                                       kernel.copyOf(declared->parts[0]) + "; at += blockDim.x) " +
                                       array + "[at] = 0;";
    const TextSpan statement = kernel.statementAt(declared->whole.begin);
    addEdit(
        cause, "initialise",
        SourceEdit(kernel).insertLineAfter(
            statement.end, zero + '\n' + kernel.indentAt(statement.begin) + "__syncthreads();"));
}

void freeAll(const SourceEdit& text, const std::vector<const Finding*>& findings,
             RemedyCause& cause) {
    SourceEdit edit = text;
    std::set<std::string> freed;
    for (const Finding* finding : findings) {
        if (finding->place.file != text.file() || finding->place.line == 0) continue;
        const TextSpan row = text.line(finding->place.line);
        const auto around = text.statementsAround(source::skipBlanks(text.masked(), row.begin));
        std::vector<std::string> calls;
        for (const std::string_view each : cellsOf(finding->words, ',')) {
            const std::string name(each.substr(0, each.find(" (")));
            if (name.find(' ') == std::string::npos && freed.insert(name).second)
                calls.push_back("cudaFree(" + name + ");");
        }
        if (around.empty()) continue;
        // Before the function's last return, or at its end.
        const TextSpan body = around.front().inside;
        std::optional<std::size_t> last;
        for (const CudaToken& token : text.tokensIn({row.end, body.end})) {
            if (token.is("return") && text.statementsAround(token.begin).size() == 2)
                last = token.begin;
        }
        for (const std::string& call : calls) {
            if (last)
                edit.insertLineBefore(*last, call);
            else
                edit.insertLineAfter(text.masked().find_last_not_of(" \t\r\n", body.end - 1) + 1,
                                     call);
        }
    }
    addEdit(cause, "free-memory", edit);
}

/// The copy in a line: its direction turned, or as many bytes as its array on the device has.
void mendCopy(const SourceEdit& text, const Finding& finding, RemedyCause& cause) {
    for (const auto& [whole, arguments] :
         text.bracketsOf("cudaMemcpy", '(', text.line(finding.place.line))) {
        if (arguments.size() != 4) continue;
        const std::string_view direction = text.textOf(arguments[3]);
        if (finding.kind != FindingKind::outOfBounds &&
            (direction == toDevice || direction == toHost))
            addEdit(cause, "copy-direction",
                    SourceEdit(text).replace(
                        arguments[3], std::string(direction == toDevice ? toHost : toDevice)));
        for (std::size_t side = 0; side < 2; ++side) {
            if (const auto allocated = allocationOf(text, text.textOf(arguments[side])))
                addEdit(cause, "byte-count",
                        SourceEdit(text).replace(arguments[2], text.copyOf(allocated->parts[1])));
        }
    }
}

/// A block of 256 threads in place of one that is too large.
void shrinkBlock(const SourceEdit& text, const Finding& finding, RemedyCause& cause) {
    const TextSpan row = text.line(finding.place.line);
    for (const LaunchSite& site : launchSites(text)) {
        if (!row.holds(site.begin)) continue;
        SourceEdit edit = text;
        edit.replace(behindNames(text, site.block[0], site.begin),
                     site.block.size() > 1 ? "32" : "256");
        if (site.block.size() > 1) edit.replace(behindNames(text, site.block[1], site.begin), "8");
        addEdit(cause, "smaller-block", edit);
    }
}

/// Of findings in a kernel.
void findEdits(const KernelText& kernel, const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Finding& first = *findings.front();
    const Kind kind = first.kind;
    const bool changes =
        std::regex_search(kernel.copyOf(kernel.line(first.place.line)),
                          std::regex(R"(atomic|\+=|\+\+|([\w\]]+)\s*=\s*\S*\1\s*[-+])"));
    if (kind == Kind::outOfBounds) {
        for (const Finding* finding : findings) {
            const Beyond beyond = beyondOf(*finding);
            const auto names = namesFor(trace, sources, *finding);
            if (const auto less = withoutLast(kernel, beyond)) {
                addEdit(cause, "guard-the-tail", *less);
                guardTail(kernel, names, beyond, cause, *less);
            }
            guardTail(kernel, names, beyond, cause, kernel);
        }
        cause.advice = "guard-the-tail";
    }
    if (kind == Kind::warpOrder) syncWarps(kernel, findings, cause);
    if (kind == Kind::barrierMismatch) liftBarrier(kernel, first, cause);
    if (isRace(kind)) useAtomics(kernel, findings, cause);
    // What blocks share as well, no barrier of one of them puts right.
    const bool isOfBlocks = std::ranges::any_of(trace.findings, [&](const Finding& finding) {
        return finding.kind == Kind::blockRace &&
               std::ranges::find(cause.places, finding.place) != cause.places.end();
    });
    const bool isLater = isWrittenLater(first);
    if (kind == Kind::sharedRace || (kind == Kind::globalRace && !isOfBlocks) || isLater)
        addBarriers(kernel, findings, cause);
    // `s[t] += s[t + d]`: what others change is only read.
    const auto accesses = kernel.bracketsOf(beyondOf(first).array, '[',
                                            kernel.ruledAt(kernel.beginOf(first.place.line)));
    const bool readsOthers = std::ranges::any_of(accesses, [&](const NamedBrackets& each) {
        return kernel.textOf(each.whole) != kernel.textOf(accesses.front().whole);
    });
    if (isRace(kind) && ((changes && !readsOthers) || isOfBlocks)) {
        cause.advice = "use-atomic";
    } else if (isRace(kind) && kind != Kind::blockRace) {
        cause.advice = "add-barrier";
    }
    const std::string array = beyondOf(first).array;
    if (isLater) {
        cause.advice = "add-barrier";
    } else if (kind == Kind::uninitialisedShared) {
        zeroShared(kernel, array, cause);
        cause.advice = "initialise";
        cause.detail =
            "No barrier helps: nothing writes it before. Let the condition of the access leave out "
            "elements that have no value, or give each one before the access.";
    }
    if (kind == Kind::unwrittenMemory) giveValues(kernel, hostName(kernel, array), changes, cause);
}

}  // namespace

bool isWrittenLater(const Finding& finding) {
    return finding.kind == FindingKind::uninitialisedShared &&
           finding.words.find("by then") != std::string::npos;
}

bool isOfMask(const Finding& finding) {
    return finding.kind == FindingKind::barrierMismatch &&
           finding.words.find("intrinsic's mask") != std::string::npos;
}

void findEdits(const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Kind kind = findings.front()->kind;
    if (kind == Kind::barrierMismatch)
        cause.advice = isOfMask(*findings.front()) ? "mask-for-those-that-come" : "barrier-for-all";
    if (kind == Kind::warpOrder) {
        cause.advice = "add-barrier";
        cause.detail =
            "Read, __syncwarp(), write, __syncwarp() in each step, or let lanes exchange "
            "values by __shfl_down_sync: those wait for one another.";
    }
    if (kind == Kind::notReached) {
        for (const Finding* finding : findings) {
            const auto around = kernelAt(sources.units, finding->place);
            coverProblem(trace, sources, around ? around->kernel.name : std::string(), cause);
        }
        return;
    }
    if (const auto kernel = kernelAt(sources.units, findings.front()->place))
        return findEdits(*kernel, trace, sources, findings, cause);
    for (const ProgramFile& file : sources.units) {
        const SourceEdit text(file.text, file.path);
        if (kind == Kind::neverFreed) freeAll(text, findings, cause);
        for (const Finding* finding : findings) {
            if (finding->place.file != file.path || finding->place.line == 0) continue;
            if (kind == Kind::hostPointer || kind == Kind::devicePointer ||
                kind == Kind::outOfBounds || kind == Kind::unwrittenMemory)
                mendCopy(text, *finding, cause);
            if (kind == Kind::launchRefused) {
                shrinkBlock(text, *finding, cause);
                cause.advice = "read-errors";
            }
            // What is copied back and nobody has written: a grid that is too small, mostly.
            if (kind == Kind::unwrittenMemory) coverProblem(trace, sources, "", cause);
        }
    }
    if (kind == Kind::neverFreed) cause.advice = "free-memory";
}

void tellLostChanges(std::vector<Finding>& findings, const ProgramSources& sources) {
    static const std::regex form(
        R"((thread \([^)]*\)|another block|other threads) (?:write|read)(s?)(?: too,)? in the same line,?(?: with no __sync\w+(?: or __syncwarp)? between| in the same launch))");
    for (Finding& finding : findings) {
        if (!isRace(finding.kind) || finding.otherLine != finding.place.line) continue;
        const auto kernel = kernelAt(sources.units, finding.place);
        if (kernel && isChange(*kernel, finding))
            finding.words = std::regex_replace(
                finding.words, form,
                "$1 read$2, change$2 and write$2 in the same line at the same time, " +
                    std::string(withoutAtomic));
    }
}

}  // namespace warplens
