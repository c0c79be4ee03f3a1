#include "app/window/state/program.h"

#include <iterator>
#include <ranges>
#include <tuple>

#include "app/drawing/line_meaning.h"
#include "app/window/state/program_changes.h"
#include "core/program/library_calls.h"
#include "core/program/reasons.h"
#include "core/program/warnings.h"

namespace warplens::window {
namespace {

constexpr std::size_t mostResults = 64;

const LaunchReport* launchOf(const ProgramTrace& trace, std::uint32_t index) {
    const auto found = std::ranges::find(trace.launches, index, &LaunchReport::index);
    return found == trace.launches.end() ? nullptr : &*found;
}

const ProgramResult* lastOf(const ProgramState& program, std::uint32_t launch, bool now) {
    for (const ProgramResult& result : program.results | std::views::reverse) {
        if (result.launch != launch) continue;
        if ((result.digest == program.now->digest) == now) return &result;
    }
    return nullptr;
}

/// Index of the launch that a launch of the version before is by now: itself, else the last of its
/// kernel, else the one in its place.
std::uint32_t nearestTo(const ProgramState& program, const LaunchReport& former) {
    const ProgramTrace& now = program.now->trace;
    const LaunchReport* const same = counterpartOf(program.before->trace, former, now);
    if (same != nullptr) return same->index;
    for (const LaunchReport& launch : now.launches | std::views::reverse) {
        if (launch.kernel == former.kernel) return launch.index;
    }
    return now.launches.empty() ? former.index : std::min(former.index, now.launches.back().index);
}

/// Of what several launches are looked at first: what is wrong, what stands in the file, what
/// costs.
using Weight = std::tuple<bool, bool, bool, std::uint64_t>;
Weight weightOf(const ProgramState& program, const LaunchReport& launch) {
    const bool isWrong = std::ranges::any_of(program.now->trace.findings, [&](const Finding& one) {
        return one.launch == launch.index && !isWarning(one.kind);
    });
    const auto isHere = [&](const ProgramLine& line) {
        return sameFile(line.place.file, program.path);
    };
    const bool hasLines = std::ranges::any_of(launch.lines, isHere);
    const LineWaste waste = worstWaste(launch, hasLines ? program.path : "");
    return {isWrong, hasLines, waste.breaksRule, waste.all()};
}

}  // namespace

const LaunchReport& ShownLaunch::predicted() const {
    return *launchOf(version->trace, launch);
}

const LaunchReport* chosenLaunch(const ProgramState& program) {
    return program.now && program.launch ? launchOf(program.now->trace, *program.launch) : nullptr;
}

std::vector<std::string> otherFilesOf(const ProgramState& program, const LaunchReport& launch) {
    const ProgramVersion& version = *program.now;
    for (const LaunchGroup& group : launchGroups(version.trace, program.path, version.lines)) {
        const LaunchReport& first = version.trace.launches[group.first];
        if (!group.call.empty() && launch.index >= first.index &&
            launch.index < first.index + group.count)
            return {};
    }
    std::map<std::string, std::uint64_t> costs;
    for (const ProgramLine& line : launch.lines) {
        if (!sameFile(line.place.file, program.path))
            costs[line.place.file] += line.requests + line.sectors + line.wavefronts;
    }
    std::vector<std::string> files;
    for (const auto& [file, cost] : costs) {
        if (!file.empty()) files.push_back(file);
    }
    std::ranges::stable_sort(files, std::ranges::greater{},
                             [&](const std::string& file) { return costs.at(file); });
    return files;
}

std::string fileOfAllKernels(const ProgramState& program) {
    const LaunchReport* const chosen = chosenLaunch(program);
    if (chosen == nullptr) return {};
    for (const LaunchReport& launch : program.now->trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (sameFile(line.place.file, program.path)) return {};
        }
    }
    const std::vector<std::string> others = otherFilesOf(program, *chosen);
    return others.empty() ? std::string() : others.front();
}

std::optional<ProgramSubject> subjectOfChosen(const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr) return std::nullopt;
    return ProgramSubject{.path = program.path,
                          .digest = program.now->digest,
                          .wishes = program.wishes,
                          .launch = launch->index,
                          .kernel = launch->kernel};
}

void keep(ProgramState& program, ProgramResult result) {
    std::erase_if(program.results, [&](const ProgramResult& other) {
        return other.digest == result.digest && other.launch == result.launch;
    });
    program.results.push_back(std::move(result));
    if (program.results.size() > mostResults) program.results.erase(program.results.begin());
}

