#include "core/program/local_reasons.h"

#include <algorithm>
#include <regex>
#include <set>

#include "core/program/called_functions.h"
#include "core/program/index_derivation.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// What is between a name and the bracket before it: `float w[8]`, but not `return w[8]`.
bool isDeclaredAt(const SourceEdit& text, std::size_t begin) {
    const auto& tokens = text.tokens();
    const auto name = std::ranges::find(tokens, begin, &CudaToken::begin);
    if (name == tokens.end() || name == tokens.begin()) return false;
    const CudaToken& before = *std::prev(name);
    const bool isType = (before.kind == CudaTokenKind::identifier && !before.is("return") &&
                         !before.is("else") && !before.is("do")) ||
                        before.is(">");
    const std::string_view statement = text.textOf({text.ruledAt(begin).begin, begin});
    return isType && statement.find("__shared__") == statement.npos &&
           statement.find("extern") == statement.npos && statement.find('=') == statement.npos;
}

/// Where a line reads or writes such an array: the first that has an index which is no number.
struct LocalAccess final {
    std::string array;
    std::string words;  ///< `w[k - 1 - j]`
    std::string index;
    std::size_t at = 0;
};
LocalAccess accessAt(const KernelText& kernel, const std::string& array,
                     const NamedBrackets& access) {
    const std::size_t close = kernel.masked().find_first_not_of(" \n", access.whole.end);
    // Both indices of `a[i][j]`.
    std::size_t end = access.whole.end;
    std::string index;
    for (const TextSpan part : access.parts) index += kernel.copyOf(part) + ' ';
    if (close != std::string::npos && kernel.masked()[close] == '[') {
        end = source::closing(kernel.masked(), close);
        index += kernel.copyOf({close + 1, end - 1});
    }
    return {array, kernel.copyOf({access.whole.begin, end}), index, access.whole.begin};
}
/// The access of a line, if any.
std::optional<LocalAccess> accessOf(const KernelText& kernel, TextSpan row) {
    std::optional<LocalAccess> found;
    std::set<std::string_view> known;
    for (const CudaToken& token : kernel.tokensIn(row)) {
        if (token.kind != CudaTokenKind::identifier || !known.insert(token.text).second ||
            !isThreadsArray(kernel, kernel.body, token.text))
            continue;
        const std::string array(token.text);
        if (!found) found = LocalAccess{array, array, "", row.begin};
        for (const NamedBrackets& access : kernel.bracketsOf(array, '[', row)) {
            if (isDeclaredAt(kernel, access.whole.begin)) continue;
            LocalAccess one = accessAt(kernel, array, access);
            if (!source::wholeNumber(trimmed(one.index))) return one;
            if (found->index.empty()) found->words = one.words;
        }
    }
    return found;
}

/// Whether something that the kernel reads or works out from what it reads is in the index.
bool isOfData(const IndexDerivation& made) {
    static const std::regex read(R"(\[|\batomic|shfl\w*\s*\()");
    return std::ranges::any_of(made.texts(), [](std::string_view each) {
        return std::regex_search(each.begin(), each.end(), read);
    });
}

/// `if (a[q] < a[most]) most = q;`: whether what is read decides what a name in the index is set
/// to.
bool isChosenByData(const KernelText& kernel, std::string_view index) {
    const std::string& masked = kernel.masked();
    const SourceEdit names(index);
    return std::ranges::any_of(names.tokens(), [&](const CudaToken& name) {
        if (name.kind != CudaTokenKind::identifier) return false;
        for (std::size_t at = source::findWord(masked, name.text, kernel.body.begin);
             at < kernel.body.end; at = source::findWord(masked, name.text, at + 1)) {
            const std::size_t sign = source::skipBlanks(masked, at + name.text.size());
            if (masked[sign] != '=' || masked[sign + 1] == '=') continue;
            for (const source::Statement& each : kernel.statementsAround(at)) {
                if (kernel.textOf(each.whole).starts_with("if") &&
                    kernel.textOf(each.condition).find('[') != source::nowhere)
                    return true;
            }
        }
        return false;
    });
}

