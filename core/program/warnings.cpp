#include "core/program/warnings.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/json/archive.h"
#include "core/measurement/measurement.h"
#include "core/program/reasons.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

struct FindingText final {
    std::string_view about;
    std::string_view lesson;
};
/// In the order of FindingKind.
constexpr std::array<FindingText, namesOf(FindingKind{}).size()> ofFindings{{
    {"An index beyond the array.", "picture-76x62"},
    {"An access to memory that is freed.", ""},
    {"An address of the host's used in a kernel, or by a copy as one of the device.", ""},
    {"An address of the device's used by the host.", ""},
    {"An address of nothing.", ""},
    {"A vector access at an address that is no multiple of its size.", ""},
    {"A barrier or warp intrinsic that not all threads reach that it waits for.", "reduce-shuffle"},
    {"Two threads at one word of shared memory with no barrier between.", "matmul-tiled"},
    {"Two blocks at one word of global memory, one of which writes.", "histogram-global"},
    {"Two threads of a block at one word of global memory with no barrier between.",
     "histogram-global"},
    {"Shared memory that is read before a thread of the block has written it.", "stencil-halo"},
    {"Memory that is read before anybody has written it.", ""},
    {"Elements of an array that no thread reads or writes.", "matmul-1000"},
    {"A whole number divided by zero.", ""},
    {"A loop that does not end.", ""},
    {"More local memory than a thread has.", "memory-spaces"},
    {"An assertion of a kernel that does not hold.", ""},
    {"Memory of the device that is not freed when the program ends.", ""},
    {"A launch beyond what a device can do.", "warp-grouping"},
    {"What cannot be run here: an instruction or a library that is not modelled.", ""},
    {"The program's own code on the host ended it.", ""},
    {"Memory that the host uses before it has waited for a kernel or a copy.", ""},
}};

constexpr std::size_t rulesOfCosts = 8;

std::vector<WarningRule> everyRule() {
    std::vector<WarningRule> all{
        {"uncoalesced-load", "A load takes at least twice the sectors that would do.",
         "access-stride"},
        {"uncoalesced-store", "A store takes at least twice the sectors that would do.",
         "access-stride"},
        {"bank-conflict",
         "An access to shared memory takes at least twice the wavefronts that would do.",
         "shared-banks"},
        {"divergent-branch",
         "At least half of the warps that come to a branch diverge, also once it is compiled; "
         "guards and the first lane aside.",
         "branch-odd-even"},
        {"atomic-contention", "At least 16 lanes of a warp meet at one address with an atomic.",
         "histogram-aggregated"},
        {"budget", "More than a budget in a comment allows.", "", true},
        {"unreadable-comment", "A comment that begins with `warplens:` and cannot be read.", "",
         true},
        {"failed-program", "The program cannot be compiled, or ends with an error.", "", true},
    };
    for (std::size_t at = 0; at < ofFindings.size(); ++at) {
        std::string id(namesOf(FindingKind{}).at(at));
        std::ranges::replace(id, '_', '-');
        all.push_back({std::move(id), ofFindings.at(at).about, ofFindings.at(at).lesson, true});
    }
    return all;
}

const std::vector<WarningRule>& allRules() {
    static const std::vector<WarningRule> rules = everyRule();
    return rules;
}

std::string wordsOf(const ProgramLine& line) {
    const std::string subject = line.array.empty() ? std::string() : line.array + ": ";
    return subject + costInWords(line) + (line.reason.empty() ? "" : "; " + line.reason);
}

using Quotient = double (*)(const ProgramLine&);
struct BudgetMetric final {
    std::string_view name;
    Quotient of;
};
double perRequest(std::uint64_t count, const ProgramLine& line) {
    return line.requests == 0 ? 0 : static_cast<double>(count) / static_cast<double>(line.requests);
}
constexpr std::array<BudgetMetric, 6> budgetMetrics{{
    {"sectors_per_request", [](const ProgramLine& l) { return perRequest(l.sectors, l); }},
    {"wavefronts_per_request", [](const ProgramLine& l) { return perRequest(l.wavefronts, l); }},
    {"requests", [](const ProgramLine& l) { return static_cast<double>(l.requests); }},
    {"sectors", [](const ProgramLine& l) { return static_cast<double>(l.sectors); }},
    {"wavefronts", [](const ProgramLine& l) { return static_cast<double>(l.wavefronts); }},
    {"divergent", [](const ProgramLine& l) { return static_cast<double>(l.divergent); }},
}};

