#include "core/program/warnings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "core/json/archive.h"
#include "core/measurement/measurement.h"
#include "core/program/cuda_tokens.h"
#include "core/program/line_costs.h"
#include "core/program/local_reasons.h"
#include "core/program/reasons.h"
#include "core/program/remedies.h"
#include "core/program/source_edit.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "core/text/lines.h"
#include "core/text/names.h"

namespace warplens {
namespace {

/// Identifier, what breaks it, lesson, and what it is where it is no error: of costs, which are
/// warnings, where the program is wrong, then of each FindingKind. What no thread reaches may be
/// room to spare, lanes may run together, and the driver frees what is left: warnings.
constexpr std::size_t rulesOfCosts = 8;
constexpr std::size_t rulesOfPrograms = 5;
constexpr std::string_view ruleTable =
    R"(uncoalesced-load | A load takes twice the sectors that would do or more; from 1.9 times, as the ends of an array keep it a little below. | access-stride
uncoalesced-store | A store takes twice the sectors that would do or more; from 1.9 times, as the ends of an array keep it a little below. | access-stride
bank-conflict | An access to shared memory takes at least 1.5 times the wavefronts that would do. | shared-banks
divergent-branch | At least half of the warps that come to a branch diverge, also once it is compiled; those aside that only keep threads out: guards, a store or an atomic or two where data decide, and what one lane of a warp, the first ones, or the first of each 8 or more do alone, and those within what a library does. | branch-odd-even
atomic-contention | At least 16 lanes of a warp meet at one address with an atomic, or in global memory 2 and more on average, and the assembler does not let one of them do it for all. | histogram-aggregated
constant-divergence | The lanes of a warp ask constant memory for two different addresses or more on average: they come one after the other. | constant-memory
local-memory | Arrays of a thread for which the compiler takes local memory in place of registers, at a tenth of the sectors of the launch's global memory or more. | memory-spaces
more-than-baseline | A kernel's accesses to an array take over 5 % more than in the baseline for as many threads, or are over 5 % further from what would do. |
budget | More than a budget in a comment allows. |
unreadable-comment | A comment that begins with `warplens:` and cannot be read. |
failed-program | The program cannot be compiled, or ends with an error. |
nothing-launched | The program launched no kernel, so that nothing was looked at: it may want arguments, or have ended early. | | warning
unused-allowance | A comment allows a rule at a line that was run and does not break it. | | note
out-of-bounds | An index beyond the array. | picture-76x62
use-after-free | An access to memory that is freed. |
host-pointer | An address of the host's used in a kernel, or by a copy as one of the device. |
device-pointer | An address of the device's used by the host. |
wild-pointer | An address of nothing. |
misaligned | A vector access at an address that is no multiple of its size. |
barrier-mismatch | A barrier or warp intrinsic that not all threads reach that it waits for. | barriers
shared-race | Two threads at one word of shared memory with no barrier between. | barriers
block-race | Two blocks at one word of global memory, one of which writes. | histogram-global
global-race | Two threads of a block at one word of global memory with no barrier between. | histogram-global
uninitialised-shared | Shared memory that is read before a thread of the block has written it. | barriers
unwritten-memory | Memory that is read before anybody has written it. |
not-reached | Elements of an array that the host copies and no thread reads or writes, or an index below an argument, as `i < n`, that no thread of the grid has: by less than a block, or as blocks begin further apart, or nearer, than they have threads. | matmul-1000 | warning
division-by-zero | A whole number divided by zero. |
endless-loop | A loop that does not end. |
stack-overflow | More local memory than a thread has. | memory-spaces
failed-assertion | An assertion of a kernel that does not hold. |
never-freed | Memory of the device that is not freed when the program ends: the driver frees it then. | | warning
launch-refused | A launch beyond what a device can do. |
not-supported | What cannot be run here: an instruction or a library that is not modelled. |
crash | The program's own code on the host ended it. |
unsynchronised-read | Memory that the host uses before it has waited for a kernel or a copy. |
warp-order | Lanes of a warp read in shared memory what others of it wrote, with volatile between and no barrier: since Volta they need not run together. | barriers | warning
meeting-by-data | A line reads, changes and writes an element whose index is read from memory, without an atomic: no two threads meet at one with this run's data, and others may. | histogram-global | note
repeated-work | Blocks, or the threads of a block, do the same along an axis of their launch: the kernel stores, and never reads the index that tells them apart. | picture-76x62 | warning
one-thread-works | Fewer than one thread in 32 of a launch makes nine of ten accesses to memory and more, in a loop that a condition such as threadIdx.x == 0 keeps all others from. | latency-hiding | warning
may-be-why | Of a program that ends with a status other than 0, with nothing found that is wrong: shared memory that is stored to and not read after that, elements that no thread reads or writes, a variable that is changed before it has a value, an array of each thread's own that is indexed by threads, a shared one of which each takes its own element back, a copy to the host that leaves out what kernels stored. | | warning
launch-race | Two launches, in streams of which neither waits for the other, at one element that one of them writes. |)";

/// `a: `
std::string subjectOf(const ProgramLine& line) {
    return line.array.empty() ? std::string() : line.array + ": ";
}
std::string wordsOf(const ProgramLine& line) {
    return subjectOf(line) + costInWords(line) + (line.reason.empty() ? "" : "; " + line.reason);
}

using Quotient = double (*)(const ProgramLine&);
struct BudgetMetric final {
    std::string_view name;
    Quotient of;
};
double perRequest(std::uint64_t count, const ProgramLine& line) {
    return line.requests == 0 ? 0 : static_cast<double>(count) / static_cast<double>(line.requests);
}
/// `15,000`, `8.45`
std::string grouped(double value) {
    constexpr double whole = 1e15;
    return value >= 0 && value < whole && value == std::floor(value)
               ? groupedDigits(static_cast<std::uint64_t>(value))
               : plainNumber(value);
}
/// `8.45` of 8.44961: rounded up, so that it is above what is allowed.
std::string hundredths(double value) {
    return grouped(std::ceil(100 * value - 1e-6) / 100);
}
constexpr std::string_view localBudget = "local_sectors";
constexpr std::array<BudgetMetric, 7> budgetMetrics{{
    {"sectors_per_request", [](const ProgramLine& l) { return perRequest(l.sectors, l); }},
    {"wavefronts_per_request", [](const ProgramLine& l) { return perRequest(l.wavefronts, l); }},
    {"requests", [](const ProgramLine& l) { return static_cast<double>(l.requests); }},
    {"sectors", [](const ProgramLine& l) { return static_cast<double>(l.sectors); }},
    {"wavefronts", [](const ProgramLine& l) { return static_cast<double>(l.wavefronts); }},
    {"divergent", [](const ProgramLine& l) { return static_cast<double>(l.divergent); }},
    {localBudget, [](const ProgramLine& l) { return static_cast<double>(l.sectors); }},
}};

/// Keeps each once, in order.
void addOnce(std::vector<ProgramWarning>& to, ProgramWarning warning) {
    const auto key = [](const ProgramWarning& w) {
        return std::tie(w.rule, w.place.file, w.place.line, w.array, w.kernel);
    };
    const auto known = std::ranges::find(to, key(warning), key);
    if (known == to.end())
        to.push_back(std::move(warning));
    else if (warning.cost && warning.rule == "budget")
        known->cost = std::max(*known->cost, *warning.cost);
    else if (warning.cost) {
        *known->cost += *warning.cost;
        known->best += warning.best;
    }
}

}  // namespace