/// `j` and `k` of each `for (int j = 0; j < k; ++j)` around whose counter is in the index, the
/// innermost first.
struct Counted final {
    std::string counter;
    std::string limits;  ///< what it begins with and its condition
    std::size_t begin = 0;
    [[nodiscard]] std::string words(const KernelText& kernel) const {
        return "the loop over " + counter + " in line " +
               std::to_string(source::placeAt(kernel.masked(), begin).line);
    }
};
std::vector<Counted> loopsOf(const KernelText& kernel, const LocalAccess& access) {
    static const std::regex head(R"([^;]*?(\w+)\s*=([^;]*;[^;]*);[^;]*)");
    const IndexDerivation made(access.index, kernel.textOf(kernel.body), "");
    std::vector<source::Statement> around = kernel.statementsAround(access.at);
    std::ranges::reverse(around);
    std::vector<Counted> loops;
    for (const source::Statement& each : around) {
        const std::string words = kernel.copyOf(each.condition);
        std::smatch parts;
        // Behind its `#pragma unroll 1`, say.
        const std::string_view before =
            kernel.textOf({each.whole.begin, std::max(each.condition.begin, each.whole.begin)});
        const std::size_t begin = each.whole.begin + std::min(before.rfind("for"), before.size());
        if (source::findWord(kernel.masked(), "for", begin) != begin ||
            !std::regex_match(words, parts, head))
            continue;
        const std::string counter = parts.str(1);
        if (std::ranges::any_of(made.texts(), [&](std::string_view text) {
                return source::findWord(source::maskedText(text), counter) != source::nowhere;
            }))
            loops.push_back({counter, parts.str(2), begin});
    }
    return loops;
}

/// Whether the thread is in the index beside the counters of loops around.
bool isOfThread(const KernelText& kernel, const LocalAccess& access) {
    std::string index = access.index;
    for (const Counted& loop : loopsOf(kernel, access))
        index = std::regex_replace(index, std::regex(R"(\b)" + loop.counter + R"(\b)"), "0");
    return !IndexDerivation(index, kernel.textOf(kernel.body), "").isAnyThreads();
}

/// `v[rank[i]]` in line 27: where the array is accessed at an index that is known only when the
/// kernel runs, unrolled or not.
struct UnknownIndex final {
    std::string where;
    bool isOfData = false;  ///< else of the thread
};
std::optional<UnknownIndex> unknownIndex(const KernelText& kernel, const std::string& array) {
    for (const NamedBrackets& each : kernel.bracketsOf(array, '[', kernel.body)) {
        if (isDeclaredAt(kernel, each.whole.begin)) continue;
        const LocalAccess access = accessAt(kernel, array, each);
        const bool isRead = isChosenByData(kernel, access.index) ||
                            isOfData(IndexDerivation(access.index, kernel.textOf(kernel.body), ""));
        if (isRead || isOfThread(kernel, access))
            return UnknownIndex{
                '`' + access.words + "` in line " +
                    std::to_string(source::placeAt(kernel.masked(), access.at).line),
                isRead};
    }
    return std::nullopt;
}

/// A loop around an access of its array, first of those around the access itself, whose counter is
/// in the index and that the compiled code still has.
std::optional<Counted> rolledLoop(const KernelText& kernel, const LocalAccess& access,
                                  const LaunchReport& launch) {
    std::vector<Counted> loops = loopsOf(kernel, access);
    for (const NamedBrackets& each : kernel.bracketsOf(access.array, '[', kernel.body))
        std::ranges::move(loopsOf(kernel, accessAt(kernel, access.array, each)),
                          std::back_inserter(loops));
    const auto found = std::ranges::find_if(loops, [&](const Counted& loop) {
        const std::uint32_t number = source::placeAt(kernel.masked(), loop.begin).line;
        return std::ranges::any_of(launch.lines, [&](const ProgramLine& line) {
            return line.source == Source::compiled && line.kind == AccessKind::branch &&
                   line.place.line == number && sameFile(line.place.file, kernel.file());
        });
    });
    return found == loops.end() ? std::nullopt : std::optional(*found);
}

/// Whether all that a loop's condition has beside its counter is known when it is compiled.
bool isConstant(const Counted& loop, const KernelText& kernel, const ProgramSources& sources) {
    const std::vector<NamedNumber> names = namedNumbers({}, sources);
    const std::string templated = kernel.kernel.templateParameters.value_or("");
    return std::ranges::all_of(SourceEdit(loop.limits).tokens(), [&](const CudaToken& each) {
        return each.kind != CudaTokenKind::identifier || each.is(loop.counter) ||
               source::findWord(templated, each.text) != source::nowhere ||
               std::ranges::any_of(names, [&](const NamedNumber& name) {
                   return name.first == each.text && name.second != 0;
               });
    });
}

}  // namespace

bool isThreadsArray(const SourceEdit& text, TextSpan body, std::string_view name) {
    return std::ranges::any_of(text.bracketsOf(name, '[', body), [&](const NamedBrackets& each) {
        return isDeclaredAt(text, each.whole.begin);
    });
}

