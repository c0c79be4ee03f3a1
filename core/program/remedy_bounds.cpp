#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "core/launch/launch.h"
#include "core/program/index_derivation.h"
#include "core/program/launch_shape.h"
#include "core/program/remedy_findings.h"
#include "core/text/format.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

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

/// Whether something that the index is made of has that in it; `[`: it is read from memory.
bool indexHolds(const KernelText& kernel, TextSpan index, std::string_view word) {
    const IndexDerivation made(kernel.textOf(index), kernel.textOf(kernel.body), "");
    return std::ranges::any_of(made.texts(),
                               [&](std::string_view text) { return text.find(word) != text.npos; });
}

/// `m.rows` and `m.columns` of a parameter `Matrix m`: whole numbers, whatever they come to.
std::vector<std::string> memberNumbers(const KernelText& kernel) {
    static const std::regex whole(
        R"((?:^|[;{}])\s*(?:const\s+)?(?:(?:unsigned|long|int|short|(?:std::)?u?(?:size|int32|int64)_t)\s+)+(\w+(?:\s*,\s*\w+)*)\s*(?=;))");
    static const std::regex word(R"(\w+)");
    std::vector<std::string> all;
    for (const source::KernelParameter& parameter : kernel.kernel.parameters) {
        const std::string& text = kernel.masked();
        const std::string type = source::unqualified(parameter.type);
        const std::size_t at = source::findWord(text, type);
        const std::size_t open = at == source::nowhere ? at : text.find_first_of("{;", at);
        if (open == source::nowhere || text[open] != '{' || text.find('(', at) < open) continue;
        const std::string members = text.substr(open + 1, source::closing(text, open) - open - 1);
        for (std::sregex_iterator one(members.begin(), members.end(), whole), end; one != end;
             ++one) {
            const std::string names = one->str(1);
            for (std::sregex_iterator name(names.begin(), names.end(), word); name != end; ++name)
                all.push_back(parameter.name + '.' + name->str());
        }
    }
    return all;
}

/// Of what is to be less than what, so that the index is within the array.
using Limits = std::vector<std::pair<std::string, std::string>>;
/// `row * width + column`, and more of such: the product's two, and the rest.
struct RowAndColumn final {
    std::string row, width, column;
};
std::vector<RowAndColumn> rowsIn(const KernelText& kernel, TextSpan index) {
    std::vector<RowAndColumn> all;
    const std::vector<TextSpan> terms = kernel.partsOf(index, '+');
    for (const TextSpan term : terms) {
        const std::vector<TextSpan> factors = kernel.partsOf(term, '*');
        if (terms.size() < 2 || factors.size() != 2) continue;
        std::string column;
        for (const TextSpan other : terms)
            if (other.begin != term.begin)
                column += (column.empty() ? "" : " + ") + kernel.copyOf(other);
        for (const std::size_t at : {1u, 0u})
            all.push_back({kernel.copyOf(factors[1 - at]), kernel.copyOf(factors[at]), column});
    }
    return all;
}

/// What may be meant where no number of the launch is known to be the limit: members.
std::vector<Limits> limitsOfMembers(const KernelText& kernel, TextSpan index) {
    std::vector<Limits> all;
    const std::vector<std::string> members = memberNumbers(kernel);
    for (const std::string& member : members) {
        bool isWidth = false;
        for (const auto& [row, width, column] : rowsIn(kernel, index)) {
            if (std::ranges::find(members, width) == members.end()) continue;
            isWidth = true;
            if (member != width) all.push_back({{row, member}, {column, width}});
        }
        if (!isWidth) all.push_back({{kernel.copyOf(index), member}});
    }
    return all;
}

Limits limitsOf(const KernelText& kernel, TextSpan index, const std::vector<NamedNumber>& names,
                std::int64_t elements) {
    // What is read the launch's shape does not limit, nor an index in the grid one of its sides.
    const bool isRead = indexHolds(kernel, index, "[");
    const bool isOfThreads = indexHolds(kernel, index, "threadIdx.");
    const bool isOfBlocks = indexHolds(kernel, index, "blockIdx.");
    const auto called = [&](std::int64_t value) {
        const auto found = std::ranges::find_if(names, [&](const NamedNumber& each) {
            const std::string& name = each.first;
            const bool isShape = name.find("Dim.") != name.npos;
            const bool isSide = isShape && name.find('*') == name.npos;
            return each.second == value && !(isRead && isShape) &&
                   !(isSide && (name.starts_with("gridDim") ? isOfThreads : isOfBlocks));
        });
        return found == names.end() ? std::string() : found->first;
    };
    if (const std::string count = called(elements); !count.empty())
        return {{kernel.copyOf(index), count}};
    for (const auto& [row, name, column] : rowsIn(kernel, index)) {
        const auto width = std::ranges::find(names, name, &NamedNumber::first);
        if (width == names.end() || width->second == 0) continue;
        const std::string height = called(elements / width->second);
        if (!height.empty() && elements % width->second == 0)
            return {{row, height}, {column, name}};
    }
    return {};
}