std::span<const WarningRule> warningRules() {
    static const std::vector<WarningRule> rules = [] {
        std::vector<WarningRule> all;
        for (const std::string_view line : splitLines(ruleTable)) {
            const auto row = cellsOf(line, '|');
            all.push_back({std::string(row.at(0)), row.at(1), row.at(2),
                           all.size() >= rulesOfCosts && row.size() < 4, row.back() == "note"});
        }
        return all;
    }();
    return rules;
}

const WarningRule* findRule(std::string_view id) {
    const auto found = std::ranges::find(warningRules(), id, &WarningRule::id);
    return found == warningRules().end() ? nullptr : &*found;
}

const WarningRule& costRule(AccessKind kind) {
    // In the order of AccessKind.
    constexpr std::array<std::size_t, 10> rows{0, 1, 4, 2, 2, 4, 3, 5, 6, 6};
    return warningRules()[rows.at(static_cast<std::size_t>(kind))];
}

const WarningRule& ruleOf(FindingKind kind) {
    return warningRules()[rulesOfCosts + rulesOfPrograms + static_cast<std::size_t>(kind)];
}

std::string kindInWords(FindingKind kind) {
    switch (kind) {
        case FindingKind::sharedRace:
            return "race in shared memory";
        case FindingKind::globalRace:
            return "race in global memory";
        case FindingKind::blockRace:
            return "race between blocks";
        case FindingKind::hostPointer:
            return "host memory in a kernel";
        case FindingKind::devicePointer:
            return "device memory on the host";
        default:
            break;
    }
    std::string words(toString(kind));
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::vector<Finding> faultsOf(const ProgramTrace& trace, const LaunchReport& launch) {
    std::vector<Finding> faults;
    std::ranges::copy_if(trace.findings, std::back_inserter(faults), [&](const Finding& finding) {
        const bool isWrong = ruleOf(finding.kind).isError ||
                             finding.kind == FindingKind::notReached ||
                             finding.kind == FindingKind::repeatedWork;
        return isWrong && (!finding.launch || *finding.launch == launch.index);
    });
    return faults;
}

bool isOfRules(const ProgramLine& line) {
    return line.source == (isLocal(line.kind) ? Source::compiled : Source::predicted);
}

namespace {
/// Also where compiled code is all that is told.
bool isOfRules(const ProgramLine& line, const LaunchReport& launch) {
    return isOfRules(line) || (line.source == Source::compiled &&
                               std::ranges::find(launch.lines, Source::predicted,
                                                 &ProgramLine::source) == launch.lines.end());
}
/// `local memory`, which has no name of its own.
std::string arrayOf(const ProgramLine& line) {
    return isLocal(line.kind) ? "local memory" : line.array;
}

/// Half of the times and more, and still once it is compiled.
bool divergesMostly(const ProgramLine& line, const LaunchReport& launch) {
    return 2 * line.divergent >= line.requests &&
           (!hasCompiled(launch) ||
            std::ranges::any_of(launch.lines, [&](const ProgramLine& other) {
                return other.source == Source::compiled && other.kind == line.kind &&
                       other.place.line == line.place.line && other.place.file == line.place.file &&
                       other.divergent != 0;
            }));
}

}  // namespace

ProgramLine asCompiled(const ProgramLine& line, const LaunchReport& launch) {
    ProgramLine compiled;
    for (const ProgramLine& other : launch.lines) {
        if (other.source == Source::compiled && other.kind == line.kind &&
            other.array == line.array && other.place.line == line.place.line &&
            other.place.file == line.place.file)
            compiled.add(other);
    }
    compiled.kind = line.kind;
    return compiled;
}

bool breaksCostRule(const ProgramLine& line, const LaunchReport& launch) {
    constexpr std::uint32_t crowded = 16;
    constexpr std::uint64_t crowdedOften = 2;  // twice what would do, as of loads and stores
    if (isAtomic(line.kind))
        return !line.isJoined && (line.mostSameAddress >= crowded ||
                                  (isGlobal(line.kind) && line.mostSameAddress > 1 &&
                                   line.sameAddress >= crowdedOften * line.requests));
    if (line.kind == AccessKind::branch)
        return !line.isGuard && line.decidedBy == CostDecider::code && line.divergent > 1 &&
               divergesMostly(line, launch);
    if (!isCostly(line)) return false;
    if (line.decidedBy == CostDecider::printf) return false;
    // Lanes whose vectors lie side by side take as many turns at each word as a vector has words,
    // and none too many at the vectors.
    const std::int64_t apart = line.address ? line.address->thread[0] : line.mostlyApart;
    const std::int64_t vector =
        line.atOnce * (line.address ? line.address->elementBytes : bytesPerBankWord);
    if (isShared(line.kind) && line.atOnce != 0 && std::abs(apart) == vector &&
        line.wavefronts <= line.atOnce * line.requests)
        return false;
    if (isLocal(line.kind)) return 10 * line.sectors >= costsOf(launch).global.sectors;
    ProgramLine compiled = asCompiled(line, launch);
    if (compiled.requests == 0) {  // the compiler may have laid it to another line
        for (const ProgramLine& other : launch.lines) {
            if (other.source == Source::compiled && other.kind == line.kind &&
                other.array == line.array)
                compiled.add(other);
        }
    }
    return compiled.requests == 0 || isCostly(compiled);
}

const ProgramLine* costsALittle(const LaunchReport& launch) {
    const auto isMore = [](const ProgramLine& line) {
        return 10 * unitsOf(line.kind, line) >= 11 * idealOf(line.kind, line) &&
               wasteOf(line.kind, line) != 0;
    };
    const ProgramLine* most = nullptr;
    for (const ProgramLine& line : launch.lines) {
        if (!isOfRules(line) || line.place.line == 0) continue;
        if (breaksCostRule(line, launch)) return nullptr;
        const ProgramLine compiled = asCompiled(line, launch);
        if (line.kind == AccessKind::branch || isAtomic(line.kind) || isLocal(line.kind) ||
            line.decidedBy != CostDecider::code || line.hasNoFormula || !isMore(line) ||
            (compiled.requests != 0 && !isMore(compiled)))
            continue;
        if (most == nullptr || wasteOf(line.kind, line) > wasteOf(most->kind, *most)) most = &line;
    }
    return most;
}

void describe(Archive& v, ProgramWarning& warning) {
    v("program", warning.program, "The program that was run.");
    v("rule", warning.rule, "Which rule it breaks.");
    v("file", warning.place.file, "The file, as it was named or included.");
    v("line", warning.place.line, "Of it, from 1; 0 where none is known.");
    v("column", warning.place.column, "From 1; 0 where none is known.");
    v("kernel", warning.kernel, "In which kernel; empty on the host.");
    v("array", warning.array, "What is accessed; empty where nothing is.");
    v("words", warning.words, "What it comes to, and why.");
    v("fingerprint", warning.fingerprint,
      "The same for the same warning after lines were added or removed elsewhere.");
    v("cost", warning.cost,
      "Of a line that costs too much, in all launches: its sectors, wavefronts, turns of "
      "constant memory or divergent warps, or lanes of its atomics at one address; of a budget "
      "that is exceeded what it is of, rounded up.");
    v.optional("best", warning.best,
               "Of a line that costs too much: as many as would do, of branches and atomics their "
               "requests.");
    v("baseline_cost", warning.costBefore,
      "Of one that the baseline has for less: what it cost then.");
}

void describe(Archive& v, ArrayTotal& total) {
    v("program", total.program, "The program that was run.");
    v("rule", total.rule, "The rule that they are under.");
    v("kernel", total.kernel, "In which kernel.");
    v("array", total.array, "What is accessed.");
    v("cost", total.cost,
      "Of all launches: sectors, wavefronts of shared memory, turns of constant memory, or of "
      "atomics the lanes that come one after another.");
    v("best", total.best, "As many as would do; of atomics their requests.");
    v.added("threads", total.threads, "Of all launches of the kernel.");
}

namespace {

/// What a comment says of a line: a rule that it allows, or the most of a metric.
struct Comment final {
    std::string file;
    std::uint32_t line = 0;
    std::string subject;
    std::optional<double> most{};  ///< of a metric
    std::string kernel{};          ///< of whose whole launch; empty: of the line
    bool isAbove = false;          ///< that kernel's head, and names none
};

/// The kernel in whose head a line stands, before a body of several lines; empty: in none.
std::string kernelBegunAt(const ProgramFile& file, std::uint32_t line) {
    const source::SourceEdit text(file.text);
    const source::TextSpan row = text.line(line);
    for (const source::KernelSource& kernel : source::kernelsIn(text.masked())) {
        if (kernel.bodyBegin <= row.begin) continue;
        const std::string_view head = text.textOf({row.begin, kernel.bodyBegin});
        const bool isHead = head.find("__global__") != head.npos &&
                            head.find_first_of(";}") == head.npos && kernel.bodyEnd > row.end;
        return isHead ? kernel.name : std::string();
    }
    return {};
}

/// Whether a line may access memory or branch on the device: of what was not run nothing else is
/// known.
bool mayAccess(const ProgramSources& sources, const std::string& file, std::uint32_t line) {
    const source::SourceEdit text(textOf(sources, file));
    const source::TextSpan row = text.line(line);
    const std::size_t at = source::skipBlanks(text.masked(), row.begin);
    const std::string_view code = text.textOf(row);
    return std::ranges::any_of(text.statementsAround(at),
                               [&](const source::Statement& each) {
                                   const std::string_view head =
                                       text.textOf({each.whole.begin,
                                                    std::max(each.inside.begin, each.whole.begin)});
                                   return head.find("__global__") != head.npos ||
                                          head.find("__device__") != head.npos;
                               }) &&
           code.find_first_of("[*(>?") != code.npos;
}

/// Of what stands behind `warplens:` in a line that is about another, or 0: about none. Returns why
/// it cannot be read; empty where it can.
std::string readComment(std::string_view text, const SourcePlace& own, std::uint32_t about,
                        std::vector<Comment>& to) {
    constexpr std::string_view allow = "allow(";
    const std::string nothing = "no line of code stands behind it that it could be about";
    if (text.starts_with(allow)) {
        const std::size_t end = text.find(')');
        if (end == text.npos) return "allow( is not closed";
        if (trimmed(text.substr(end + 1)).empty()) return "allow(...) needs a reason behind it";
        for (const std::string_view rule :
             cellsOf(text.substr(allow.size(), end - allow.size()), ',')) {
            if (findRule(rule) == nullptr) {
                std::vector<std::string_view> ids;
                for (const WarningRule& each : warningRules()) ids.push_back(each.id);
                return "there is no rule '" + std::string(rule) + "'" + didYouMean(rule, ids);
            }
            to.push_back({own.file, about, std::string(rule)});
        }
        return about == 0 ? nothing : std::string();
    }
    constexpr std::string_view whole = "kernel(";
    std::string kernel;
    if (text.starts_with(whole)) {
        const std::size_t end = text.find(')');
        if (end == text.npos) return "kernel( is not closed";
        kernel = trimmed(text.substr(whole.size(), end - whole.size()));
        text = trimmed(text.substr(end + 1));
    }
    const std::size_t sign = text.find("<=");
    const std::string metric(trimmed(text.substr(0, std::min(sign, text.size()))));
    if (sign == text.npos)
        return "must be allow(RULE) REASON or METRIC <= NUMBER, not '" + std::string(text) + "'";
    // Also as lessons call them.
    const auto budget = std::ranges::find_if(budgetMetrics, [&](const BudgetMetric& each) {
        return metric == each.name || metric == "shared_" + std::string(each.name) ||
               metric == std::string(each.name) + "_branches";
    });
    if (budget == budgetMetrics.end()) {
        std::vector<std::string_view> names;
        for (const BudgetMetric& each : budgetMetrics) names.push_back(each.name);
        const std::string meant = didYouMean(metric, names);
        return "'" + metric + "' is none of the numbers that a budget may be of" +
               (meant.empty()
                    ? ": " + joined(names, ", ",
                                    [](std::string_view each) { return std::string(each); })
                    : meant);
    }
    const std::string_view number = trimmed(text.substr(sign + 2));
    const std::optional<NumberRead> most = readNumber(number);
    if (!most || !most->rest.empty()) return "'" + std::string(number) + "' is not a number";
    if (kernel.empty() && about == 0) return nothing;
    to.push_back({own.file, kernel.empty() ? about : own.line, std::string(budget->name),
                  most->value, std::move(kernel)});
    return {};
}

/// All of the sources; what cannot be read is added to the warnings.
std::vector<Comment> commentsIn(const ProgramSources& sources, std::vector<ProgramWarning>& to) {
    constexpr std::string_view mark = "warplens:";
    std::vector<Comment> comments;
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) {
            const std::vector<std::string_view> lines = splitLines(file.text);
            // The first line of code from one on, counted from 1; 0: none.
            const auto codeFrom = [&](std::uint32_t number) {
                for (; number <= lines.size(); ++number) {
                    const std::string_view text = trimmed(lines[number - 1]);
                    if (!text.empty() && !text.starts_with("//")) return number;
                }
                return 0U;
            };
            std::uint32_t number = 0;
            for (const std::string_view line : lines) {
                ++number;
                const std::size_t comment = line.find("//");
                if (comment == line.npos) continue;
                const std::string_view text = trimmed(line.substr(comment + 2));
                if (!text.starts_with(mark)) continue;
                const bool isAlone = trimmed(line.substr(0, comment)).empty();
                const SourcePlace own{file.path, number, 1};
                const std::uint32_t about = isAlone ? codeFrom(number + 1) : number;
                const std::size_t before = comments.size();
                const std::string fault =
                    readComment(trimmed(text.substr(mark.size())), own, about, comments);
                if (comments.size() > before && comments.back().most &&
                    comments.back().kernel.empty()) {
                    comments.back().kernel = kernelBegunAt(file, about);
                    comments.back().isAbove = !comments.back().kernel.empty();
                }
                if (!fault.empty()) to.push_back({"unreadable-comment", own, "", "", fault});
            }
        }
    }
    return comments;
}