std::string localReason(ProgramLine& line, const LaunchReport& launch,
                        const ProgramSources& sources) {
    const std::string where = " lies in local memory, which is in the device's memory";
    const LineText text = lineText(sources, line.place);
    const auto access =
        text.kernel ? accessOf(*text.kernel, text.kernel->line(line.place.line)) : std::nullopt;
    static const std::regex calls(R"(\b(?!(?:if|for|while|switch|return|sizeof)\b)\w+\s*\()");
    const std::string masked = source::maskedText(text.statement);
    if (!access && text.kernel && std::regex_search(masked, calls)) {
        if (source::findWord(masked, "printf") != source::nowhere) {
            line.decidedBy = CostDecider::printf;
            return "`printf` takes its values by way of memory, and that" + where;
        }
        const CalledInStatement called = calledIn(masked);
        return called.subject + " has an array at indices that the compiler does not know, and it" +
               where +
               (called.slowFrom.empty() ? "" : "; it is for numbers beyond " + called.slowFrom);
    }
    if (!access)
        return "the compiler keeps an array of a thread in registers only where it knows the "
               "indices; this one" +
               where;
    const std::string array =
        (access->words == access->array ? "" : '`' + access->words + "`: ") + access->array + where;
    const std::string shared = "; a shared array, indexed [index][threadIdx.x], would be nearer";
    if (access->index.empty())
        return array + ": somewhere in the kernel its index is not known when that is compiled";
    const IndexDerivation made(access->index, text.kernel->textOf(text.kernel->body), "");
    if (isOfData(made))
        return array + ": its index is known only when the kernel runs, and registers have none" +
               (10 * line.sectors >= 11 * line.idealSectors
                    ? "; lanes at unlike indices are in sectors of their own"
                    : "") +
               shared;
    const auto other = unknownIndex(*text.kernel, access->array);
    if (other && !isOfThread(*text.kernel, *access))
        return array + ": the index of " + other->where +
               (other->isOfData ? " is known only when the kernel runs"
                                : " depends on the thread, also where loops are unrolled") +
               ", and registers have none" + shared;
    const auto loop = other ? std::nullopt : rolledLoop(*text.kernel, *access, launch);
    if (loop)
        return array + ": " +
               (isConstant(*loop, *text.kernel, sources)
                    ? loop->words(*text.kernel) +
                          " is not unrolled as a whole, and registers have no index; `#pragma "
                          "unroll` before the loop, where it is short, lets the compiler know them "
                          "all"
                    : "how often " + loop->words(*text.kernel) +
                          " runs is not known when the kernel is compiled, so it is not unrolled, "
                          "and registers have no index; a fixed number of passes with `#pragma "
                          "unroll` and an `if` inside would do" +
                          shared);
    if (other)
        return array + ": its index depends on the thread, and registers have none" +
               (10 * line.sectors >= 11 * line.idealSectors
                    ? "; lanes at unlike indices are in sectors of their own"
                    : "") +
               shared;
    return array + ": its index is not known when the kernel is compiled, and registers have none" +
           shared;
}

void findLocalEdits(const KernelText& kernel, const ProgramLine& line,
                    const ProgramSources& sources, RemedyCause& cause) {
    const auto told = accessOf(kernel, kernel.line(line.place.line));
    if (!told) return;
    cause.advice = "shared-for-local";
    const auto unknown = unknownIndex(kernel, told->array);
    if (unknown && !unknown->isOfData) return;
    if (unknown) {
        // `if (w[b] < w[m])`: it is sorted, or its smallest is looked for.
        const std::string element = told->array + R"(\s*\[[^\]]*\])";
        if (std::regex_search(kernel.copyOf(kernel.body),
                              std::regex(R"(\b)" + element + R"(\s*[<>]=?\s*)" + element)))
            cause.detail =
                "Compare and exchange its elements at indices that are known, in loops "
                "that are unrolled: of each pair " +
                told->array + "[a] gets the smaller and " + told->array +
                "[b] the larger; registers hold it then. Or keep it in shared memory, "
                "indexed [index][threadIdx.x].";
        return;
    }
    std::set<std::size_t> loops;
    for (const NamedBrackets& each : kernel.bracketsOf(told->array, '[', kernel.body)) {
        const LocalAccess access = accessAt(kernel, told->array, each);
        if (isDeclaredAt(kernel, each.whole.begin) || source::wholeNumber(trimmed(access.index)))
            continue;
        const std::vector<Counted> around = loopsOf(kernel, access);
        if (around.empty()) return;
        for (const Counted& loop : around) {
            if (!isConstant(loop, kernel, sources)) return;
            loops.insert(loop.begin);
        }
    }
    SourceEdit edit = kernel;
    for (const std::size_t loop : loops) {
        const std::uint32_t row = source::placeAt(kernel.masked(), loop).line;
        const TextSpan before = kernel.line(row - 1);
        if (!trimmed(kernel.textOf(before)).starts_with("#pragma unroll"))
            edit.insertLineBefore(loop, "#pragma unroll");
        else
            edit.replace(before, kernel.indentAt(before.begin) + "#pragma unroll");
    }
    cause.advice = loops.empty() ? "" : "unroll-loop";
    addEdit(cause, "unroll-loop", edit);
}

}  // namespace warplens