/// `i < n` of a condition becomes `i < n - 1` where the statement there has an element of `i + 1`,
/// and `i >= n` becomes `i >= n - 1`.
void leaveNeighboursOut(const KernelText& kernel, TextSpan condition, TextSpan statement,
                        SourceEdit& edit) {
    const std::vector<CudaToken> asked = kernel.tokensIn(condition);
    const std::vector<CudaToken> made = kernel.tokensIn(statement);
    for (std::size_t at = 1; at + 1 < asked.size(); ++at) {
        const bool isLess = asked[at].is("<");
        if (!isLess && (!asked[at].is(">") || !asked[at + 1].is("="))) continue;
        const std::size_t limit = at + (isLess ? 1 : 2);
        std::int64_t most = 0;
        for (std::size_t i = 2; i < made.size(); ++i)
            if (made[i - 2].is(asked[at - 1].text) && made[i - 1].is("+"))
                most = std::max(most, source::wholeNumber(made[i].text).value_or(0));
        if (most != 0 && limit < asked.size() && asked[limit].kind == CudaTokenKind::identifier)
            edit.insert(asked[limit].end, " - " + std::to_string(most));
    }
}

/// The condition that is there and lets one element or more too many in, put right: `i <= n` around
/// the access becomes `i < n`, `if (i > n) return;` before it `i >= n`, and `x < w || y < h` has
/// &&.
std::vector<SourceEdit> guardsPutRight(const KernelText& kernel, const Finding& finding) {
    const AccessedBytes& beyond = *finding.accessed;
    const bool isLoad = accessInWords(beyond.kind) == "load from";
    std::vector<SourceEdit> edits;
    if (beyond.elements == 0) return edits;
    const auto accesses = kernel.bracketsOf(beyond.array, '[', kernel.line(finding.place.line));
    const std::size_t at = accesses.empty()
                               ? kernel.statementAt(kernel.beginOf(finding.place.line)).begin
                               : accesses.front().whole.begin;
    const auto put = [&](TextSpan condition, const char* sign, const char* right) {
        SourceEdit edit = kernel;
        if (edit.rewrite(condition, sign, right)) edits.push_back(std::move(edit));
    };
    for (const source::Statement& each : kernel.statementsAround(at)) {
        if (!kernel.body.holds(each.whole.begin) || each.condition.size() == 0) continue;
        if (beyond.element == beyond.elements) put(each.condition, "^([^]*?)<=", "$1<");
        put(each.condition, R"(\|\|)", "&&");
        SourceEdit edit = kernel;
        if (isLoad) leaveNeighboursOut(kernel, each.condition, kernel.ruledAt(at), edit);
        if (edit.isChanged()) edits.push_back(std::move(edit));
    }
    for (const CudaToken& token : kernel.tokensIn({kernel.body.begin, at})) {
        if (!token.is("if")) continue;
        const source::Statement guard = kernel.statementsAround(token.begin).back();
        if (source::findWord(kernel.textOf(guard.inside), "return") == source::nowhere) continue;
        put(guard.condition, "([^->])>(?![>=])", "$1>=");
        put(guard.condition, "&&", "||");
        SourceEdit edit = kernel;
        if (isLoad) leaveNeighboursOut(kernel, guard.condition, kernel.ruledAt(at), edit);
        if (edit.isChanged()) edits.push_back(std::move(edit));
    }
    return edits;
}

/// Of `y[r + 1] = s` whose thread has an element of its own, y[r]: what a guard loses, and what may
/// be meant. Empty where the thread is one of those that are too many.
std::string lostByGuard(const AccessedBytes& beyond, const std::string& index) {
    static const std::regex shifted(R"((.*\S)\s*([-+])\s*(\d+))");
    std::smatch parts;
    if (!std::regex_match(index, parts, shifted)) return {};
    const std::int64_t shift = std::atoll(parts.str(3).c_str());
    const bool isUp = parts.str(2) == "+";
    const std::int64_t own = isUp ? beyond.element - shift : beyond.element + shift;
    if (own < 0 || own >= beyond.elements) return {};
    return "Leave out what would be stored " + std::string(isUp ? "behind" : "before") +
           " the array: the " + (isUp ? "last" : "first") +
           (shift == 1 ? " result is lost then. If" : " results are lost then. If") +
           " it is to be kept, " +
           (isUp ? beyond.array + " needs " + std::to_string(shift) +
                       (shift == 1 ? " element" : " elements") + " more, or "
                 : "") +
           beyond.array + '[' + parts.str(1) + "] may be meant.";
}