ProgramResult resultOf(const MeasuredLaunch& kept, const std::string& digest) {
    return {.digest = digest,
            .launch = kept.predicted.index,
            .measurement = std::make_shared<const ProgramMeasurement>(kept.measured),
            .recorded = true};
}

const ProgramResult* resultOfChosen(const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr) return nullptr;
    const ProgramResult* const result = lastOf(program, launch->index, true);
    return result != nullptr && result->measurement->launch == launch->launch ? result : nullptr;
}

const ProgramResult* formerResultOfChosen(const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr || resultOfChosen(program) != nullptr) return nullptr;
    return lastOf(program, launch->index, false);
}

std::vector<LineComparison> comparisonOfChosen(const ProgramState& program, std::uint32_t line) {
    const ProgramResult* const result = resultOfChosen(program);
    if (result == nullptr) return {};
    const std::vector<std::uint32_t>& statements = program.now->statements;
    std::vector<LineComparison> comparisons =
        compareStatements(*chosenLaunch(program), *result->measurement, program.path, statements);
    if (line != 0 && line <= statements.size()) {
        std::erase_if(comparisons,
                      [&](const LineComparison& one) { return one.line != statements[line - 1]; });
    }
    return comparisons;
}

std::map<std::uint32_t, ComparedLine> comparedLines(const ProgramState& program) {
    const ProgramResult* const result = resultOfChosen(program);
    if (result == nullptr) return {};
    return comparedLines(comparisonOfChosen(program), result->measurement->differences,
                         program.path);
}

std::vector<const LineDifference*> differencesOfChosen(const ProgramState& program,
                                                       std::uint32_t line) {
    std::vector<const LineDifference*> found;
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr || line == 0 || line > program.now->statements.size()) return found;
    const auto take = [&](const LineDifference& difference) {
        if (difference.line == program.now->statements[line - 1] &&
            sameFile(difference.file, program.path))
            found.push_back(&difference);
    };
    if (const ProgramResult* const result = resultOfChosen(program)) {
        std::ranges::for_each(result->measurement->differences, take);
    } else if (const ProgramDifferences* const known = ofNow(program.differences, program)) {
        for (const TriedDifference& tried : known->tried) {
            if (tried.kernel == launch->kernel) take(tried.difference);
        }
    }
    return found;
}

const CompiledLine* codeOfChosen(const ProgramState& program, std::uint32_t line) {
    const ProgramResult* const result = resultOfChosen(program);
    if (result == nullptr) return nullptr;
    const auto& code = result->measurement->code;
    const auto found = std::ranges::find_if(code, [&](const CompiledLine& one) {
        return one.line == line && sameFile(one.file, program.path);
    });
    return found == code.end() ? nullptr : &*found;
}

MeasuredProgram measuredOf(const ProgramState& program) {
    MeasuredProgram measured;
    if (!program.now) return measured;
    measured = {
        .program = program.path, .digest = program.now->digest, .notes = program.now->trace.notes};
    for (const LaunchReport& launch : program.now->trace.launches) {
        const ProgramResult* const result = lastOf(program, launch.index, true);
        if (result == nullptr || result->measurement->launch != launch.launch) continue;
        measured.launches.push_back({launch, *result->measurement});
    }
    return measured;
}

std::string takeKept(ProgramState& program, const MeasuredProgram& kept) {
    if (!program.now || program.now->digest != kept.digest) {
        return "it was measured of another text of the file, or launched with other values; "
               "measure this one";
    }
    for (const MeasuredLaunch& launch : kept.launches) {
        keep(program, resultOf(launch, kept.digest));
    }
    return {};
}

std::vector<ProposedValue> proposedForChosen(const ProgramState& program) {
    const auto& version =
        chosenLaunch(program) == nullptr && program.before ? program.before : program.now;
    const LaunchReport* const launch =
        version && program.launch ? launchOf(version->trace, *program.launch) : nullptr;
    if (launch == nullptr) return {};
    const std::string& whole = launch->kernel;
    const std::size_t scope = whole.rfind(':');
    const std::string name = whole.substr(scope == std::string::npos ? 0 : scope + 1);
    std::vector<ProposedValue> found;
    std::ranges::copy_if(version->proposed, std::back_inserter(found),
                         [&](const ProposedValue& value) { return value.kernel == name; });
    return found;
}