bool allows(const Comment& comment, std::string_view rule, const SourcePlace& place) {
    return !comment.most && comment.subject == rule && comment.file == place.file &&
           comment.line == place.line;
}

bool isAllowed(const std::vector<Comment>& comments, std::string_view rule,
               const SourcePlace& place) {
    return std::ranges::any_of(
        comments, [&](const Comment& comment) { return allows(comment, rule, place); });
}

/// What would do; of branches and atomics their requests.
std::uint64_t bestOf(const ProgramLine& line) {
    return isAtomic(line.kind) || line.kind == AccessKind::branch ? line.requests
                                                                  : idealOf(line.kind, line);
}

}  // namespace

std::vector<ArrayTotal> arrayTotals(const ProgramTrace& trace, const ProgramSources& sources) {
    std::vector<ArrayTotal> all;
    std::vector<ProgramWarning> unreadable;
    const std::vector<Comment> comments = commentsIn(sources, unreadable);
    std::map<std::string, std::uint64_t> threads;
    for (const LaunchReport& launch : trace.launches)
        threads[launch.kernel] += launch.launch.grid.count() * launch.launch.block.count();
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            const bool isOfAtomics = isAtomic(line.kind);
            const std::uint64_t best = bestOf(line);
            const std::string& rule = costRule(line.kind).id;
            if (!isOfRules(line, launch) || line.place.line == 0 || best == 0 ||
                line.kind == AccessKind::branch || isAllowed(comments, rule, line.place))
                continue;
            const auto key = [](const ArrayTotal& t) {
                return std::tie(t.rule, t.kernel, t.array);
            };
            ArrayTotal one{.rule = rule,
                           .kernel = launch.kernel,
                           .array = arrayOf(line),
                           .threads = threads[launch.kernel]};
            const auto known = std::ranges::find(all, key(one), key);
            ArrayTotal& total = known == all.end() ? all.emplace_back(std::move(one)) : *known;
            total.cost += isOfAtomics ? line.sameAddress : unitsOf(line.kind, line);
            total.best += best;
            if (total.excess > excessOf(line) && total.place.line != 0) continue;
            total.excess = excessOf(line);
            total.place = line.place;
            total.reason = line.reason;
        }
    }
    return all;
}