/// Around the place a condition that asks of other names by the same limits, put right:
/// `if (row < height && column < width)` where row2 and column2 are the index.
void replaceGuard(const KernelText& kernel, std::size_t place, const std::string& condition,
                  const SourceEdit& begun, RemedyCause& cause) {
    static const std::regex comparison(R"(\s*([A-Za-z_]\w*)\s*<\s*([A-Za-z_]\w*)\s*(&&|$))");
    const auto limitsIn = [](const std::string& text) {
        std::set<std::string> limits;
        std::size_t length = 0;
        for (std::sregex_iterator one(text.begin(), text.end(), comparison), end; one != end;
             ++one) {
            limits.insert(one->str(2));
            length += static_cast<std::size_t>(one->length());
        }
        return length == text.size() ? limits : std::set<std::string>{};
    };
    const std::set<std::string> limits = limitsIn(condition);
    for (const source::Statement& each : kernel.statementsAround(place)) {
        const std::string asked = kernel.copyOf(each.condition);
        if (!kernel.textOf(each.whole).starts_with("if") || limits.empty() ||
            limitsIn(asked) != limits)
            continue;
        const std::size_t before = cause.edits.size();
        addEdit(cause, "guard-the-tail", SourceEdit(begun).replace(each.condition, condition));
        if (cause.edits.size() > before)
            cause.edits.back().detail = "Let the condition ask `" + condition +
                                        "`, which the index is made of, in place of `" + asked +
                                        "`.";
    }
}

/// A return behind the definition of what the index is made of, or a condition at the access: for
/// each index that the array has in the line.
void guardTail(const KernelText& kernel, const std::vector<NamedNumber>& names,
               const Finding& finding, RemedyCause& cause, const SourceEdit& begun) {
    const AccessedBytes& beyond = *finding.accessed;
    const bool isLoad = accessInWords(beyond.kind) == "load from";
    if (beyond.elements == 0 || beyond.array.empty()) return;
    // With what else stands on the line: a kernel may be one line.
    TextSpan within = kernel.statementAt(kernel.beginOf(finding.place.line));
    within.end =
        std::max(within.end, std::min(kernel.line(finding.place.line).end, kernel.body.end));
    const std::vector<NamedBrackets> accesses = kernel.bracketsOf(beyond.array, '[', within);
    // A value of 0 would be, too.
    const auto isCounted = [&](const NamedBrackets& access) {
        return kernel.textOf(kernel.ruledAt(access.whole.begin)).starts_with("atomic");
    };
    const auto add = [&](const SourceEdit& edit, const std::string& lost, const std::string& what) {
        const std::size_t before = cause.edits.size();
        addEdit(cause, "guard-the-tail", edit);
        if (cause.edits.size() > before && !(lost + what).empty())
            cause.edits.back().detail =
                lost.empty() ? what + ": decide whether that is meant." : lost;
    };
    for (const NamedBrackets& access : accesses) {
        const std::string index = kernel.copyOf(access.parts[0]);
        if (indexHolds(kernel, access.parts[0], "["))
            cause.detail = "The index " + index + " is read from memory: let " + beyond.array +
                           " have as many elements as it may say, or leave out what is beyond.";
        std::vector<Limits> all{limitsOf(kernel, access.parts[0], names, beyond.elements)};
        const auto declared = kernel.sharedNamed(beyond.array);
        if (all[0].empty() && isShared(beyond.kind) && declared && declared->parts.size() == 1)
            all[0] = {{index, kernel.copyOf(declared->parts[0])}};
        if (all[0].empty()) all = limitsOfMembers(kernel, access.parts[0]);
        for (const Limits& limits : all) {
            std::string condition;  // for those that go on
            std::string leaving;
            std::size_t behind = 0;
            bool isDefined = !waitsForOthers(kernel);
            for (const auto& [name, limit] : limits) {
                condition += (condition.empty() ? "" : " && ") + name + " < " + limit;
                leaving += (leaving.empty() ? "" : " || ") + name + " >= " + limit;
                const auto value = kernel.valueOf(name, access.whole.begin);
                isDefined = isDefined && value && kernel.body.holds(value->begin);
                if (isDefined) behind = std::max(behind, kernel.statementAt(value->begin).end);
            }
            const auto around = kernel.statementsAround(access.whole.begin);
            const bool isAsked = begun.isChanged() &&
                                 std::ranges::any_of(around, [&](const source::Statement& each) {
                                     return kernel.textOf(each.condition) == condition;
                                 });
            if (condition.empty() || isAsked) continue;
            if (beyond.element < 0)
                condition = index + " >= 0";
            else if (isDefined)
                addEdit(cause, "guard-the-tail",
                        SourceEdit(begun).insertLineAfter(behind, "if (" + leaving + ") return;"));
            SourceEdit edit = begun;
            const TextSpan ruled = kernel.ruledAt(access.whole.begin);
            const bool isWhole = !isLoad || isCounted(access);
            for (const NamedBrackets& each : accesses) {
                if (isWhole || kernel.textOf(each.parts[0]) != index) continue;
                edit.insert(each.whole.begin, '(' + condition + " ? ");
                edit.insert(each.whole.end, " : 0)");
            }
            if (isWhole) replaceGuard(kernel, access.whole.begin, condition, begun, cause);
            if (isWhole) edit.insert(ruled.begin, "if (" + condition + ") ");
            const std::string lost =
                isLoad || isCounted(access) ? std::string() : lostByGuard(beyond, index);
            add(edit, lost,
                isWhole              ? ""
                : beyond.element < 0 ? "Let a load before the start give 0"
                                     : "Let a load beyond the end give 0");
        }
    }
    // Neighbours on both sides: of `a[i - 1] + a[i + 1]` each lies outside for another thread.
    SourceEdit edit = begun;
    for (const NamedBrackets& access : accesses) {
        const std::string index = kernel.copyOf(access.parts[0]);
        const Limits limits = limitsOf(kernel, access.parts[0], names, beyond.elements);
        if (!isLoad || isCounted(access) || limits.size() != 1) return;
        edit.insert(access.whole.begin,
                    '(' + index + " >= 0 && " + limits[0].first + " < " + limits[0].second + " ? ");
        edit.insert(access.whole.end, " : 0)");
    }
    add(edit, "", "Let a load from beyond either end of the array give 0");
}