void wish(ProgramState& program, ProposedValue value) {
    value.kernel.clear();
    std::erase_if(program.wishes, [&](const ProposedValue& other) {
        return other.kind == value.kind && other.name == value.name;
    });
    if (!value.value.empty()) program.wishes.push_back(std::move(value));
    program.stage = "compiling";
}

bool isWarning(FindingKind kind) {
    return leavesResults(kind) || kind == FindingKind::notSupported ||
           kind == FindingKind::mayBeWhy;
}

std::string launchText(const Launch& launch) {
    std::string text = toLaunchSyntax(launch);
    for (std::size_t at = 0; (at = text.find("dim3", at)) != text.npos;) text.erase(at, 4);
    return text;
}

std::uint32_t worstLaunch(const ProgramState& program) {
    if (!program.now) return 0;
    const ProgramVersion& version = *program.now;
    std::uint32_t worst = 0;
    std::optional<Weight> most;
    for (const LaunchGroup& group : launchGroups(version.trace, program.path, version.lines)) {
        if (!group.call.empty()) continue;
        const LaunchReport& launch = version.trace.launches[group.first];
        const Weight weight = weightOf(program, launch);
        if (most && weight <= *most) continue;
        most = weight;
        worst = launch.index;
    }
    return worst;
}

void chooseLaunch(ProgramState& program, std::uint32_t index) {
    program.line = 0;
    program.costs.reset();
    program.finding.reset();
    program.blocksTried = 0;
    if (!program.now || program.now->trace.launches.empty()) return;
    const ProgramTrace& trace = program.now->trace;
    program.launch = launchOf(trace, index) != nullptr ? index : trace.launches.front().index;
    const LaunchReport& launch = *launchOf(trace, *program.launch);
    // What is wrong comes before what costs.
    const auto wrong = std::ranges::find_if(trace.findings, [&](const Finding& finding) {
        return finding.launch == launch.index && sameFile(finding.place.file, program.path) &&
               finding.place.line <= program.now->lines.size();
    });
    program.line = wrong != trace.findings.end()
                       ? wrong->place.line
                       : costliestLine(launch, program.path, program.now->lines.size());
    chooseDifference(program);
}

void chooseLineLike(ProgramState& program, const ShownLaunch& other) {
    const LaunchReport* const launch = chosenLaunch(program);
    const std::vector<std::string>& others = other.version->lines;
    if (launch == nullptr || other.line == 0 || other.line > others.size()) return;
    const auto isHere = [&](const SourcePlace& place) {
        return place.line != 0 && place.line <= program.now->lines.size() &&
               sameFile(place.file, program.path);
    };
    const std::vector<Finding>& findings = program.now->trace.findings;
    if (std::ranges::any_of(findings, [&](const Finding& finding) {
            return finding.launch == launch->index && isHere(finding.place);
        }))
        return;
    const auto bare = [](std::string text) {
        std::erase(text, ' ');
        return text;
    };
    const std::string wanted = bare(others[other.line - 1]);
    std::optional<std::uint32_t> nearest;
    for (const ProgramLine& line : launch->lines) {
        const std::uint32_t at = line.place.line;
        const auto away = [&](std::uint32_t number) {
            return std::max(number, other.line) - std::min(number, other.line);
        };
        if (isHere(line.place) && bare(program.now->lines[at - 1]) == wanted &&
            (!nearest || away(at) < away(*nearest)))
            nearest = at;
    }
    if (nearest) program.line = *nearest;
}

void chooseDifference(ProgramState& program) {
    const ProgramResult* const result = resultOfChosen(program);
    if (program.line != 0 || result == nullptr) return;
    const auto& differences = result->measurement->differences;
    const auto first = std::ranges::find_if(differences, [&](const LineDifference& one) {
        return one.line != 0 && one.line <= program.now->lines.size() &&
               sameFile(one.file, program.path);
    });
    if (first != differences.end()) program.line = first->line;
}

std::optional<RemedyPlace> tracedNow(const ProgramState& program) {
    if (!program.now || !program.now->failure.empty() || !program.stage.empty())
        return std::nullopt;
    return RemedyPlace{program.path, program.now, program.wishes};
}

std::optional<RemedyPlace> wantedRemedies(const ProgramState& program) {
    const bool isUndone =
        program.now && program.now->exercise && !program.now->exercise->left.empty();
    return isUndone ? std::nullopt : tracedNow(program);
}