/// Keeps each once, in order.
void addOnce(std::vector<ProgramWarning>& to, ProgramWarning warning) {
    const auto isSame = [&](const ProgramWarning& other) {
        return std::tie(other.rule, other.place.file, other.place.line, other.array,
                        other.kernel) == std::tie(warning.rule, warning.place.file,
                                                  warning.place.line, warning.array,
                                                  warning.kernel);
    };
    if (std::ranges::none_of(to, isSame)) to.push_back(std::move(warning));
}

}  // namespace

std::span<const WarningRule> warningRules() {
    return allRules();
}

const WarningRule* findRule(std::string_view id) {
    const auto found = std::ranges::find(allRules(), id, &WarningRule::id);
    return found == allRules().end() ? nullptr : &*found;
}

const WarningRule& costRule(AccessKind kind) {
    // In the order of AccessKind.
    constexpr std::array<std::size_t, 7> rows{0, 1, 4, 2, 2, 4, 3};
    return allRules().at(rows.at(static_cast<std::size_t>(kind)));
}

const WarningRule& ruleOf(FindingKind kind) {
    return allRules().at(rulesOfCosts + static_cast<std::size_t>(kind));
}

bool breaksCostRule(const ProgramLine& line, const LaunchReport& launch) {
    constexpr std::uint32_t crowded = 16;
    if (isAtomic(line.kind)) return line.mostSameAddress >= crowded;
    const bool isGuard = line.lanes && line.lanes->first && *line.lanes->first < 2;
    if (line.kind == AccessKind::branch)
        return !isGuard && line.divergent > 1 && 2 * line.divergent >= line.requests &&
               (!hasCompiled(launch) ||
                std::ranges::any_of(launch.lines, [&](const ProgramLine& other) {
                    return other.source == Source::compiled && other.kind == line.kind &&
                           other.place.line == line.place.line && other.divergent != 0;
                }));
    return isCostly(line);
}

void describe(Archive& v, ProgramWarning& warning) {
    v("rule", warning.rule, "Which rule it breaks.");
    v("file", warning.place.file, "The file, as it was named or included.");
    v("line", warning.place.line, "Of it, from 1; 0 where none is known.");
    v("column", warning.place.column, "From 1; 0 where none is known.");
    v("kernel", warning.kernel, "In which kernel; empty on the host.");
    v("array", warning.array, "What is accessed; empty where nothing is.");
    v("words", warning.words, "What it comes to, and why.");
}

WarningComments::WarningComments(const ProgramSources& sources) {
    constexpr std::string_view mark = "warplens:";
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) {
            std::uint32_t number = 0;
            for (const std::string_view line : splitLines(file.text)) {
                ++number;
                const std::size_t comment = line.find("//");
                if (comment == line.npos) continue;
                const std::string_view text = trimmed(line.substr(comment + 2));
                if (!text.starts_with(mark)) continue;
                const bool isAlone = trimmed(line.substr(0, comment)).empty();
                read(file.path, number, number + (isAlone ? 1 : 0),
                     trimmed(text.substr(mark.size())));
            }
        }
    }
}

void WarningComments::read(const std::string& file, std::uint32_t line, std::uint32_t at,
                           std::string_view text) {
    const auto refuse = [&](const std::string& words) {
        faults_.push_back({"unreadable-comment", {file, line, 1}, "", "", words});
    };
    constexpr std::string_view allow = "allow(";
    if (text.starts_with(allow)) {
        const std::size_t end = text.find(')');
        if (end == text.npos) return refuse("allow( is not closed");
        if (trimmed(text.substr(end + 1)).empty())
            return refuse("allow(...) needs a reason behind it");
        std::string_view rest = text.substr(allow.size(), end - allow.size());
        while (!rest.empty()) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            const std::string rule(trimmed(rest.substr(0, comma)));
            if (findRule(rule) == nullptr) return refuse("there is no rule '" + rule + "'");
            allowed_[{file, at}].push_back(rule);
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
        return;
    }
    const std::size_t sign = text.find("<=");
    const std::string metric(trimmed(text.substr(0, std::min(sign, text.size()))));
    if (sign == text.npos)
        return refuse("must be allow(RULE) REASON or METRIC <= NUMBER, not '" + std::string(text) +
                      "'");
    if (std::ranges::find(budgetMetrics, metric, &BudgetMetric::name) == budgetMetrics.end()) {
        std::string names;
        for (const BudgetMetric& each : budgetMetrics)
            names += (names.empty() ? "" : ", ") + std::string(each.name);
        return refuse("'" + metric + "' is none of " + names);
    }
    const std::string_view number = trimmed(text.substr(sign + 2));
    const std::optional<NumberRead> most = readNumber(number);
    if (!most || !most->rest.empty())
        return refuse("'" + std::string(number) + "' is not a number");
    budgets_[{file, at}].push_back({metric, most->value});
}

