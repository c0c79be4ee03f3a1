#include <cmath>
#include <regex>
#include <tuple>

#include "app/figure/kinds/kind.h"
#include "core/kernel/problem_share.h"
#include "core/launch/mapping.h"
#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"
#include "core/scenario/scenario.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "core/text/lines.h"
#include "kernels/library/kernel_program.h"
#include "kernels/library/traced_kernel.h"

namespace warplens::figure {
namespace {

constexpr double leastRatio = 1.05;

/// From the same source on both sides where one speaks of both.
struct NumberPair final {
    double a = 0;
    double b = 0;
    bool predictedAlone = false;  ///< no other source says the same
};

template <class Read>
NumberPair numbersBy(const Subject& a, const Subject& b, Read read) {
    std::optional<NumberPair> found;
    for (const Source source : {Source::predicted, Source::counted, Source::compiled}) {
        const std::optional<double> x = read(a.evidence, source);
        const std::optional<double> y = read(b.evidence, source);
        if (!x && !y) continue;
        const NumberPair numbers{x.value_or(0), y.value_or(0)};
        if (!found) found = numbers;
        found->predictedAlone =
            source == Source::predicted || found->a != numbers.a || found->b != numbers.b;
        if (!found->predictedAlone) break;
    }
    return found.value_or(NumberPair{});
}

NumberPair numbersOf(const Subject& a, const Subject& b, Metric metric,
                     const std::string& subject = "kernel", Variant variant = Variant::none) {
    return numbersBy(a, b, [&](const Evidence& evidence, Source source) {
        const Value* const value = evidence.find(metric, source, variant, subject);
        return value == nullptr || value->number() == nullptr ? std::nullopt
                                                              : std::optional(*value->number());
    });
}

NumberPair sum(NumberPair x, NumberPair y) {
    return {x.a + y.a, x.b + y.b, x.predictedAlone || y.predictedAlone};
}

/// What compiled code has of a cause; nothing where it was not run, or is of something else.
std::optional<NumberPair> compiledOf(const Subject& a, const Subject& b, CauseKind kind) {
    std::vector<Metric> metrics;
    if (kind == CauseKind::sectors)
        metrics = {Metric::globalLoadSectors, Metric::globalStoreSectors};
    if (kind == CauseKind::requests)
        metrics = {Metric::globalLoadRequests, Metric::globalStoreRequests};
    if (kind == CauseKind::wavefronts || kind == CauseKind::sharedRequests)
        metrics = {Metric::sharedWavefronts};
    if (kind == CauseKind::divergence) metrics = {Metric::divergentBranches};
    if (metrics.empty() || !a.compiledBranches || !b.compiledBranches) return std::nullopt;
    const auto sumOf = [&](const Subject& subject) {
        double sum = 0;
        for (const Metric metric : metrics) {
            const Value* const value =
                subject.evidence.find(metric, Source::compiled, Variant::none, "kernel");
            if (value != nullptr && value->number() != nullptr) sum += *value->number();
        }
        return sum;
    };
    return NumberPair{sumOf(a), sumOf(b)};
}

/// In global memory, of either.
std::vector<std::string> arraysOf(const Subject& a, const Subject& b) {
    std::vector<std::string> names;
    for (const Subject* subject : {&a, &b}) {
        const auto add = [&](const auto& arrays) {
            for (const auto& array : arrays) {
                if (std::ranges::count(names, array.name) == 0) names.emplace_back(array.name);
            }
        };
        if (subject->kernel.empty()) {
            add(kernelOf(subject->view.experiment).arrays);
        } else if (subject->program != nullptr) {
            add(subject->program->arrays);
        }
    }
    return names;
}

/// Which array's loads or stores; of files that call theirs by other names the direction alone.
void tellAccess(const Subject& a, const Subject& b, Cause& cause) {
    std::vector<std::string> names = arraysOf(a, b);
    names.emplace_back("kernel");
    double most = 0;
    for (const std::string& name : names) {
        if (name == "kernel" && cause.access) break;
        for (const auto& [metric, access] :
             {std::pair(Metric::globalLoadSectors, AccessKind::load),
              std::pair(Metric::globalStoreSectors, AccessKind::store)}) {
            const NumberPair sectors = numbersOf(a, b, metric, name);
            const double difference = std::abs(sectors.a - sectors.b);
            if (sectors.a <= 0 || sectors.b <= 0 || difference <= most) continue;
            most = difference;
            cause.array = name == "kernel" ? std::string() : name;
            cause.access = access;
        }
    }
}

/// Turns at the array in constant memory whose turns differ most, and its name.
std::pair<NumberPair, std::string> constantsOf(const Subject& a, const Subject& b) {
    std::pair<NumberPair, std::string> most;
    for (const auto* turns : {&a.constantTurns, &b.constantTurns}) {
        for (const auto& [array, count] : *turns) {
            const auto of = [&](const Subject& subject) {
                const auto found = subject.constantTurns.find(array);
                return found == subject.constantTurns.end() ? 0.0
                                                            : static_cast<double>(found->second);
            };
            if (std::abs(of(a) - of(b)) > std::abs(most.first.a - most.first.b))
                most = {{of(a), of(b)}, array};
        }
    }
    return most;
}

/// Turns of atomics, or their requests.
NumberPair atomicsOf(const Subject& a, const Subject& b, bool shared, Metric metric) {
    return numbersBy(a, b, [&](const Evidence& evidence, Source source) {
        const auto value = atomicsIn(shared, metric, evidence.values, source);
        return value ? std::optional(*value->number()) : std::nullopt;
    });
}

bool branchesAt(const Subject& subject, const std::vector<CodeLine>& lines) {
    return std::ranges::any_of(lines, [&](const CodeLine& line) {
        return subject.divergentLines.contains(line.number) ||
               subject.divergentGuards.contains(line.number);
    });
}

double warpsOf(const Subject& subject) {
    const Launch& launch = subject.view.experiment.launch;
    return static_cast<double>(launch.grid.count()) * warpCountPerBlock(launch.block);
}

double lanesWithoutWork(const Subject& subject) {
    const Experiment& experiment = subject.view.experiment;
    const Launch& launch = experiment.launch;
    if (!subject.kernel.empty() || kernelOf(experiment).work.empty())
        return static_cast<double>(launch.grid.count()) * idleLaneCount(launch.block);
    const auto share = shareOf(kernelOf(experiment), experiment.arguments, launch);
    return warpsOf(subject) * lanesPerWarp - static_cast<double>(share.inside);
}

double blocksForEachSm(const Subject& subject) {
    if (!subject.schedule || subject.schedule->multiprocessors == 0) return 0;
    return static_cast<double>(subject.view.experiment.launch.grid.count()) /
           subject.schedule->multiprocessors;
}

/// How many times as much, whichever side has more; something against nothing is a thousand.
double ratioOf(double a, double b) {
    const double least = std::min(a, b);
    const double most = std::max(a, b);
    return most <= 0 ? 1 : least <= 0 ? 1000 : most / least;
}

/// What the warp that does most of it does in the compiled code; 0 where that cannot be told.
struct WarpWork final {
    double waits = 0;
    double instructions = 0;
};

WarpWork workOf(const Subject& subject) {
    if (!subject.kernel.empty()) return {};
    try {
        const BlockProgram program = blockProgramOf(subject.view.experiment, subject.view.block);
        if (!program.cut.empty()) return {};
        std::size_t most = 0;
        for (const auto& steps : program.warps) most = std::max(most, steps.size());
        return {static_cast<double>(memoryWaits(program)), static_cast<double>(most)};
    } catch (const std::exception&) {
        return {};
    }
}

/// What may make the difference.
struct Row final {
    CauseKind kind;
    NumberPair amount;
    const char* unit;
    std::string_view figures{};  ///< of the scenarios that are about it
    /// Of files of one's own, which are about anything: how long one of what is counted holds up a
    /// warp, roughly, beside one sector or wavefront.
    double slots = 1;
    bool isFirst = false;  ///< before all that explains as much
    std::optional<NumberPair> compiled{};