/// `if (4 * i + 3 < n) { ... }`, or `if (4 * i + 3 >= n) return; ...`: threads whose group of
/// elements is not whole do none of it.
struct GroupGuard final {
    source::Statement statement;
    std::string first;      ///< `4 * i`
    std::size_t width = 0;  ///< elements of a group
    std::string end;        ///< `n`
    bool isLess = false;    ///< it lets whole groups in; else the others leave
    TextSpan group;         ///< what is done with a whole one
};

/// That of an `if` around the place or before it; nothing where it is none.
std::optional<GroupGuard> groupGuardAt(const KernelText& kernel, const CudaToken& token,
                                       TextSpan line) {
    static const std::regex form(R"((.*\S)\s*\+\s*(\d+)\s*(<|>=)\s*([^&|<>=]*\S)\s*)");
    static const std::regex leaving(R"(\{?\s*return\s*;\s*\}?)");
    const source::Statement guard = kernel.statementsAround(token.begin).back();
    const std::string condition = kernel.copyOf(guard.condition);
    std::smatch parts;
    if (!token.is("if") || !std::regex_match(condition, parts, form)) return std::nullopt;
    const bool isLess = parts.str(3) == "<";
    const TextSpan group = isLess ? guard.inside : TextSpan{guard.whole.end, kernel.body.end};
    const std::size_t behind = source::skipBlanks(kernel.masked(), guard.whole.end);
    const auto width = static_cast<std::size_t>(std::atoll(parts.str(2).c_str())) + 1;
    constexpr std::size_t widest = 16;
    if (group.begin > line.end || group.end <= line.begin || width < 2 || width > widest ||
        (isLess ? kernel.masked().compare(behind, 4, "else") == 0
                : !std::regex_match(kernel.copyOf(guard.inside), leaving)))
        return std::nullopt;
    return GroupGuard{guard, parts.str(1), width, parts.str(4), isLess, group};
}

