#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>

#include "app/cli/explanation.h"
#include "app/cli/report.h"
#include "core/program/line_costs.h"
#include "core/program/reasons.h"
#include "core/program/remedy_edits.h"
#include "core/program/source_edit.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// `2,048 threadIdx.x + 262,144 blockIdx.x + 4 a pass`
std::string formulaText(const AddressFormula& formula) {
    std::string text;
    const auto add = [&](std::int64_t bytes, std::string_view what) {
        if (bytes == 0) return;
        text += text.empty() ? (bytes < 0 ? "-" : "") : (bytes < 0 ? " - " : " + ");
        text += groupedDigits(static_cast<std::uint64_t>(std::abs(bytes))) +
                (what.empty() ? "" : " ") + std::string(what);
    };
    constexpr std::array<std::string_view, 3> threads{"threadIdx.x", "threadIdx.y", "threadIdx.z"};
    constexpr std::array<std::string_view, 3> lanes{"lane", "warp", ""};
    constexpr std::array<std::string_view, 3> blocks{"blockIdx.x", "blockIdx.y", "blockIdx.z"};
    for (std::size_t at = 0; at < 3; ++at)
        add(formula.thread.at(at), (formula.ofLanes ? lanes : threads).at(at));
    for (std::size_t at = 0; at < 3; ++at) add(formula.block.at(at), blocks.at(at));
    for (std::size_t at = 0; at < formula.loops.size(); ++at)
        add(formula.loops[at].bytes, at == 0 ? "a pass" : "a pass of the loop around it");
    add(formula.start, "");
    if (text.empty()) text = "0";
    if (formula.isOfRequest) return text + " from where its request begins";
    return formula.isClamped ? text + ", clamped at the edge" : text;
}

/// `shared load`
std::string inWords(AccessKind kind) {
    std::string words(nameOf(kind));
    std::ranges::replace(words, '_', ' ');
    return words;
}

/// `157 requests, `, where what it costs does not say so.
std::string requestsOf(const ProgramLine& line) {
    const bool isSaid =
        line.kind == AccessKind::branch || costInWords(line).find(" request") != std::string::npos;
    return isSaid ? std::string() : counted(line.requests, "request") + ", ";
}

/// `, in each of 3 launches`; empty where there is one.
std::string launchesOf(const ExplainedLine& line) {
    if (line.launches == 1) return {};
    const std::string launches = groupedDigits(line.launches) + " launches";
    return !line.isAlike       ? ", in the costliest of " + launches
           : !line.isOneReason ? ", in the first of " + launches + ", each for its own reason"
                               : ", in each of " + launches;
}

/// What it says behind its numbers: `: the loop is unrolled`.
std::string whyOf(const LineDifference& difference) {
    const std::size_t colon = difference.words.find(": ");
    return colon == std::string::npos ? std::string() : difference.words.substr(colon);
}

/// Whether the one that was told last said the same, of another line or kind.
bool isSaidAbove(const LineDifference& now, const LineDifference* said) {
    return said != nullptr && said->file == now.file && said->cause == now.cause &&
           !whyOf(now).empty() && whyOf(*said) == whyOf(now);
}

/// `B[0]` of a line that has it more than once; empty where it has none.
std::string saidAgain(std::string_view line) {
    const source::SourceEdit text(line);
    for (const CudaToken& token : text.tokens()) {
        if (token.kind != CudaTokenKind::identifier) continue;
        std::set<std::string_view> known;
        for (const source::NamedBrackets& each :
             text.bracketsOf(token.text, '[', {0, line.size()})) {
            if (!known.insert(text.textOf(each.whole)).second) return text.copyOf(each.whole);
        }
    }
    return {};
}