std::optional<RemedyPlace> wantedDifferences(const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr || program.line == 0 || program.line > program.now->lines.size() ||
        !hasCompiled(*launch) || resultOfChosen(program) != nullptr)
        return std::nullopt;
    const auto costs = [&](Source source) {
        return costsByLine(*launch, program.path, program.now->lines.size(),
                           source)[program.line - 1];
    };
    return isSameWork(costs(Source::predicted), costs(Source::compiled)) ? std::nullopt
                                                                         : tracedNow(program);
}

namespace {

/// Sectors or wavefronts a request.
double eachRequest(const ProgramLine& line, bool isIdeal) {
    const bool isGlobal = line.sectors != 0;
    const std::uint64_t units = isIdeal ? (isGlobal ? line.idealSectors : line.idealWavefronts)
                                        : (isGlobal ? line.sectors : line.wavefronts);
    return line.requests == 0 ? 0 : static_cast<double>(units) / static_cast<double>(line.requests);
}

}  // namespace

bool isOfLine(const TriedRemedy& tried, const ProgramState& program) {
    return std::ranges::any_of(tried.places, [&](const SourcePlace& place) {
        return place.line == program.line && sameFile(place.file, program.path);
    });
}

std::vector<const Finding*> findingsHere(const ProgramState& program) {
    auto found = findingsAt(program.now->trace, program.path, program.line);
    const std::vector<Finding>& all = program.now->trace.findings;
    if (program.finding.value_or(SIZE_MAX) < all.size()) {
        const Finding& chosen = all[*program.finding];
        std::ranges::stable_sort(found, std::greater<>(), [&](const Finding* one) {
            return one == &chosen ? 2 : one->kind == chosen.kind ? 1 : 0;
        });
    }
    return found;
}

std::optional<std::size_t> editOfLine(const ProgramState& program) {
    const ProgramRemedies* const found = ofNow(program.remedies, program);
    if (found == nullptr) return std::nullopt;
    const auto wrong = findingsHere(program);
    std::optional<std::size_t> first;
    bool isOfFault = false;  // what is told of it comes before an edit for another
    for (std::size_t at = 0; at < found->tried.size(); ++at) {
        const TriedRemedy& tried = found->tried[at];
        if (!isOfLine(tried, program)) continue;
        if (!tried.diff.empty() && at == program.remedy) return at;
        const bool isFirsts = !wrong.empty() && tried.rule == ruleOf(wrong.front()->kind).id;
        if ((first && !isFirsts) || isOfFault) continue;
        isOfFault = isFirsts;
        first = tried.diff.empty() ? std::nullopt : std::optional(at);
    }
    return first;
}

std::optional<LineGoal> goalOfLine(const ProgramState& program) {
    const LaunchReport* const launch = chosenLaunch(program);
    if (launch == nullptr) return std::nullopt;
    const auto worst = worstAccessOfLine(*launch, program.path, program.line);
    if (!worst || isAtomic(worst->kind) || !isCostly(*worst)) return std::nullopt;
    // Not of what depends on data, and not before what is wrong there is put right.
    if (worst->hasNoFormula || !findingsAt(program.now->trace, program.path, program.line).empty())
        return std::nullopt;
    double within = 0;
    // A row that begins within a sector takes one more, each of those that a warp has.
    const auto beginsWithin = [&](std::int64_t bytes) {
        return std::abs(bytes) > std::int64_t{lanesPerWarp} * worst->address->elementBytes &&
               bytes % bytesPerSector != 0;
    };
    if (worst->sectors != 0 && worst->address &&
        std::ranges::any_of(worst->address->thread, beginsWithin))
        within = std::max(1U, lanesPerWarp / launch->launch.block.x);
    return LineGoal{launch->kernel,  worst->array, worst->kind, eachRequest(*worst, true) + within,
                    worst->requests, within};
}

const Finding* faultOf(const ProgramState& program) {
    if (!program.now) return nullptr;
    const std::vector<Finding>& all = program.now->trace.findings;
    const auto found =
        std::ranges::find_if(all, [](const Finding& finding) { return !isWarning(finding.kind); });
    return found == all.end() ? nullptr : &*found;
}

std::optional<LineGoal> standingOfGoal(const ProgramState& program) {
    std::optional<LineGoal> most;
    if (!program.goal || !program.now) return most;
    for (const LaunchReport& launch : program.now->trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (launch.kernel == program.goal->kernel && line.array == program.goal->array &&
                line.kind == program.goal->kind && line.source == Source::predicted) {
                const double each = eachRequest(line, false);
                const double least =
                    std::max(program.goal->most, eachRequest(line, true) + program.goal->within);
                if (!most || each - least > most->most - most->least)
                    most = {launch.kernel, line.array, line.kind, each, line.requests, 0, least};
            }
        }
    }
    return most;
}