namespace {

double valueOf(const Comment& budget, const ProgramLine& line) {
    return std::ranges::find(budgetMetrics, budget.subject, &BudgetMetric::name)->of(line);
}

/// Says of what is allowed, and is in no warning, that it is needless, where that is known: at a
/// line that was run, or is the host's.
void tellUnused(const std::vector<Comment>& comments, const ProgramTrace& trace,
                const ProgramSources& sources, std::vector<ProgramWarning>& to) {
    for (const Comment& each : comments) {
        const SourcePlace place{each.file, each.line, 1};
        const auto isRun = [&](const LaunchReport& launch) {
            return std::ranges::any_of(launch.lines, [&](const ProgramLine& line) {
                return line.place.file == each.file && line.place.line == each.line;
            });
        };
        const bool isOfBaseline = each.subject == "more-than-baseline";
        if (each.most || each.line == 0 || isOfBaseline ||
            std::ranges::any_of(to,
                                [&](const ProgramWarning& warning) {
                                    return allows(each, warning.rule, warning.place);
                                }) ||
            (mayAccess(sources, each.file, each.line) &&
             std::ranges::none_of(trace.launches, isRun)))
            continue;
        to.push_back({"unused-allowance", place, "", "",
                      "allow(" + each.subject + "): this line does not break that rule"});
    }
}

/// Says where the line, or the sum of a kernel's, comes to more.
void holdTo(const Comment& budget, const ProgramLine& line, const std::string& kernel,
            bool isOfLaunch, std::vector<ProgramWarning>& to) {
    const double value = valueOf(budget, line);
    if (value <= *budget.most) return;
    const std::string of = isOfLaunch ? "all of " + kernel + ": " : subjectOf(line);
    addOnce(to, {.rule = "budget",
                 .place = line.place,
                 .kernel = kernel,
                 .array = isOfLaunch ? std::string() : arrayOf(line),
                 .words = of + hundredths(value) + ' ' + budget.subject +
                          ", and its comment allows " + grouped(*budget.most),
                 .cost = static_cast<std::uint64_t>(std::ceil(value))});
}

/// Of each launch, of the kernel or in the line, the lines that the metric is of, requests those to
/// memory.
void holdLaunchesTo(const Comment& budget, const ProgramTrace& trace, const ProgramSources& sources,
                    std::vector<ProgramWarning>& to) {
    const SourcePlace place{budget.file, budget.line, 1};
    const auto isAt = [&](const SourcePlace& other) {
        return other.line == budget.line && other.file == budget.file;
    };
    bool isOfAny = false;
    for (const LaunchReport& launch : trace.launches) {
        isOfAny |=
            budget.kernel.empty() && std::ranges::any_of(launch.lines, isAt, &ProgramLine::place);
        if (budget.kernel.empty()
                ? !isAt(launch.place)
                : shortKernelName(launch.kernel) != budget.kernel && launch.kernel != budget.kernel)
            continue;
        isOfAny = true;
        ProgramLine sum;
        sum.place = place;
        for (const ProgramLine& line : launch.lines) {
            const bool isOfIt =
                isLocal(line.kind) == (budget.subject == localBudget) &&
                (line.kind == AccessKind::branch) == (budget.subject == "divergent");
            if (isOfRules(line, launch) && isOfIt && valueOf(budget, line) > 0) sum.add(line);
        }
        holdTo(budget, sum, launch.kernel, true, to);
    }
    if (isOfAny || budget.isAbove) return;
    if (!budget.kernel.empty())
        to.push_back({"unreadable-comment", place, "", "",
                      "no kernel '" + budget.kernel + "' was launched"});
    else if (!mayAccess(sources, budget.file, budget.line))
        to.push_back({"unreadable-comment", place, "", "",
                      "a budget of " + budget.subject +
                          " stands at this line, which neither accesses memory in a kernel nor "
                          "launches one: put it there, above __global__, or name the kernel, "
                          "kernel(NAME) " +
                          budget.subject + " <= NUMBER"});
}

}  // namespace