std::string differenceText(const TriedDifference& explained, const LineDifference* said,
                           const ProgramSources& sources) {
    const LineDifference& difference = explained.difference;
    const std::string place = difference.file + ':' + std::to_string(difference.line) + ": " +
                              inWords(difference.kind) + " in " +
                              shortKernelName(explained.kernel) + " as compiled\n  ";
    if (isSaidAbove(difference, said))
        return place +
               difference.words.substr(0, difference.words.size() - whyOf(difference).size()) +
               ": as above\n";
    std::string text = place + difference.words + '\n';
    if (!difference.intervention.empty()) text += "  tried: " + difference.intervention + '\n';
    if (difference.cause == DifferenceCause::unexplained) {
        const std::string again =
            saidAgain(lineOf(textOf(sources, difference.file), difference.line));
        if (!again.empty() && difference.compiled < difference.predicted &&
            whyOf(difference).empty())
            text += "  not tried: `" + again +
                    "` stands there more than once, and compiled code may ask for it once\n";
        else if (!explained.ptx.empty())
            text += whyOf(difference).empty()
                        ? "  none of this is why; what the compiled code has there:\n"
                        : "  what the compiled code has there:\n";
    }
    constexpr std::size_t mostShown = 4;
    for (std::size_t at = 0; at < std::min(mostShown, explained.ptx.size()); ++at)
        text += "    " + explained.ptx[at] + '\n';
    if (explained.ptx.size() > mostShown)
        text +=
            "    and " + std::to_string(explained.ptx.size() - mostShown) + " more like these\n";
    return text;
}

/// `x.cu:12`
std::string lineName(const SourcePlace& place) {
    return place.file + ':' + std::to_string(place.line);
}

/// What it costs once it is compiled, where that is less.
std::string compiledText(const ExplainedLine& each) {
    const ProgramLine& now = each.compiled;
    if (each.from != 0)
        return "  as compiled: no request: what line " + std::to_string(each.from) +
               " loads is still in a register\n";
    if (now.requests == 0 || excessOf(now) >= excessOf(each.line)) return {};
    return "  as compiled: " + requestsOf(now) + costInWords(now) +
           (isCostly(now) ? "\n" : ": the compiler has put it right\n");
}

/// `said`: the reason that was told last.
std::string lineText(const ExplainedLine& each, std::string_view said) {
    const ProgramLine& line = each.line;
    std::string text = lineName(line.place) + ": " + inWords(line.kind) +
                       (line.array.empty() ? "" : " of " + line.array) + " in " +
                       shortKernelName(each.kernel) + ' ' + toLaunchSyntax(each.launch) +
                       launchesOf(each) + "\n    " + each.code + "\n  " + requestsOf(line) +
                       costInWords(line) + '\n';
    if (!each.how.empty()) text += "  of " + each.how + '\n';
    const std::string compiled = compiledText(each);
    text += compiled;
    if (!line.reason.empty() && !(line.isJoined && line.mostSameAddress > 1))
        text += "  why: " + (line.reason == said ? "as above" : line.reason) + '\n';
    // Where data say where one for all lanes is, nothing is left to tell.
    const bool isOne = line.address && line.address->isOfRequest &&
                       line.address->eachPass.empty() &&
                       line.address->thread == std::array<std::int64_t, 3>{};
    if (isOne)
        text += "  address: one for all lanes of a request, by no rule of the thread\n";
    else if (line.address)
        text += "  address in bytes" +
                (line.addresses > 1
                     ? " of " + (each.addressed.empty()
                                     ? "one of " + std::to_string(line.addresses) + " accesses"
                                     : each.addressed)
                     : "") +
                ": " + formulaText(*line.address) +
                (line.address->eachPass.empty() ? ""
                 : line.address->isOfRequest    ? ", in the first request"
                                                : ", in the first pass") +
                '\n';
    if (!each.lesson.empty() && (compiled.empty() || isCostly(each.compiled)))
        text += "  lesson: warplens lesson " + each.lesson + '\n';
    return text;
}

/// Lines of a kernel that do the same to an array, at the same cost and for the same reason.
struct LinesAlike final {
    const ExplainedLine* first;
    std::set<std::uint32_t> numbers{};
    std::uint64_t excess = 0;
};

/// Without what the line's own words are: "`a[i]`: ".
std::string_view reasonAlone(std::string_view reason) {
    const std::size_t quoted = reason.starts_with('`') ? reason.find("`: ", 1) : reason.npos;
    return quoted == reason.npos ? reason : reason.substr(quoted + 3);
}