/// The group's statements by which of its elements they are of: as many of each; else nothing.
std::vector<std::string> statementsOfEach(const KernelText& kernel, const GroupGuard& guard) {
    const auto elementOf = [&](TextSpan index) {
        std::string other = kernel.copyOf(index);
        std::erase(other, ' ');
        std::size_t at = 0;
        for (; at < guard.width; ++at) {
            std::string words = guard.first + (at == 0 ? "" : "+" + std::to_string(at));
            std::erase(words, ' ');
            if (words == other) break;
        }
        return at;
    };
    std::vector<std::string> ofEach(guard.width);
    std::size_t next = source::skipBlanks(kernel.masked(), guard.group.begin);
    if (kernel.masked()[next] == '{') ++next;
    for (;;) {
        next = source::skipBlanks(kernel.masked(), next);
        if (next + 1 >= guard.group.end) break;
        const TextSpan statement = kernel.ruledAt(next);
        next = std::max(statement.end, next + 1);
        std::set<std::size_t> elements;
        for (const CudaToken& name : kernel.tokensIn(statement)) {
            const auto all = kernel.bracketsOf(name.text, '[', {name.begin, statement.end});
            if (!all.empty() && all[0].whole.begin == name.begin)
                elements.insert(elementOf(all[0].parts.back()));
        }
        if (elements.size() != 1 || *elements.begin() >= guard.width ||
            !kernel.textOf(statement).ends_with(';'))
            return {};
        std::string& words = ofEach[*elements.begin()];
        words += (words.empty() ? "" : " ") + kernel.copyOf(statement);
    }
    const bool isAlike = std::ranges::all_of(ofEach, [&](const std::string& each) {
        return !each.empty() && std::ranges::count(each, ';') == std::ranges::count(ofEach[0], ';');
    });
    return isAlike ? ofEach : std::vector<std::string>{};
}

/// What is done with one element, for those of a group that is not whole; empty where that cannot
/// be said.
std::string restOf(const GroupGuard& guard, std::string one) {
    if (std::ranges::count(one, ';') > 1) one = "{ " + one + " }";
    if (guard.width == 2) return "if (" + guard.first + " < " + guard.end + ") " + one;
    const std::string index = '[' + guard.first + ']';
    for (std::size_t at = 0; (at = one.find(index, at)) != one.npos;)
        one.replace(at, index.size(), "[rest]");
    if (source::findWord(one, guard.first) != source::nowhere) return {};
    return "for (int rest = " + guard.first + "; rest < " + guard.end + "; ++rest) " + one;
}

}  // namespace

void enlargeShared(const KernelText& kernel, const std::vector<const Finding*>& findings,
                   RemedyCause& cause) {
    std::map<std::string, std::int64_t> needed;  // elements, of arrays that are stored beyond
    for (const Finding* finding : findings) {
        const AccessedBytes accessed = finding->accessed.value_or(AccessedBytes{});
        if (!isShared(accessed.kind) || !isStore(accessed.kind) || accessed.elements <= 0 ||
            accessed.isOfLaunch)
            continue;
        const std::int64_t bytes = static_cast<std::int64_t>(accessed.ofArray) / accessed.elements;
        std::int64_t& most = needed[accessed.array];
        most = std::max(
            most, static_cast<std::int64_t>(accessed.reached) / std::max<std::int64_t>(1, bytes));
    }
    for (const auto& [array, elements] : needed) {
        const auto declared = kernel.sharedNamed(array);
        if (!declared || declared->parts.size() != 1 ||
            elements > std::int64_t{LaunchLimits{}.threadsPerBlock})
            continue;
        addEdit(cause, "more-shared-memory",
                SourceEdit(kernel).replace(declared->parts[0], std::to_string(elements)));
        if (!cause.edits.empty())
            cause.edits.back().detail = "Give the shared array " +
                                        groupedDigits(static_cast<std::uint64_t>(elements)) +
                                        " elements: threads of the block store to as many.";
    }
}

void mendBounds(const KernelText& kernel, const ProgramTrace& trace, const ProgramSources& sources,
                const Finding& finding, RemedyCause& cause) {
    if (!finding.accessed) return;
    const auto names = namesFor(trace, sources, finding);
    const std::vector<SourceEdit> right = guardsPutRight(kernel, finding);
    for (const SourceEdit& edit : right) {
        const std::size_t before = cause.edits.size();
        addEdit(cause, "guard-the-tail", edit);
        if (cause.edits.size() > before)
            cause.edits.back().detail =
                "Put the condition right that is there: it lets in threads beyond the end.";
    }
    guardTail(kernel, names, finding, cause, kernel);
    if (!right.empty()) guardTail(kernel, names, finding, cause, right.front());
    if (accessInWords(finding.accessed->kind) == "load from" && waitsForOthers(kernel))
        cause.detail =
            "Let threads beyond the end take 0 in place of what they would load, and "
            "come to the barriers and shuffles as all others do.";
    // Half as many again are no tail.
    const AccessedBytes& beyond = *finding.accessed;
    const auto elements = static_cast<std::uint64_t>(beyond.elements);
    if (beyond.elements <= 0 || !isGlobal(beyond.kind) || beyond.ofArray < elements ||
        2 * beyond.reached < 3 * beyond.ofArray ||
        cause.detail.find("are reached") != std::string::npos)
        return;
    if (cause.detail.empty()) cause.detail = remedyNamed("guard-the-tail").words;
    cause.detail += ' ' + beyond.array + " has " + groupedDigits(elements) + " elements, and " +
                    groupedDigits(beyond.reached / (beyond.ofArray / elements)) +
                    " are reached: where all are meant, allocate as many.";
}