std::vector<ProgramWarning> warningsOf(const ProgramTrace& trace, const ProgramSources& sources) {
    std::vector<ProgramWarning> all;
    const std::vector<Comment> comments = commentsIn(sources, all);
    for (const Finding& finding : trace.findings) {
        ProgramWarning warning{ruleOf(finding.kind).id, finding.place, finding.kernel, "",
                               finding.words};
        if (warning.place.file.empty()) warning.place = {trace.program, 0, 0};
        const auto key = [](const ProgramWarning& w) {
            return std::tuple(std::string_view(w.rule), std::string_view(w.place.file),
                              w.place.line, std::string_view(w.kernel), elementless(w.words));
        };
        if (std::ranges::find(all, key(warning), key) == all.end())
            all.push_back(std::move(warning));
    }
    std::vector<std::pair<const ProgramLine*, const LaunchReport*>> lines;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (isOfRules(line, launch) && line.place.line != 0) lines.emplace_back(&line, &launch);
        }
    }
    // Of several launches the costliest is told.
    std::ranges::stable_sort(lines, std::greater<>(), [](const auto& each) {
        return wasteOf(each.first->kind, *each.first);
    });
    for (const auto& [each, launch] : lines) {
        const ProgramLine& line = *each;
        if (breaksCostRule(line, *launch))
            addOnce(all, {.rule = costRule(line.kind).id,
                          .place = line.place,
                          .kernel = launch->kernel,
                          .array = arrayOf(line),
                          .words = wordsOf(line),
                          .cost = isAtomic(line.kind) ? line.sameAddress : unitsOf(line.kind, line),
                          .best = bestOf(line)});
        for (const Comment& budget : comments) {
            if (budget.most && budget.kernel.empty() && budget.line == line.place.line &&
                budget.file == line.place.file &&
                isLocal(line.kind) == (budget.subject == localBudget))
                holdTo(budget, line, launch->kernel, false, all);
        }
    }
    for (const Comment& budget : comments) {
        if (budget.most) holdLaunchesTo(budget, trace, sources, all);
    }
    if (std::string words = failureInWords(trace); !words.empty())
        all.push_back({"failed-program", {trace.program, 0, 0}, "", "", std::move(words)});
    tellUnused(comments, trace, sources, all);
    std::erase_if(all, [&](const ProgramWarning& warning) {
        const SourcePlace& place = warning.place;
        // A file of the system's is nobody's to mend.
        const bool isForeign = !place.file.empty() && place.line != 0 &&
                               lineOf(textOf(sources, place.file), place.line).empty();
        return isForeign || isAllowed(comments, warning.rule, place);
    });
    std::ranges::stable_sort(all, {}, [](const ProgramWarning& warning) {
        return std::tie(warning.place.file, warning.place.line, warning.place.column, warning.rule);
    });
    return all;
}