bool isAlike(const ExplainedLine& a, const ExplainedLine& b) {
    return a.kernel == b.kernel && a.launch == b.launch && a.line.kind == b.line.kind &&
           a.line.array == b.line.array && a.line.place.file == b.line.place.file &&
           a.launches == b.launches &&
           static_cast<const LineCost&>(a.line) == static_cast<const LineCost&>(b.line) &&
           static_cast<const LineCost&>(a.compiled) == static_cast<const LineCost&>(b.compiled) &&
           reasonAlone(a.line.reason) == reasonAlone(b.line.reason);
}

std::string numbersText(const std::set<std::uint32_t>& numbers) {
    std::string text;
    for (const std::uint32_t number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

/// All lines, each where it is asked for; else alike ones together, and those that cost next to
/// nothing beside the others of their kind by their places alone.
std::string linesText(const std::vector<ExplainedLine>& lines, bool isEach) {
    constexpr std::size_t few = 4;
    constexpr std::uint64_t parts = 100;  // of which one is next to nothing
    std::map<CostMetric, std::uint64_t> whole;
    std::vector<LinesAlike> groups;
    for (const ExplainedLine& each : lines) {
        whole[metricOf(each.line)] += excessOf(each.line);
        auto known = std::ranges::find_if(groups, [&](const LinesAlike& group) {
            return !isEach && isAlike(*group.first, each);
        });
        if (known == groups.end()) known = groups.insert(known, {&each});
        known->numbers.insert(each.line.place.line);
        known->excess += excessOf(each.line);
    }
    std::string text;
    std::string_view said;
    std::map<std::string, std::set<std::uint32_t>> rest;
    for (LinesAlike& group : groups) {
        const ProgramLine& line = group.first->line;
        if (!isEach && !isLocal(line.kind) && !isAtomic(line.kind) && groups.size() > few &&
            parts * group.excess < whole[metricOf(line)]) {
            rest[line.place.file].merge(group.numbers);
            continue;
        }
        text += lineText(*group.first, said);
        said = line.reason;
        group.numbers.erase(line.place.line);
        if (!group.numbers.empty())
            text += "  and the same in " +
                    std::string(group.numbers.size() == 1 ? "line " : "lines ") +
                    numbersText(group.numbers) + '\n';
    }
    for (const auto& [file, numbers] : rest)
        text += counted(numbers.size(), "more line") + " of " + file +
                (numbers.size() == 1 ? "" : ", each") +
                " with less than 1 % of what is too much: " + numbersText(numbers) +
                "\n  why: warplens explain " + file + ":LINE\n";
    return text;
}

/// `, in place of 2`: of an earlier one that saves the same in one of its places. Each is tried on
/// the file as it is.
std::string inPlaceOf(const TriedRemedy& tried, std::span<const TriedRemedy> before) {
    std::string numbers;
    for (std::size_t at = 0; at < before.size() && !tried.diff.empty(); ++at) {
        const TriedRemedy& other = before[at];
        const auto isSameLine = [](const SourcePlace& a, const SourcePlace& b) {
            return a.line == b.line && a.file == b.file;
        };
        // Each of a fault's is for what those before it leave.
        if (tried.unit == "findings") continue;
        const bool isForSame = withUnitFirst(other, tried.unit).unit == tried.unit &&
                               std::ranges::find_first_of(other.places, tried.places, isSameLine) !=
                                   other.places.end();
        if (!other.diff.empty() && isForSame)
            numbers += (numbers.empty() ? ", in place of " : ", ") + std::to_string(at + 1);
    }
    return numbers;
}

}  // namespace

std::string remedyText(const TriedRemedy& tried, std::span<const TriedRemedy> before) {
    const std::size_t number = before.size() + 1;
    std::string text = "remedy " + std::to_string(number) + " for";
    std::string places;
    for (const SourcePlace& place : tried.places) {
        const std::string at = ' ' + (place.line == 0 ? "the program" : lineName(place));
        if (places.find(at + ',') == std::string::npos) places += at + ',';
    }
    text += places + ' ' + tried.rule;
    for (const std::string& rule : tried.alsoRules) text += ", " + rule;
    text += inPlaceOf(tried, before) + ":\n  " + wordsOf(tried) + '\n';
    text += "  " + gainInWords(tried) + '\n';
    for (const std::string_view line : splitLines(tried.diff))
        text += line.empty() ? "" : "    " + std::string(line) + '\n';
    if (const std::string lesson(lessonOf(tried)); !lesson.empty())
        text += "  lesson: warplens lesson " + lesson + '\n';
    return text;
}

std::string withoutRemedyText(const ProgramTrace& trace, const AskedLines& lines,
                              std::span<const TriedRemedy> remedies) {
    std::map<std::pair<std::string, std::uint32_t>, std::set<std::string>> open;
    const auto add = [&](const SourcePlace& place, const std::string& rule, std::string_view unit,
                         const std::string& array = {}) {
        bool hasOther = false;  // of another array
        const bool hasOne = std::ranges::any_of(remedies, [&](const TriedRemedy& each) {
            const bool isOfIt = !each.diff.empty() || each.arrays.empty() || array.empty() ||
                                std::ranges::find(each.arrays, array) != each.arrays.end();
            const bool isThere = (each.rule == rule || withUnitFirst(each, unit).unit == unit) &&
                                 std::ranges::any_of(each.places, [&](const SourcePlace& other) {
                                     return other.line == place.line && other.file == place.file;
                                 });
            hasOther |= isThere;
            return isThere && isOfIt;
        });
        if (place.line != 0 && isAsked(lines, place.file, place.line) && !hasOne)
            open[{place.file, place.line}].insert(rule + (hasOther ? " of " + array : ""));
    };
    for (const Finding& finding : trace.findings) {
        if (finding.kind != FindingKind::notSupported && finding.kind != FindingKind::mayBeWhy)
            add(finding.place, ruleOf(finding.kind).id, "findings");
    }
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            const bool isMuch =
                !lines.empty() || 100 * excessOf(line) >= costOf(trace, metricOf(line));
            // Which lanes meet in a bank is the data's to say, and was said.
            const bool isOfData = isShared(line.kind) && line.decidedBy == CostDecider::data;
            if (isOfRules(line) && isMuch && !isOfData && breaksCostRule(line, launch))
                add(line.place, costRule(line.kind).id, toString(metricOf(line)), line.array);
        }
    }
    std::string text;
    for (const auto& [place, rules] : open)
        text += place.first + ':' + std::to_string(place.second) + ": no edit was found against " +
                joined(rules, ", ", [](const std::string& rule) { return rule; }) +
                ", and no advice is known\n";
    return text;
}