std::int64_t indexInFull(const KernelText& kernel, const Finding& finding) {
    static const std::regex divided(R"(\)\s*(?:/\s*(\d+)|>>\s*(\d+)))");
    constexpr std::int64_t range = std::int64_t{1} << 32;
    const AccessedBytes of = finding.accessed.value_or(AccessedBytes{});
    // What is before a row or a halo of the first is nearer.
    const auto inFull = [](std::int64_t index, std::int64_t by, std::int64_t elements) {
        const bool isFar = index < -range / by / 4 && index >= -range / by / 2;
        return isFar && index + range / by < elements ? index * by + range : 0;
    };
    std::int64_t found = inFull(of.element, 1, of.elements);
    // Of a pointer to bytes, as of an image whose rows have a pitch.
    if (found == 0 && isGlobal(of.kind))
        found = inFull(of.offset, 1, static_cast<std::int64_t>(of.ofArray));
    for (const NamedBrackets& access :
         kernel.bracketsOf(of.array, '[', kernel.line(finding.place.line))) {
        const IndexDerivation made(kernel.textOf(access.parts[0]), kernel.textOf(kernel.body), "");
        for (const std::string_view text : made.texts()) {
            std::cmatch by;
            if (found != 0 || !std::regex_search(text.begin(), text.end(), by, divided)) continue;
            const std::int64_t shift = std::atoll(by.str(2).c_str()) % 16;
            const std::int64_t factor = by[1].matched ? std::atoll(by.str(1).c_str()) : 1 << shift;
            if (factor > 0 && factor <= 1 << 16) found = inFull(of.element, factor, of.elements);
        }
    }
    return found;
}

void widenIndex(const KernelText& kernel, const Finding& finding, RemedyCause& cause) {
    SourceEdit edit = kernel;
    std::set<std::size_t> widened;
    // The first factor of each product; within brackets what is in there decides.
    const auto widen = [&](auto&& self, TextSpan sum) -> bool {
        bool isWidened = false;
        for (const TextSpan term : kernel.partsOf(sum, '+')) {
            const std::vector<TextSpan> factors = kernel.partsOf(term, '*');
            const TextSpan first = factors.front();
            const bool isInBrackets = first.size() > 1 && kernel.masked()[first.begin] == '(' &&
                                      source::closing(kernel.masked(), first.begin) == first.end;
            if (isInBrackets && self(self, {first.begin + 1, first.end - 1})) {
                isWidened = true;
            } else if (factors.size() > 1 && first.size() != 0 && factors.back().size() != 0 &&
                       widened.insert(first.begin).second) {
                edit.insert(first.begin, isInBrackets ? "size_t" : "size_t(");
                if (!isInBrackets) edit.insert(first.end, ")");
                isWidened = true;
            }
        }
        return isWidened;
    };
    const TextSpan line = kernel.line(finding.place.line);
    for (const NamedBrackets& access : kernel.bracketsOf(finding.array(), '[', line))
        widen(widen, access.parts[0]);
    addEdit(cause, "wide-index", edit);
    // Or where what the line has is worked out: an index, a pointer to a row.
    for (const CudaToken& name : kernel.tokensIn(line)) {
        const auto value = kernel.valueOf(name.text, line.end);
        if (name.kind != CudaTokenKind::identifier || !value || !kernel.body.holds(value->begin))
            continue;
        bool isWidened = widen(widen, *value);
        for (const CudaToken& token : kernel.tokensIn(*value))  // behind a cast
            if (!isWidened && token.is("("))
                isWidened =
                    widen(widen, {token.end, source::closing(kernel.masked(), token.begin) - 1});
        if (!isWidened) continue;
        const std::vector<CudaToken> declared =
            kernel.tokensIn({kernel.statementAt(value->begin).begin, value->begin});
        const bool isPointer = std::ranges::any_of(
            declared, [](const CudaToken& token) { return token.is("*") || token.is("auto"); });
        for (const CudaToken& type : declared)
            if (!isPointer && (type.is("int") || type.is("unsigned")))
                edit.replace({type.begin, type.end}, "size_t");
    }
    addEdit(cause, "wide-index", edit);
}