void takeVersion(ProgramState& program, std::shared_ptr<const ProgramVersion> version) {
    // Of a file that was left and changed since, the version before is the one of then.
    const bool isFirst = program.now == nullptr;
    const auto then = isFirst ? std::exchange(program.then, nullptr) : program.now;
    // One that has none of its kernels is another program, as what a new file begins with.
    const auto isOfBoth = [&](const LaunchReport& launch) {
        return std::ranges::find(version->trace.launches, launch.kernel, &LaunchReport::kernel) !=
               version->trace.launches.end();
    };
    if (then && !then->trace.launches.empty() && !version->trace.launches.empty() &&
        std::ranges::none_of(then->trace.launches, isOfBoth)) {
        program.ran.reset();
        program.before.reset();
        program.launch.reset();
    } else if (then) {
        if (then->failure.empty()) program.ran = then;
        if (!then->trace.launches.empty() && (!isFirst || then->lines != version->lines))
            program.before = then;
    }
    const std::shared_ptr<const ProgramVersion> last =
        std::exchange(program.now, std::move(version));
    program.text.reset();
    program.stage.clear();
    program.stopping = false;
    const std::uint32_t line = program.line;
    if (!program.now->failure.empty() || faultOf(program) != nullptr) ++program.wrongVersions;
    if (!program.now->failure.empty()) {
        program.line = program.now->failureLine;
        return;
    }
    const bool isPicked = std::exchange(program.isLinePicked, false);
    if (program.now->proposed.empty()) program.wishes.clear();  // it has a main by now
    const LaunchReport* const former = !isFirst && program.before && program.launch
                                           ? launchOf(program.before->trace, *program.launch)
                                           : nullptr;
    chooseLaunch(program, former != nullptr ? nearestTo(program, *former)
                                            : program.launch.value_or(worstLaunch(program)));
    // Where the launches are right and the host is not, that is what is looked for.
    const Finding* const wrong = faultOf(program);
    if (wrong != nullptr && !wrong->launch && sameFile(wrong->place.file, program.path) &&
        wrong->place.line != 0 && wrong->place.line <= program.now->lines.size())
        program.line = wrong->place.line;
    const LaunchReport* const chosen = chosenLaunch(program);
    const bool isOfIt = former != nullptr && chosen != nullptr && chosen->kernel == former->kernel;
    if (line == 0 || !isOfIt || line > last->lines.size()) return;
    // Lines that came above it have moved it.
    const std::uint32_t moved = matchedLines(last->lines, program.now->lines)[line - 1];
    const std::uint32_t at = moved != 0 ? moved : line;
    const auto hasNumbers = [&](const LaunchReport& launch, std::uint32_t number) {
        return std::ranges::any_of(launch.lines, [&](const ProgramLine& each) {
            return each.place.line == number && sameFile(each.place.file, program.path);
        });
    };
    // What a remedy has mended is done, and so is what nobody has picked since, or of which nothing
    // is to be said: what else is wrong is next.
    const bool hasMore = !findingsAt(program.now->trace, program.path, at).empty() ||
                         std::ranges::any_of(chosen->lines, [&](const ProgramLine& each) {
                             return each.place.line == at &&
                                    sameFile(each.place.file, program.path) && isOfRules(each) &&
                                    breaksCostRule(each, *chosen);
                         });
    const bool isDone = program.takeBack || !isPicked || !hasMore;
    const std::vector<Finding>& all = program.now->trace.findings;
    const auto inLaunch =
        std::ranges::find_if(all, [](const Finding& each) { return each.launch.has_value(); });
    const Finding* const first = wrong == nullptr && inLaunch != all.end() ? &*inLaunch : wrong;
    if (isDone && first != nullptr && findingsAt(program.now->trace, program.path, at).empty()) {
        if (first->launch && first->launch != chosen->index) chooseLaunch(program, *first->launch);
        return;
    }
    // Where what was looked at is gone, what is wrong or costs takes its place.
    if (moved == 0 && hasNumbers(*former, line) && !hasNumbers(*chosen, at)) return;
    if (at <= program.now->lines.size()) program.line = at;
}

}  // namespace warplens::window
