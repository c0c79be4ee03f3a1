#include "core/program/clues.h"

#include <algorithm>
#include <regex>

#include "core/program/called_functions.h"
#include "core/program/index_derivation.h"
#include "core/program/warnings.h"

namespace warplens {
namespace {

using source::SourceEdit;
using source::TextSpan;

/// A variable, or an array of a thread's own, that is declared without a value.
struct BareName final {
    std::string name;
    bool isArray = false;
    std::size_t end = 0;  ///< of its declaration
};
std::vector<BareName> bareNamesIn(const std::string& text, TextSpan body) {
    static const std::regex form(
        R"([;{}]\s*((?:[\w:]+\s+)+)(\w+(?:\s*\[[^;=]*\])?(?:\s*,\s*\w+(?:\s*\[[^;=]*\])?)*)\s*;)");
    static const std::regex none(
        R"(\b(return|goto|else|using|extern|static|typename|__shared__|__constant__)\b)");
    static const std::regex each(R"((\w+)(\s*\[[^,]*\])?)");
    std::vector<BareName> all;
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(body.begin) - 1;  // its brace
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(body.end);
    std::smatch found;
    for (auto at = begin; std::regex_search(at, end, found, form); at = found[0].second - 1) {
        if (std::regex_search(found[1].first, found[1].second, none)) continue;
        for (std::sregex_iterator one(found[2].first, found[2].second, each), last; one != last;
             ++one)
            all.push_back({one->str(1), (*one)[2].matched,
                           static_cast<std::size_t>(found[0].second - text.begin())});
    }
    return all;
}

/// Where a variable that has no value is changed by its own, at its first use: `sum += x`,
/// `++sum`, `sum = sum + x`; nowhere where it is used otherwise.
std::size_t changedWithoutValue(const SourceEdit& text, TextSpan body, const BareName& variable) {
    static const std::regex behind(R"(^(?:\.\w+)?\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)=))");
    static const std::regex before(R"((?:\+\+|--)\s*$)");
    const std::size_t at = source::findWord(text.masked(), variable.name, variable.end);
    if (at >= body.end) return source::nowhere;
    const std::size_t end = at + variable.name.size();
    const std::string rest = text.masked().substr(end, body.end - end);
    std::smatch set;
    static const std::regex stores(R"(^\s*=(?!=)([^;]*))");
    const bool isOfItself = std::regex_search(rest, set, stores) &&
                            source::findWord(set.str(1), variable.name) != source::nowhere;
    return isOfItself || std::regex_search(rest, behind) ||
                   std::regex_search(text.masked().substr(at - 3, 3), before)
               ? at
               : source::nowhere;
}

/// Where an array of a thread's own is accessed by an index that tells threads apart, and not by
/// what is read from memory.
std::size_t indexedByThread(const SourceEdit& text, TextSpan body, const BareName& array) {
    for (const source::NamedBrackets& access :
         text.bracketsOf(array.name, '[', {array.end, body.end})) {
        const IndexDerivation made(text.textOf(access.parts[0]), text.textOf(body), "");
        if (!made.isAnyThreads() && std::ranges::none_of(made.texts(), [](std::string_view part) {
                return part.find('[') != part.npos;
            }))
            return access.whole.begin;
    }
    return source::nowhere;
}

std::uint32_t lineNumberOf(const std::string& text, std::size_t at) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(at);
    return static_cast<std::uint32_t>(std::count(text.begin(), end, '\n') + 1);
}

/// Tells of shared arrays of which each thread takes the element alone that it stored itself:
/// `tile[y][x] = ...; __syncthreads(); ... = tile[y][x];`.
void addUnshared(ProgramTrace& trace, const SourceEdit& text,
                 const source::FunctionText& function) {
    static const std::regex declared(R"(__shared__\s+[\w:]+(?:\s+\w+)*?\s+(\w+)\s*\[)");
    const std::string& masked = text.masked();
    const std::string body = masked.substr(function.body.begin, function.body.size());
    for (std::sregex_iterator one(body.begin(), body.end(), declared), last; one != last; ++one) {
        const std::size_t begin = function.body.begin + static_cast<std::size_t>(one->position(0));
        const auto all =
            text.bracketsOf(one->str(1), '[', {text.statementAt(begin).end, function.body.end});
        const bool isOneElement =
            all.size() == 2 && text.textOf(all[0].whole) == text.textOf(all[1].whole);
        const std::size_t behind =
            isOneElement ? source::skipBlanks(masked, all[0].whole.end) : masked.size();
        if (behind + 1 >= masked.size() || masked[behind] != '=' || masked[behind + 1] == '=' ||
            masked.find("__syncthreads", behind) > all[1].whole.begin)
            continue;
        trace.findings.push_back(
            {.kind = FindingKind::mayBeWhy,
             .words = text.copyOf(all[1].whole) + " is what this thread stored itself, in line " +
                      std::to_string(lineNumberOf(masked, all[0].whole.begin)) +
                      ": no thread takes what another one stored, so that the array and its "
                      "barrier do nothing",
             .place = {text.file(), lineNumberOf(masked, all[1].whole.begin), 1},
             .kernel = std::string(function.name),
             .accessed = AccessedBytes{.kind = AccessKind::sharedLoad, .array = one->str(1)}});
    }
}

void addFromText(ProgramTrace& trace, const ProgramFile& file) {
    const SourceEdit text(file.text, file.path);
    for (const source::FunctionText& function : source::functionsIn(text)) {
        addUnshared(trace, text, function);
        const std::string& masked = text.masked();
        const std::size_t before = masked.find_last_of(";}", function.body.begin - 2) + 1;
        const std::string head = masked.substr(before, function.body.begin - before);
        if (head.find("__global__") == head.npos && head.find("__device__") == head.npos) continue;
        for (const BareName& each : bareNamesIn(masked, function.body)) {
            const std::size_t at = each.isArray ? indexedByThread(text, function.body, each)
                                                : changedWithoutValue(text, function.body, each);
            if (at == source::nowhere) continue;
            const auto lineOf = [&](std::size_t of) { return lineNumberOf(masked, of); };
            const std::string declared = std::to_string(lineOf(each.end - 1));
            trace.findings.push_back(
                {.kind = FindingKind::mayBeWhy,
                 .words = each.isArray
                              ? each.name + " of line " + declared +
                                    " is no shared array: each thread has one of its own, and sees "
                                    "nothing of what others store to theirs"
                              : each.name + " is changed here before it has a value: line " +
                                    declared + " gives it none",
                 .place = {file.path, lineOf(at), 1},
                 .kernel = std::string(function.name),
                 .otherLine = lineOf(each.end - 1)});
        }
    }
}

}  // namespace

void settleClues(ProgramTrace& trace, const ProgramSources& sources) {
    const ProgramExit& exit = trace.exit;
    const bool isWrong = exit.status.value_or(0) != 0 && exit.stopped.empty() &&
                         !trace.launches.empty() && isRunWhole(trace) && !hasCause(trace);
    if (!isWrong)
        std::erase_if(trace.findings,
                      [](const Finding& finding) { return finding.kind == FindingKind::mayBeWhy; });
    else
        for (const auto* files : {&sources.units, &sources.headers})
            for (const ProgramFile& file : *files) addFromText(trace, file);
}

}  // namespace warplens