void doTheRest(const KernelText& kernel, const Finding& finding, RemedyCause& cause) {
    for (const CudaToken& token : kernel.tokensIn(kernel.body)) {
        const auto guard =
            groupGuardAt(kernel, token,
                         {kernel.beginOf(finding.place.line), kernel.line(finding.place.line).end});
        const auto each = guard ? statementsOfEach(kernel, *guard) : std::vector<std::string>{};
        const std::string rest = each.empty() ? std::string() : restOf(*guard, each[0]);
        if (rest.empty()) continue;
        SourceEdit edit = kernel;
        if (guard->isLess)
            edit.insertLineAfter(guard->statement.whole.end, "else " + rest);
        else
            edit.replace(guard->statement.inside, "{ " + rest + " return; }");
        addEdit(cause, "guard-the-tail", edit);
        if (!cause.edits.empty())
            cause.edits.back().detail =
                "Let the thread whose group is not whole do what is left, "
                "one element after the other.";
    }
}

void mendRowLength(const KernelText& kernel, const ProgramTrace& trace,
                   const ProgramSources& sources, const Finding& finding, RemedyCause& cause) {
    const std::vector<NamedNumber> names = namesFor(trace, sources, finding);
    const auto valueOf = [&](std::string_view name) {
        const auto found = std::ranges::find(names, name, &NamedNumber::first);
        return found == names.end() ? 0 : found->second;
    };
    for (const NamedBrackets& access :
         kernel.bracketsOf(finding.array(), '[', kernel.line(finding.place.line))) {
        const std::vector<CudaToken> tokens = kernel.tokensIn(access.parts[0]);
        for (std::size_t at = 0; at < tokens.size(); ++at) {
            const bool isFactor = (at > 0 && tokens[at - 1].is("*")) ||
                                  (at + 1 < tokens.size() && tokens[at + 1].is("*"));
            const std::int64_t length = isFactor ? valueOf(tokens[at].text) : 0;
            if (length == 0) continue;
            for (const auto& [name, value] : names) {
                if (value > 1 && value != length &&
                    std::ranges::all_of(name, source::isNameCharacter))
                    addEdit(cause, "row-length",
                            SourceEdit(kernel).replace({tokens[at].begin, tokens[at].end}, name));
            }
        }
        // `x * width + y`: the two in each other's place.
        const std::vector<TextSpan> terms = kernel.partsOf(access.parts[0], '+');
        for (const std::size_t at : {0u, 1u}) {
            if (terms.size() != 2) continue;
            const std::vector<TextSpan> factors = kernel.partsOf(terms[at], '*');
            if (factors.size() != 2 || valueOf(kernel.textOf(factors[1])) == 0) continue;
            SourceEdit edit = kernel;
            edit.replace(factors[0], kernel.copyOf(terms[1 - at]))
                .replace(terms[1 - at], kernel.copyOf(factors[0]));
            const std::size_t before = cause.edits.size();
            addEdit(cause, "row-length", edit);
            if (cause.edits.size() > before)
                cause.edits.back().detail = "Exchange " + kernel.copyOf(factors[0]) + " and " +
                                            kernel.copyOf(terms[1 - at]) + ": the row is what " +
                                            kernel.copyOf(factors[1]) + " multiplies.";
        }
    }
}

void askOfIndex(const KernelText& kernel, const ProgramTrace& trace, const ProgramSources& sources,
                const Finding& finding, RemedyCause& cause) {
    cause.advice = "guard-the-tail";
    cause.detail =
        "Let the condition let in each thread whose element is within the array, and no other.";
    if (finding.asked.empty()) return;
    const auto around = kernel.statementsAround(kernel.beginOf(finding.place.line));
    if (!kernel.textOf(around.back().whole).starts_with("if")) return;
    for (const NamedBrackets& access :
         kernel.bracketsOf(finding.array(), '[', around.back().inside)) {
        std::string names;
        std::string condition;
        for (const auto& [name, limit] :
             limitsOf(kernel, access.parts[0], namesFor(trace, sources, finding),
                      finding.accessed->elements)) {
            names += (names.empty() ? "" : " and ") + name;
            condition += (condition.empty() ? "" : " && ") + name + " < " + limit;
        }
        if (condition.empty()) continue;
        cause.detail = "Let the condition ask of " + names + ", which `" +
                       kernel.copyOf(access.whole) + "` is made of, in place of " + finding.asked +
                       '.';
        addEdit(cause, "guard-the-tail",
                SourceEdit(kernel).replace(around.back().condition, condition));
        if (!cause.edits.empty()) cause.edits.back().detail = cause.detail;
        return;
    }
}