std::string endInWords(const ProgramExit& exit, bool withLine) {
    if (exit.stopped.empty() && exit.signal.empty() && exit.status.value_or(0) == 0) return {};
    std::string_view said = trimmed(exit.output);
    said.remove_prefix(said.rfind('\n') + 1);
    // Long before a launch's limit: most often host code, which nothing optimises by default.
    const bool isSlow = exit.stopped.starts_with("it took longer");
    return "the program " +
           (!exit.stopped.empty() ? "was ended: " + exit.stopped +
                                        (isSlow ? " (--time-limit gives it more, -O 2 makes its "
                                                  "host code faster)"
                                                : "")
            : !exit.signal.empty() ? "was ended by " + exit.signal
                                   : "returned " + std::to_string(*exit.status)) +
           (said.empty() || !withLine ? "" : "; its last line: " + asUtf8(said, 200));
}

bool isRunWhole(const ProgramTrace& trace) {
    return std::ranges::all_of(trace.launches, [](const LaunchReport& launch) {
        return !launch.compiled || launch.compiled->exact;
    });
}

std::string failureInWords(const ProgramTrace& trace) {
    const bool isVerdict = trace.exit.signal.empty() && trace.exit.stopped.empty();
    return isVerdict && !isRunWhole(trace) ? std::string() : endInWords(trace.exit);
}