bool WarningComments::allows(const std::string& rule, const SourcePlace& place) const {
    const auto found = allowed_.find({place.file, place.line});
    return found != allowed_.end() && std::ranges::find(found->second, rule) != found->second.end();
}

std::vector<ProgramWarning> WarningComments::broken(const ProgramTrace& trace) const {
    std::vector<ProgramWarning> all;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            const auto budgets = budgets_.find({line.place.file, line.place.line});
            if (budgets == budgets_.end() || line.source != Source::predicted) continue;
            for (const Budget& budget : budgets->second) {
                const double value =
                    std::ranges::find(budgetMetrics, budget.metric, &BudgetMetric::name)->of(line);
                if (value <= budget.most) continue;
                addOnce(all, {"budget", line.place, launch.kernel, line.array,
                              (line.array.empty() ? "" : line.array + ": ") + plainNumber(value) +
                                  ' ' + budget.metric + ", and its comment allows " +
                                  plainNumber(budget.most)});
            }
        }
    }
    return all;
}

std::vector<ProgramWarning> warningsOf(const ProgramTrace& trace, const ProgramSources& sources) {
    const WarningComments comments(sources);
    std::vector<ProgramWarning> all = comments.faults();
    for (const Finding& finding : trace.findings) {
        addOnce(all, {ruleOf(finding.kind).id, finding.place, finding.kernel, "", finding.words});
    }
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.source != Source::predicted || line.place.line == 0) continue;
            if (!breaksCostRule(line, launch)) continue;
            addOnce(all,
                    {costRule(line.kind).id, line.place, launch.kernel, line.array, wordsOf(line)});
        }
    }
    for (ProgramWarning& warning : comments.broken(trace)) all.push_back(std::move(warning));
    const ProgramExit& exit = trace.exit;
    if (!exit.stopped.empty() || !exit.signal.empty() || exit.status.value_or(0) != 0) {
        const std::string how = !exit.stopped.empty()  ? "was ended: " + exit.stopped
                                : !exit.signal.empty() ? "was ended by " + exit.signal
                                                       : "returned " + std::to_string(*exit.status);
        std::string_view said = trimmed(exit.output);
        said.remove_prefix(said.rfind('\n') + 1);
        all.push_back(
            {"failed-program",
             {trace.program, 0, 0},
             "",
             "",
             "the program " + how + (said.empty() ? "" : "; its last line: ") + asUtf8(said, 200)});
    }
    // A file of the system's is nobody's to mend.
    const auto isOwn = [&](const ProgramWarning& warning) {
        return warning.place.file.empty() || warning.place.line == 0 ||
               !lineOf(textOf(sources, warning.place.file), warning.place.line).empty();
    };
    std::erase_if(all, [&](const ProgramWarning& warning) {
        return !isOwn(warning) || comments.allows(warning.rule, warning.place);
    });
    std::ranges::stable_sort(all, {}, [](const ProgramWarning& warning) {
        return std::tie(warning.place.file, warning.place.line, warning.place.column, warning.rule);
    });
    return all;
}

std::string fingerprintOf(const ProgramWarning& warning, const ProgramSources& sources) {
    std::string all = warning.rule;
    for (const std::string& part :
         {warning.place.file.substr(warning.place.file.rfind('/') + 1), warning.kernel,
          warning.array,
          std::string(trimmed(lineOf(textOf(sources, warning.place.file), warning.place.line)))})
        all += '\0' + part;
    return digestOf(all);
}

}  // namespace warplens