    /// What it costs one side more than the other; the compiler may leave less of that. Of
    /// branches compiled code counts all, those of loops and guards, too.
    [[nodiscard]] double cost() const {
        double difference = std::abs(amount.b - amount.a);
        if (compiled) {
            double left = compiled->b - compiled->a;
            if (kind == CauseKind::divergence)
                left = std::abs(left);
            else if (amount.b < amount.a)
                left = -left;
            difference = std::clamp(left, 0.0, difference);
        }
        return difference * slots;
    }
};

/// What the scenario that is shown is about.
bool isAbout(const Subject& subject, const Row& row) {
    if (!subject.kernel.empty()) return false;
    const std::string_view figure = scenarioNamed(subject.view.experiment.scenario).figure;
    return !figure.empty() && row.figures.find(figure) != row.figures.npos;
}

/// Without what stands between the brackets of its `if`s.
std::string withoutConditions(std::string text) {
    for (std::size_t at = 0; (at = source::findWord(text, "if", at)) != source::nowhere; at += 2) {
        const std::size_t open = text.find('(', at);
        if (open == std::string::npos) break;
        text.erase(open, source::closing(text, open) - open);
    }
    return text;
}

bool hasAtomic(const CodeLine& line) {
    return line.text.find("atomic") != std::string::npos;
}

bool changesAtomics(const ChangedLines& changed) {
    return std::ranges::any_of(changed.a, hasAtomic) && std::ranges::any_of(changed.b, hasAtomic);
}

/// Whether lines differ, and none of them accesses an array: conditions, and what they are of; or
/// no more than the conditions of lines that do.
bool differByBranch(const ChangedLines& changed) {
    const auto accesses = [](const CodeLine& line) {
        return line.text.find('[') != std::string::npos || hasAtomic(line);
    };
    const bool accessesAny =
        std::ranges::any_of(changed.a, accesses) || std::ranges::any_of(changed.b, accesses);
    const auto bare = [](const CodeLine& line) { return withoutConditions(line.text); };
    return !(changed.a.empty() && changed.b.empty()) &&
           (!accessesAny || std::ranges::equal(changed.a, changed.b, {}, bare, bare));
}

/// Without a unit where neither alone is wrong.
Cause causeByFaults(const Subject& a, const Subject& b) {
    const auto left = static_cast<double>(ownFaults(a, b).size());
    const auto right = static_cast<double>(ownFaults(b, a).size());
    if ((left == 0) == (right == 0)) return {};
    return {.kind = CauseKind::faults, .a = left, .b = right, .unit = "faults"};
}

/// The loop whose lanes wait for each other more on one side than on the other.
struct Trips final {
    NumberPair lost{.predictedAlone = true};
    std::uint32_t a = 0;  ///< its lines
    std::uint32_t b = 0;
};

Trips tripsOf(const Subject& a, const Subject& b) {
    Trips most;
    if (a.kernel.empty() || b.kernel.empty()) return most;
    const auto lost = [](const Subject& subject, std::uint32_t line) {
        const auto found = subject.loops.find(line);
        return found == subject.loops.end() ? 0 : static_cast<double>(lostRounds(found->second));
    };
    const auto offer = [&](std::uint32_t x, std::uint32_t y) {
        const NumberPair each{lost(a, x), lost(b, y), true};
        if (std::abs(each.a - each.b) > std::abs(most.lost.a - most.lost.b)) most = {each, x, y};
    };
    for (const auto& [line, cost] : a.loops)
        if (cost.divergent != 0) offer(line, lineInPlaceOf(a, b, line).value_or(0));
    for (const auto& [line, cost] : b.loops)
        if (cost.divergent != 0) offer(lineInPlaceOf(b, a, line).value_or(0), line);
    return most;
}

/// Branches at which warps diverge, as far as they tell two launches from each other.
struct Divergence final {
    NumberPair amount;          ///< 0 where it is not told at all
    bool isMuch = false;        ///< beside all else that differs
    bool oneAlone = false;      ///< it goes first
    bool atomicsFirst = false;  ///< they do
};

Divergence divergenceOf(const Subject& a, const Subject& b) {
    const NumberPair branches = numbersOf(a, b, Metric::branches);
    NumberPair divergent = numbersOf(a, b, Metric::divergentBranches);
    // Of loops what their lanes wait for is told.
    divergent.a -= static_cast<double>(divergentLoops(a));
    divergent.b -= static_cast<double>(divergentLoops(b));
    NumberPair parting = divergent;
    parting.a -= static_cast<double>(divergentGuards(a, {}));
    parting.b -= static_cast<double>(divergentGuards(b, {}));
    const NumberPair warps{warpsOf(a), warpsOf(b)};
    // No other way waits for what a guard keeps out; where it is what differs, it is told, but not
    // beside lines without a branch, nor one that each warp comes to once beside one that keeps out
    // whole warps.
    const ChangedLines changed = changedLines(a, b);
    ChangedLines told = changed;
    NumberPair own{divergentAt(a, told.a), divergentAt(b, told.b)};
    const bool areGuards = parting.a <= 0 && parting.b <= 0;
    const bool isOnce = std::min(own.a, own.b) == 0 && own.a <= warps.a && own.b <= warps.b;
    if (!branchesAt(a, told.a) || !branchesAt(b, told.b) || (areGuards && isOnce)) {
        told = {};
        own = {};
    }
    divergent.a -= static_cast<double>(divergentGuards(a, told.a));
    divergent.b -= static_cast<double>(divergentGuards(b, told.b));
    // Of files of one's own what was changed is compared, where it makes half of what diverges:
    // calls beside it, say, go by the data.
    own.predictedAlone = divergent.predictedAlone;
    const bool isHalf = own.a > own.b ? own.a >= 0.5 * parting.a : own.b >= 0.5 * parting.b;
    if (own.a != own.b && isHalf) divergent = parting = own;
    // A tenth of the branches: what fewer cost is lost among all else. Among many branches that all
    // warps take alike, as a loop's are, those at which one side's warps diverge count, too, where
    // all that was changed is which way they go.
    const auto isTenth = [&](const NumberPair& n, const NumberPair& of) {
        return n.a > 0.1 * of.a || n.b > 0.1 * of.b;
    };
    const bool byBranch = differByBranch(changed);
    const bool oneAlone =
        ratioOf(divergent.a, divergent.b) >= 10 && isTenth(divergent, warps) && byBranch;
    // Guards alone, though they are what was changed, are not told before what else differs, nor
    // are they where the other side has more of what is none. The ways to atomics that are written
    // otherwise are part of those.
    const bool ofAtomics =
        !a.kernel.empty() && !b.kernel.empty() && changesAtomics(changed) && !byBranch;
    const bool ofGuards =
        !isTenth(parting, branches) || (parting.a < parting.b) != (divergent.a < divergent.b);
    const bool isMuch = isTenth(divergent, branches);
    if (ofAtomics || !(isMuch || isTenth(divergent, warps))) divergent = {};
    return {divergent, oneAlone || (isMuch && !ofGuards), oneAlone, ofAtomics};
}

}  // namespace

std::vector<const Finding*> ownFaults(const Subject& subject, const Subject& other) {
    std::vector<const Finding*> own;
    for (const Finding& fault : subject.faults) {
        const bool isOfBoth = std::ranges::count(other.faults, fault.kind, &Finding::kind) != 0;
        const bool isKnown =
            std::ranges::any_of(own, [&](const Finding* each) { return each->kind == fault.kind; });
        if (!isOfBoth && !isKnown) own.push_back(&fault);
    }
    return own;
}

const Value* timeOf(const Subject& subject) {
    const Value* const time =
        subject.evidence.find(Metric::time, Source::timed, Variant::none, "kernel");
    return time == nullptr || time->number() == nullptr ? nullptr : time;
}

Cause causeByRequest(const Subject& a, const Subject& b) {
    if (Cause faults = causeByFaults(a, b); !faults.unit.empty()) return faults;
    Cause most;
    const auto offer = [&](CauseKind kind, const NumberPair& n, std::optional<AccessKind> access) {
        if (n.a <= 0 || n.b <= 0 ||
            ratioOf(n.a, n.b) < std::max(leastRatio, ratioOf(most.a, most.b)))
            return;
        most = {.kind = kind,
                .a = n.a,
                .b = n.b,
                .unit = kind == CauseKind::sectors ? "sectors a request" : "wavefronts a request",
                .access = access};
    };
    for (const auto& [variant, access] : {std::pair(Variant::load, AccessKind::load),
                                          std::pair(Variant::store, AccessKind::store)}) {
        const Metric metric = Metric::sectorsPerRequest;
        offer(CauseKind::sectors, numbersOf(a, b, metric, "kernel", variant), access);
    }
    offer(CauseKind::wavefronts, numbersOf(a, b, Metric::sharedWavefrontsPerRequest), {});
    return most.unit.empty() ? causeOf(a, b) : most;
}

Cause causeOf(const Subject& a, const Subject& b) {
    if (Cause faults = causeByFaults(a, b); !faults.unit.empty()) return faults;
    const auto read = [&](Metric metric) { return numbersOf(a, b, metric); };
    const NumberPair sectors =
        sum(read(Metric::globalLoadSectors), read(Metric::globalStoreSectors));
    const NumberPair requests =
        sum(read(Metric::globalLoadRequests), read(Metric::globalStoreRequests));
    // More requests and not more of each are another matter than more sectors of each.
    const bool byRequests = (requests.a < requests.b) == (sectors.a < sectors.b) &&
                            ratioOf(requests.a, requests.b) * ratioOf(requests.a, requests.b) >
                                ratioOf(sectors.a, sectors.b);
    const NumberPair wavefronts = read(Metric::sharedWavefronts);
    const NumberPair each = read(Metric::sharedWavefrontsPerRequest);
    const bool byEach = ratioOf(each.a, each.b) >= leastRatio;
    const NumberPair turns = atomicsOf(a, b, false, Metric::atomicTurns);
    const NumberPair fewest = atomicsOf(a, b, false, Metric::atomicRequests);
    const auto constants = constantsOf(a, b);
    const Divergence divergence = divergenceOf(a, b);
    const Trips trips = tripsOf(a, b);
    // Where one has no shared memory at all, or no schedule, its work is elsewhere.
    const auto ofBoth = [](NumberPair n) { return n.a > 0 && n.b > 0 ? n : NumberPair{}; };
    // Of compiled code alone.
    const bool areCompiled = a.compiledBranches && b.compiledBranches;
    const NumberPair local = areCompiled ? NumberPair{static_cast<double>(a.localSectors),
                                                      static_cast<double>(b.localSectors)}
                                         : NumberPair{};
    std::vector<Row> rows{
        byRequests ? Row{CauseKind::requests, requests, "requests", "memory", 2}
                   : Row{CauseKind::sectors, sectors, "sectors", "memory"},
        {byEach ? CauseKind::wavefronts : CauseKind::sharedRequests, ofBoth(wavefronts),
         "wavefronts", "memory"},
        {CauseKind::atomics, ratioOf(turns.a, turns.b) < leastRatio ? fewest : turns, "turns",
         "memory", 1, divergence.atomicsFirst},
        {CauseKind::constants, constants.first, "turns at constant memory"},
        // The other path's instructions.
        {CauseKind::divergence, divergence.amount, "divergent branches", "branches reduction", 8,
         divergence.oneAlone},
        // A lane's share of what its warp runs meanwhile.
        {CauseKind::trips, trips.lost, "lane rounds lost", "branches", 8.0 / lanesPerWarp},
        {CauseKind::fragments, NumberPair{lanesWithoutWork(a), lanesWithoutWork(b)},
         "lanes without work", "coverage threads", 1.0 / lanesPerWarp},
        {CauseKind::residency, ofBoth({blocksForEachSm(a), blocksForEachSm(b)}),
         "blocks for each SM", "schedule"},
        {CauseKind::code, local, "sectors of local memory"},
    };
    std::erase_if(rows,
                  [](const Row& row) { return ratioOf(row.amount.a, row.amount.b) < leastRatio; });
    const bool areOwn = !a.kernel.empty() && !b.kernel.empty();
    if (areOwn)
        for (Row& row : rows) row.compiled = compiledOf(a, b, row.kind);
    // Few of the branches are a cause where all else that differs is little beside them.
    double ofOthers = 0;
    for (const Row& row : rows)
        if (row.kind != CauseKind::divergence) ofOthers = std::max(ofOthers, row.cost());
    std::erase_if(rows, [&](const Row& row) {
        const bool isMost = areOwn && row.cost() > 4 * ofOthers;
        return row.kind == CauseKind::divergence && rows.size() > 1 && !divergence.isMuch &&
               !isMost;
    });
    // A loop of one side alone belongs to what it does otherwise, where that is much beside it.
    const auto alone = std::ranges::find(rows, CauseKind::trips, &Row::kind);
    if (alone != rows.end() && (trips.a == 0 || trips.b == 0) &&
        std::ranges::any_of(rows, [&](const Row& row) {
            return row.kind != CauseKind::trips && 4 * row.cost() > alone->cost();
        }))
        rows.erase(alone);

    const Value* const before = timeOf(a);
    const Value* const after = timeOf(b);
    const double slower =
        before == nullptr || after == nullptr ? 1 : *after->number() / *before->number();
    const auto explains = [&](const NumberPair& n, bool isLess = false) {
        return (slower > 1 / leastRatio && slower < leastRatio) ||
               (isLess ? n.b < n.a : n.a < n.b) == (slower > 1);
    };
    const auto rank = [&](const Row& row) {
        const auto& [x, y, predicted] = row.amount;
        // Fewer blocks on an SM wait longer; of all else more costs more.
        return std::tuple(explains(row.amount, row.kind == CauseKind::residency),
                          isAbout(b, row) || isAbout(a, row), row.isFirst && row.cost() > 0,
                          areOwn ? row.cost() : ratioOf(x, y));
    };
    // What no count of accesses and branches tells.
    const auto inTheCode = [&]() -> Cause {
        if (a.barriers != b.barriers)
            return {.a = static_cast<double>(a.barriers),
                    .b = static_cast<double>(b.barriers),
                    .unit = "barriers a block"};
        if (a.localBytes != b.localBytes)
            return {.a = static_cast<double>(a.localBytes),
                    .b = static_cast<double>(b.localBytes),
                    .unit = "bytes of local memory a thread"};
        const WarpWork x = workOf(a);
        const WarpWork y = workOf(b);
        for (const Cause& cause :
             {Cause{CauseKind::waits, x.waits, y.waits, "waits for memory"},
              Cause{CauseKind::instructions, x.instructions, y.instructions, "instructions"}}) {
            if (cause.a > 0 && cause.b > 0 && ratioOf(cause.a, cause.b) >= leastRatio &&
                explains({cause.a, cause.b}))
                return cause;
        }
        return {};
    };
    const auto best = std::ranges::max_element(rows, {}, rank);
    if (best == rows.end()) {
        const Cause code = inTheCode();
        if (!code.unit.empty() || turns.a <= 0 || turns.b <= 0 ||
            !changesAtomics(changedLines(a, b)))
            return code;
        // Written otherwise, and as many: the compiler may have joined those of one side.
        return {.kind = CauseKind::atomics,
                .a = turns.a,
                .b = turns.b,
                .unit = "turns",
                .meetA = turns.a > fewest.a,
                .meetB = turns.b > fewest.b};
    }
    const Row& row = *best;
    Cause cause{.kind = row.kind,
                .a = row.amount.a,
                .b = row.amount.b,
                .unit = row.unit,
                .predictedAlone = row.amount.predictedAlone};
    if (row.compiled) {
        const double left = ratioOf(row.compiled->a, row.compiled->b);
        const double by = left / ratioOf(cause.a, cause.b);
        const bool isOther =
            row.kind != CauseKind::divergence && std::abs(by - 1) >= leastRatio - 1;
        if (row.cost() == 0 || isOther) cause.compiled = {row.compiled->a, row.compiled->b};
    }
    if (cause.kind == CauseKind::sectors) tellAccess(a, b, cause);
    if (cause.kind == CauseKind::constants) cause.array = constants.second;
    if (cause.kind == CauseKind::trips) {
        cause.loopA = trips.a;
        cause.loopB = trips.b;
    }
    if (cause.kind == CauseKind::atomics) {
        const NumberPair shared = atomicsOf(a, b, true, Metric::atomicTurns);
        cause.sharedA = shared.a;
        cause.sharedB = shared.b;
        cause.meetA = turns.a > fewest.a;
        cause.meetB = turns.b > fewest.b;
        if (cause.a == fewest.a && cause.b == fewest.b) cause.unit = "atomic requests";
    }
    cause.explains = explains(row.amount, row.kind == CauseKind::residency);
    if (cause.explains) return cause;
    // What is saved elsewhere is paid for in shared memory.
    if ((wavefronts.a > 0) != (wavefronts.b > 0) && explains(wavefronts))
        return {CauseKind::sharedRequests, wavefronts.a, wavefronts.b, "wavefronts"};
    const Cause code = inTheCode();
    return !code.unit.empty() || !isAbout(b, row) ? code : cause;
}

namespace {

constexpr std::size_t mostLines = 1000;

/// The line's code, each run of blanks as one.
std::string bareCode(std::string_view line) {
    line = line.substr(0, line.find("//"));
    std::string code;
    for (const char c : line) {
        const bool blank = c == ' ' || c == '\t' || c == '\r';
        if (!blank) {
            code += c;
        } else if (!code.empty() && code.back() != ' ') {
            code += ' ';
        }
    }
    while (!code.empty() && code.back() == ' ') code.pop_back();
    return code;
}

void addLine(std::vector<CodeLine>& lines, std::uint32_t number, std::string_view text,
             bool withBraces = false) {
    std::string code = bareCode(text);
    const bool isBraces = code.find_first_not_of("{} ;") == std::string::npos;
    if (code.empty() || (isBraces && !withBraces) || lines.size() >= mostLines) return;
    std::string line = std::string(text.substr(0, text.find_first_not_of(" \t"))) + code;
    lines.push_back({number, std::move(code), std::move(line)});
}

}  // namespace

std::vector<CodeLine> bodyOf(const Subject& subject) {
    std::vector<CodeLine> body;
    bool head = false;
    for (CodeLine& line : linesOf(subject)) {
        head = head || line.text.find("__global__") != std::string::npos;
        if (!head)
            body.push_back(std::move(line));
        else
            head = line.text.find('{') == std::string::npos;
    }
    return body;
}

namespace {

std::map<std::uint32_t, std::uint64_t> guardsBeside(const Subject& subject,
                                                    const std::vector<CodeLine>& changed) {
    std::map<std::uint32_t, std::uint64_t> guards = subject.divergentGuards;
    for (const CodeLine& line : changed) guards.erase(line.number);
    return guards;
}

}  // namespace

std::uint64_t divergentLoops(const Subject& subject) {
    std::uint64_t sum = 0;
    for (const auto& [line, cost] : subject.loops) sum += cost.divergent;
    return sum;
}

std::uint64_t divergentGuards(const Subject& subject, const std::vector<CodeLine>& changed) {
    std::uint64_t sum = 0;
    for (const auto& [line, times] : guardsBeside(subject, changed)) sum += times;
    return sum;
}

double divergentAt(const Subject& subject, const std::vector<CodeLine>& changed) {
    double sum = 0;
    for (const auto* lines : {&subject.divergentLines, &subject.divergentGuards}) {
        for (const CodeLine& line : changed) {
            const auto found = lines->find(line.number);
            if (found != lines->end()) sum += static_cast<double>(found->second);
        }
    }
    return sum;
}

std::string divergentBeside(const Subject& subject, std::uint32_t drawn) {
    auto lines = subject.divergentLines;
    const auto& calls = subject.divergentCalls;
    lines.erase(drawn);
    std::erase_if(lines, [](const auto& line) { return line.second == 0; });
    return joined(lines, ", ", [&](const auto& line) {
        const auto called = calls.find(line.first);
        return groupedDigits(line.second) +
               (called == calls.end() ? " at line " : " in " + called->second + " of line ") +
               std::to_string(line.first);
    });
}

std::string guardsInWords(const Subject& subject, const std::vector<CodeLine>& changed) {
    const auto guards = guardsBeside(subject, changed);
    if (guards.empty()) return {};
    const std::string times = groupedDigits(divergentGuards(subject, changed));
    if (guards.contains(0)) return times + " at a guard";
    return times + (guards.size() == 1 ? " at the guard of line " : " at guards, lines ") +
           joined(guards, ", ", [](const auto& guard) { return std::to_string(guard.first); });
}

std::vector<CodeLine> allLinesOf(const Subject& subject) {
    std::vector<CodeLine> lines;
    std::uint32_t number = 0;
    for (const std::string_view line : splitLines(subject.source)) addLine(lines, ++number, line);
    return lines;
}

std::vector<CodeLine> linesOf(const Subject& subject, bool withBraces) {
    std::vector<CodeLine> lines;
    if (subject.kernel.empty()) {
        for (const KernelLine& line : codeLines(kernelOf(subject.view.experiment))) {
            addLine(lines, line.line, line.text, withBraces);
        }
        return lines;
    }
    const std::string masked = source::maskedText(subject.source);
    const auto kernels = source::kernelsIn(masked);
    const std::string name = subject.kernel.substr(0, subject.kernel.find('<'));
    const auto kernel = std::ranges::find(kernels, name, &source::KernelSource::name);
    const std::string_view text = subject.source;
    std::uint32_t number = 0;
    for (const std::string_view line : splitLines(text)) {
        ++number;
        const auto begin = static_cast<std::size_t>(line.data() - text.data());
        const bool isInside = kernel == kernels.end() ||
                              (begin + line.size() >= kernel->bodyBegin && begin < kernel->bodyEnd);
        if (isInside) addLine(lines, number, line, withBraces);
    }
    return lines;
}

namespace {

/// Lines outside of the kernel that define what it names: `#define PITCH 32`, `constexpr int n =
/// 4;`.
std::vector<CodeLine> definitionsFor(const Subject& subject) {
    static const std::regex form(
        R"(\s*(?:#\s*define\s+(\w+)\s+\S|(?:static\s+)?const(?:expr)?\s[^=;(]*?(\w+)\s*[={]).*)");
    std::vector<CodeLine> lines;
    if (subject.kernel.empty()) return lines;
    std::string body;
    for (const CodeLine& line : linesOf(subject)) body += line.text + '\n';
    std::uint32_t number = 0;
    for (const std::string_view line : splitLines(subject.source)) {
        ++number;
        std::cmatch parts;
        if (!std::regex_match(line.begin(), line.end(), parts, form)) continue;
        const std::string name = parts[1].matched ? parts.str(1) : parts.str(2);
        if (source::findWord(body, name) != source::nowhere &&
            body.find(bareCode(line)) == std::string::npos)
            addLine(lines, number, line);
    }
    return lines;
}

std::vector<DiffLine> diffOf(const std::vector<CodeLine>& x, const std::vector<CodeLine>& y) {
    const auto textsOf = [](const std::vector<CodeLine>& lines) {
        std::vector<std::string_view> texts;
        for (const CodeLine& line : lines) texts.push_back(line.text);
        return texts;
    };
    return lineDiff(textsOf(x), textsOf(y));
}

ChangedLines changed(const std::vector<CodeLine>& x, const std::vector<CodeLine>& y) {
    ChangedLines changed;
    std::size_t i = 0;
    std::size_t j = 0;
    for (const DiffLine& line : diffOf(x, y)) {
        if (line.sign == '-') changed.a.push_back(x[i]);
        if (line.sign == '+') changed.b.push_back(y[j]);
        i += line.sign != '+' ? 1 : 0;
        j += line.sign != '-' ? 1 : 0;
    }
    return changed;
}

}  // namespace

std::optional<std::uint32_t> lineInPlaceOf(const Subject& a, const Subject& b, std::uint32_t line) {
    const std::vector<CodeLine> x = bodyOf(a);
    const std::vector<CodeLine> y = bodyOf(b);
    std::map<std::uint32_t, std::uint32_t> places;
    std::size_t i = 0;
    std::size_t j = 0;
    std::vector<std::uint32_t> gone;  // of a change, those of a and of b
    std::vector<std::uint32_t> come;
    const auto pair = [&] {
        for (std::size_t at = 0; at < std::min(gone.size(), come.size()); ++at)
            places[gone[at]] = come[at];
        gone.clear();
        come.clear();
    };
    for (const DiffLine& each : diffOf(x, y)) {
        if (each.sign == '-') {
            gone.push_back(x[i++].number);
        } else if (each.sign == '+') {
            come.push_back(y[j++].number);
        } else {
            pair();
            places[x[i++].number] = y[j++].number;
        }
    }
    pair();
    const auto found = places.find(line);
    return found == places.end() ? std::nullopt : std::optional(found->second);
}

ChangedLines changedLines(const Subject& a, const Subject& b) {
    ChangedLines inBody = changed(bodyOf(a), bodyOf(b));
    if (!inBody.a.empty() || !inBody.b.empty()) return inBody;
    return changed(definitionsFor(a), definitionsFor(b));
}

ChangedLines changedAnywhere(const Subject& a, const Subject& b) {
    ChangedLines ofKernels = changedLines(a, b);
    const bool areOwn = !a.kernel.empty() && !b.kernel.empty();
    if (!ofKernels.a.empty() || !ofKernels.b.empty() || !areOwn) return ofKernels;
    return changed(allLinesOf(a), allLinesOf(b));
}

}  // namespace warplens::figure