bool hasCause(const ProgramTrace& trace) {
    return std::ranges::any_of(trace.findings, [](const Finding& each) {
        return !leavesResults(each.kind) && each.kind != FindingKind::mayBeWhy;
    });
}

std::string verdictInWords(const ProgramTrace& trace) {
    if (trace.exit.status.value_or(0) == 0 || !trace.exit.stopped.empty() ||
        trace.launches.empty() || !isRunWhole(trace))
        return {};
    constexpr std::string_view who = "the program ";
    std::string words = endInWords(trace.exit).substr(who.size());
    if (!hasCause(trace))
        words.insert(std::min(words.find(';'), words.size()),
                     ": it says itself that its results are wrong, though no fault was found");
    return words;
}

std::optional<double> budgetBeside(const ProgramWarning& warning, const ProgramSources& sources) {
    const std::string_view metric = warning.rule.starts_with("uncoalesced") ? "sectors"
                                    : warning.rule == "bank-conflict"       ? "wavefronts"
                                    : warning.rule == "divergent-branch"    ? "divergent"
                                    : warning.rule == "local-memory"        ? localBudget
                                                                            : "allow";
    std::vector<ProgramWarning> unreadable;
    for (const Comment& budget : commentsIn(sources, unreadable)) {
        if (budget.most && budget.kernel.empty() && budget.file == warning.place.file &&
            budget.line == warning.place.line && budget.subject.starts_with(metric))
            return budget.most;
    }
    return std::nullopt;
}

std::string fingerprintOf(const ProgramWarning& warning, const ProgramSources& sources) {
    std::string all = warning.rule;
    std::string code =
        source::maskedText(lineOf(textOf(sources, warning.place.file), warning.place.line));
    std::erase_if(code, [](unsigned char c) { return std::isspace(c) != 0; });
    for (const std::string& part : {warning.place.file.substr(warning.place.file.rfind('/') + 1),
                                    warning.kernel, warning.array, code})
        all += '\0' + part;
    return digestOf(all);
}

}  // namespace warplens