std::string findingsText(const Explanation& explanation, bool isOneLine) {
    std::string text;
    for (const Finding& finding : explanation.findings)
        text += (finding.place.line == 0 ? "" : lineName(finding.place) + ": ") + finding.words +
                " [" + ruleOf(finding.kind).id + "]\n";
    for (const std::string& words : explanation.idleLanes) text += words + '\n';
    return text + linesText(explanation.lines, isOneLine);
}

std::string differencesText(const Explanation& explanation, const ProgramSources& sources) {
    std::string text;
    const LineDifference* before = nullptr;
    const LineDifference* said = nullptr;
    std::set<std::tuple<std::string, std::uint32_t, AccessKind, std::string>> known;
    for (const TriedDifference& each : explanation.differences) {
        const LineDifference& now = each.difference;
        // Sectors differ as requests do; whose cause was found is told.
        const auto isSameWithCause = [&](const TriedDifference& one) {
            const LineDifference& other = one.difference;
            return other.file == now.file && other.line == now.line && other.kind == now.kind &&
                   other.cause != DifferenceCause::unexplained;
        };
        const bool isTold =
            (now.cause == DifferenceCause::unexplained &&
             std::ranges::any_of(explanation.differences, isSameWithCause)) ||
            (before != nullptr && before->line == now.line && before->kind == now.kind &&
             before->cause == now.cause) ||
            !known.emplace(now.file, now.line, now.kind, now.words).second;  // of another instance
        before = &now;
        if (isTold) continue;
        text += differenceText(each, said, sources);
        said = &now;
    }
    return text;
}

}  // namespace warplens