void exchangeLimits(const KernelText& kernel, RemedyCause& cause) {
    static const std::regex comparison(R"(\b([A-Za-z_]\w*)\s*(?:<=?|>=?)\s*([A-Za-z_]\w*)\b)");
    struct Asked final {
        TextSpan name;
        TextSpan limit;
        std::size_t condition = 0;
    };
    std::vector<Asked> all;
    for (const CudaToken& token : kernel.tokensIn(kernel.body)) {
        if (!token.is("if")) continue;
        const TextSpan condition = kernel.statementsAround(token.begin).back().condition;
        const std::string text = kernel.copyOf(condition);
        const auto partOf = [&](const std::smatch& found, std::size_t group) {
            const std::size_t begin =
                condition.begin + static_cast<std::size_t>(found.position(group));
            return TextSpan{begin, begin + static_cast<std::size_t>(found.length(group))};
        };
        for (std::sregex_iterator one(text.begin(), text.end(), comparison), end; one != end; ++one)
            all.push_back({partOf(*one, 1), partOf(*one, 2), condition.begin});
    }
    for (std::size_t at = 1; at < all.size(); ++at) {
        const Asked& a = all[at - 1];
        const Asked& b = all[at];
        const auto isAlone = [&](const Asked& one) {
            return std::ranges::count(all, one.condition, &Asked::condition) == 1;
        };
        if (kernel.textOf(a.name) == kernel.textOf(b.name) ||
            kernel.textOf(a.limit) == kernel.textOf(b.limit) ||
            (a.condition != b.condition && !(isAlone(a) && isAlone(b))))
            continue;
        const std::size_t before = cause.edits.size();
        addEdit(cause, "guard-the-tail",
                SourceEdit(kernel)
                    .replace(a.limit, kernel.copyOf(b.limit))
                    .replace(b.limit, kernel.copyOf(a.limit)));
        if (cause.edits.size() > before)
            cause.edits.back().detail =
                "Exchange the limits of the condition: " + kernel.copyOf(b.limit) + " is that of " +
                kernel.copyOf(a.name) + ", and " + kernel.copyOf(a.limit) + " that of " +
                kernel.copyOf(b.name) + '.';
    }
}

void exchangeGrid(const ProgramSources& sources, const Finding& finding, RemedyCause& cause) {
    if (finding.leftOut == LeftOut::ofGroup || finding.leftOut == LeftOut::byCondition) return;
    for (const ProgramFile& file : sources.units) {
        const SourceEdit text(file.text, file.path);
        for (const LaunchSite& site : launchSites(text)) {
            if (site.grid.size() != 2) continue;
            const std::size_t before = cause.edits.size();
            addEdit(cause, "cover-the-problem",
                    SourceEdit(text)
                        .replace(site.grid[0], text.copyOf(site.grid[1]))
                        .replace(site.grid[1], text.copyOf(site.grid[0])));
            if (cause.edits.size() > before)
                cause.edits.back().detail =
                    "Exchange the grid's two numbers of blocks: the first is along x.";
        }
    }
}

void coverProblem(const ProgramTrace& trace, const ProgramSources& sources,
                  const std::string& kernel, RemedyCause& cause) {
    for (const ProgramFile& file : sources.units) {
        SourceEdit edit(file.text, file.path);
        for (const LaunchSite& site : launchSites(edit, kernel)) {
            for (std::size_t at = 0; at < site.grid.size(); ++at) {
                const TextSpan count = site.grid[at];
                const std::vector<TextSpan> parts = edit.partsOf(count, '/');
                if (parts.size() < 2) continue;
                const std::string right = edit.copyOf(parts.back());
                const std::string left = edit.copyOf({count.begin, std::prev(parts.end(), 2)->end});
                const auto threads = source::wholeNumber(right);
                const bool isRoundedUp =
                    left.find(right) != std::string::npos ||
                    (threads && left.find(std::to_string(*threads - 1)) != std::string::npos);
                // Of blocks with other threads: `(n + 127) / 128, 64`.
                const std::int64_t block =
                    at < site.block.size()
                        ? source::wholeNumber(edit.textOf(site.block[at])).value_or(0)
                        : 0;
                if (isRoundedUp && block > 0 && block < threads.value_or(0))
                    edit.replace(count,
                                 blocksOf(edit.copyOf(count), static_cast<std::uint32_t>(*threads),
                                          static_cast<std::uint32_t>(block)));
                if (!isRoundedUp)
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
                    if (number < static_cast<std::int64_t>(launch.launch.block.x)) continue;
                    Finding beyond;
                    beyond.place = line.place;
                    beyond.accessed = AccessedBytes{.kind = line.kind,
                                                    .array = line.array,
                                                    .element = number,
                                                    .elements = number};
                    guardTail(*text, names, beyond, cause, edit);
                }
            }
        }
    }
}

}  // namespace warplens
