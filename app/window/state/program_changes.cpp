#include "app/window/state/program_changes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>

#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// The line whose lanes meet most in banks of shared memory by what the data are, which is no
/// fault; null: none.
const ProgramLine* conflictsByData(const LaunchReport& launch) {
    const ProgramLine* most = nullptr;
    for (const ProgramLine& line : launch.lines) {
        if (isOfRules(line) && isShared(line.kind) && line.decidedBy == CostDecider::data &&
            wasteOf(line.kind, line) > (most == nullptr ? 0 : wasteOf(most->kind, *most)))
            most = &line;
    }
    return most;
}

/// Begins what a linker says of what it misses.
constexpr std::string_view notLinked = "undefined reference to ";

std::uint64_t bytesStored(const LaunchReport& launch) {
    std::uint64_t bytes = 0;
    for (const ProgramLine& line : launch.lines) {
        if (line.kind == AccessKind::store && line.source == Source::predicted) {
            bytes += line.uniqueBytes;
        }
    }
    return bytes;
}

bool doSameWork(const LaunchReport& before, const LaunchReport& now) {
    const std::uint64_t stored = bytesStored(before);
    if (before.launch == now.launch) return bytesStored(now) <= stored;
    if (stored != bytesStored(now)) return false;
    return stored != 0 || before.launch.threadCount() == now.launch.threadCount();
}

/// By the first that has changed by more than 2 %: sectors before wavefronts, and both before
/// branches. Where none has, by the first that has changed at all; requests alone are no gain.
bool isBetter(const std::vector<VersionChange>& changes) {
    constexpr std::array<std::string_view, 3> order{"Sectors", "Shared wavefronts",
                                                    "Divergent branches"};
    for (const std::uint64_t share : {50U, 0U}) {
        for (const std::string_view what : order) {
            const auto change = std::ranges::find(changes, what, &VersionChange::what);
            if (change == changes.end()) continue;
            const auto [fewer, more] = std::minmax(change->before, change->now);
            if (share == 0 || share * (more - fewer) > more) return change->now < change->before;
        }
    }
    return false;
}

/// `As many sectors in all: 375,000`, and of which arrays more and fewer of them are than before.
std::string sectorsInAll(const LaunchReport& before, const LaunchReport& now) {
    std::map<std::string, std::int64_t> more;  // by array
    std::int64_t all = 0;
    for (const LaunchReport* launch : {&before, &now}) {
        for (const ProgramLine& line : launch->lines) {
            if (line.source != Source::predicted || !isGlobal(line.kind)) continue;
            const auto sectors = static_cast<std::int64_t>(line.sectors);
            more[line.array] += launch == &now ? sectors : -sectors;
            if (launch == &now) all += sectors;
        }
    }
    if (all == 0) return {};
    std::string words = "As many sectors in all: " + groupedDigits(static_cast<std::uint64_t>(all));
    const auto [least, most] =
        std::ranges::minmax_element(more, {}, [](const auto& array) { return array.second; });
    return 50 * most->second <= all || 50 * least->second >= -all
               ? words
               : words + "; " + most->first + " takes now what " + least->first + " took";
}

}  // namespace

bool wasEnded(const ProgramExit& exit) {
    return !exit.stopped.empty() || !exit.signal.empty();
}

const LaunchReport* counterpartOf(const ProgramTrace& of, const LaunchReport& launch,
                                  const ProgramTrace& in) {
    const auto before = std::ranges::count_if(of.launches, [&](const LaunchReport& other) {
        return other.kernel == launch.kernel && other.index < launch.index;
    });
    std::ptrdiff_t seen = 0;
    const auto found = std::ranges::find_if(in.launches, [&](const LaunchReport& other) {
        return other.kernel == launch.kernel && seen++ == before;
    });
    return found == in.launches.end() ? nullptr : &*found;
}

std::vector<VersionChange> changesOf(const ProgramState& program) {
    const LaunchReport* const now = chosenLaunch(program);
    const LaunchReport* const before =
        now != nullptr && program.before
            ? counterpartOf(program.now->trace, *now, program.before->trace)
            : nullptr;
    if (before == nullptr) return {};
    const LineCosts a = costsOf(*before);
    const LineCosts b = costsOf(*now);
    const bool sameWork = doSameWork(*before, *now);
    std::vector<VersionChange> changes;
    const auto compare = [&](std::string_view what, std::uint64_t old, std::uint64_t fresh,
                             bool isWaste = true) {
        if (old != fresh) changes.push_back({what, old, fresh, sameWork, isWaste});
    };
    compare("Requests", a.global.requests, b.global.requests, false);
    compare("Sectors", a.global.sectors, b.global.sectors);
    compare("Shared wavefronts", a.shared.wavefronts, b.shared.wavefronts,
            b.conflicts() > a.conflicts());
    compare("Divergent branches", divergentBranches(*before), divergentBranches(*now));
    if (!sameWork) compare("Bytes stored", bytesStored(*before), bytesStored(*now));
    return changes;
}

std::uint64_t divergentBranches(const LaunchReport& launch) {
    std::uint64_t sum = 0;
    for (const ProgramLine& line : launch.lines) {
        const bool isSeldom = line.isGuard || 10 * line.divergent <= line.requests;
        if (line.source != Source::predicted || line.kind != AccessKind::branch || isSeldom)
            continue;
        const auto isCompiled = [&](const ProgramLine& other) {
            return other.source == Source::compiled && other.kind == line.kind &&
                   other.divergent != 0 && other.place.line == line.place.line &&
                   other.place.file == line.place.file;
        };
        if (!hasCompiled(launch) || std::ranges::any_of(launch.lines, isCompiled))
            sum += line.divergent;
    }
    return sum;
}

std::string verdictOf(const ProgramState& program, const std::vector<VersionChange>& changes) {
    const LaunchReport* const chosen = chosenLaunch(program);
    const LaunchReport* const old =
        chosen == nullptr || !program.before
            ? nullptr
            : counterpartOf(program.now->trace, *chosen, program.before->trace);
    if (chosen == nullptr || (changes.empty() ? old == nullptr : !changes.front().sameWork))
        return {};
    const LaunchReport& launch = *chosen;
    const std::string kept = old == nullptr ? std::string() : sectorsInAll(*old, launch);
    if (changes.empty() && !kept.ends_with(" took")) return {};
    if (const Finding* const fault = faultOf(program))
        return "What it costs counts once nothing is wrong: " + kindInWords(fault->kind) +
               " is to be mended first.";
    std::string gain;
    std::string price;
    bool isWaste = false;
    for (const VersionChange& change : changes) {
        const bool isLess = change.now < change.before;
        std::string& words = isLess ? gain : price;
        const std::uint64_t by = isLess ? change.before - change.now : change.now - change.before;
        std::string what(change.what);
        what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
        if (by == 1) what.resize(what.ends_with("branches") ? what.size() - 2 : what.size() - 1);
        words += (words.empty() ? "" : ", ") + groupedDigits(by) + (isLess ? " fewer " : " more ") +
                 what;
        isWaste |= !isLess && change.isWaste;
    }
    const bool isLeft = std::ranges::any_of(launch.lines, [&](const ProgramLine& line) {
        return isOfRules(line) && breaksCostRule(line, launch);
    });
    const bool isOfRequests =
        changes.empty() || (changes.size() == 1 && changes[0].what == "Requests");
    // Of a warp that goes two ways nothing says how long either is.
    const bool isOfBranches = changes.size() == 1 && changes[0].what == "Divergent branches";
    // What it costs more or less belongs to what was mended.
    const bool isMended =
        program.before && !changes.empty() &&
        std::ranges::any_of(program.before->trace.findings,
                            [](const Finding& was) { return !isWarning(was.kind); });
    const std::string fails = verdictInWords(program.now->trace);
    if (!fails.empty()) return "The program " + fails + '.';
    return (isMended ? "No fault is left" + (price.empty() ? "" : "; its price: " + price) +
                           (gain.empty() ? "" : "; it has " + gain)
            : isOfRequests ? kept + (kept.empty() || changes.empty() ? "" : "; ") + gain + price
            : gain.empty() ? (isWaste ? "Worse: " : "Nothing gained: ") + price
            : !isBetter(changes) ? "Worse: " + price + "; it has " + gain
            : isOfBranches       ? "Memory costs the same; " + gain
            : price.empty()      ? "Better: " + gain
                                 : "Better: " + gain + "; its price: " + price) +
           (isLeft                        ? ". Some lines still cost more than they must."
            : leftInWords(launch).empty() ? ". No line costs more than it must."
                                          : ". No line breaks a rule; " + leftInWords(launch));
}

std::string leftInWords(const LaunchReport& launch) {
    const ProgramLine* const could = costsALittle(launch);
    const ProgramLine* const line = could != nullptr ? could : conflictsByData(launch);
    if (line == nullptr) return {};
    const auto each = [&](std::uint64_t units) {
        return fixedNumber(static_cast<double>(units) / static_cast<double>(line->requests), 2);
    };
    if (could == nullptr)
        return "line " + std::to_string(line->place.line) + " takes " +
               each(unitsOf(line->kind, *line)) + ' ' + std::string(unitOf(line->kind)) +
               " a request because of its data, which is no fault.";
    return "line " + std::to_string(line->place.line) + " could take " +
           each(idealOf(line->kind, *line)) + ' ' + std::string(unitOf(line->kind)) +
           " a request at best, and takes " + each(unitsOf(line->kind, *line)) + '.';
}

std::vector<const LaunchReport*> launchesGone(const ProgramState& program) {
    std::vector<const LaunchReport*> gone;
    if (!program.now || !program.now->failure.empty() || !program.before) return gone;
    const ProgramTrace& before = program.before->trace;
    for (const LaunchReport& launch : before.launches) {
        if (counterpartOf(before, launch, program.now->trace) == nullptr) gone.push_back(&launch);
    }
    return gone;
}

std::string whyWithout(std::string_view launch, const ProgramTrace& trace) {
    const ProgramExit& exit = trace.exit;
    const std::string before = " before " + std::string(launch);
    const auto has = [&](FindingKind kind) {
        return std::ranges::any_of(trace.findings,
                                   [&](const Finding& finding) { return finding.kind == kind; });
    };
    if (exit.stopped == "it was cancelled") return "The run was stopped" + before + '.';
    if (!exit.stopped.empty()) return "The run was ended" + before + ": " + exit.stopped + '.';
    if (!exit.signal.empty()) return "The program was ended by " + exit.signal + before + '.';
    if (!exit.status && has(FindingKind::notSupported)) {
        return "The program was not run: it uses what cannot be traced.";
    }
    if (has(FindingKind::launchRefused)) return "CUDA refuses the launch: nothing of it runs.";
    if (exit.status.value_or(0) != 0) {
        return "The program returned " + std::to_string(*exit.status) + before + '.';
    }
    return "The program ended without " + std::string(launch) + '.';
}

std::vector<std::string_view> errorsIn(std::string_view said) {
    std::vector<std::string_view> errors;
    std::vector<std::string_view> missed;
    for (const std::string_view line : splitLines(said)) {
        if (line.find("error") != line.npos) errors.push_back(line);
        // Before it stands where the linker lies, and which of its files asks.
        if (const std::size_t at = line.find(notLinked); at != line.npos)
            missed.push_back(line.substr(at));
    }
    // The linker's last line says no more than that it ended.
    return missed.empty() ? errors : missed;
}

std::string_view errorHint(std::string_view said) {
    const auto has = [&](std::string_view words) { return said.find(words) != said.npos; };
    constexpr std::string_view types = "argument types are: (";
    const std::size_t at = std::min(said.find(types), said.size());
    const bool isOfValue = said.substr(at, said.find(',', at) - at).find('*') == said.npos;
    return has("expected a \";\"")      ? "A ; is often missing at the end of the line before."
           : has("reference to `main'") ? "There is no main: a program begins at int main()."
           : isOfValue && has("no instance of overloaded function \"atomic")
               ? "An atomic takes an address: put & before its first argument, as in "
                 "atomicAdd(&local[b], 1)."
           : has(notLinked) ? "It is used, but written in no file that is compiled."
                            : "";
}

std::vector<std::uint32_t> matchedLines(const std::vector<std::string>& lines,
                                        const std::vector<std::string>& traced) {
    std::vector<std::uint32_t> matched(lines.size());
    if (&lines == &traced || lines == traced) {
        std::iota(matched.begin(), matched.end(), 1U);
        return matched;
    }
    // Whoever edits a file changes it in one place: what stands before and behind it is the same.
    const auto begin =
        static_cast<std::size_t>(std::ranges::mismatch(lines, traced).in1 - lines.begin());
    for (std::size_t i = 0; i < begin; ++i) matched[i] = static_cast<std::uint32_t>(i) + 1;
    const std::size_t least = std::min(lines.size(), traced.size()) - begin;
    for (std::size_t i = 1; i <= least; ++i) {
        if (lines[lines.size() - i] != traced[traced.size() - i]) break;
        matched[lines.size() - i] = static_cast<std::uint32_t>(traced.size() - i) + 1;
    }
    return matched;
}

std::vector<std::string> linesShown(std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string_view written : splitLines(withoutByteOrderMark(text))) {
        std::string line(written);
        if (line.ends_with('\r')) line.pop_back();
        // Tabs are drawn as the four columns that most files mean.
        for (std::size_t tab = 0; (tab = line.find('\t', tab)) != std::string::npos;) {
            line.replace(tab, 1, 4 - tab % 4, ' ');
        }
        lines.push_back(asUtf8(line, line.size()));
    }
    return lines;
}

bool mayTakeBack(const ProgramState& program, const std::vector<std::string>& lines) {
    const auto& back = program.takeBack;
    return back && (!sameFile(back->file, program.path) || linesShown(back->expected) == lines);
}

ShownText shownText(const ProgramState& program) {
    static const std::vector<std::string> none;
    const std::vector<std::string>& traced = program.now ? program.now->lines : none;
    const std::vector<std::string>& lines = program.text ? *program.text : traced;
    return {.lines = lines, .traced = matchedLines(lines, traced)};
}

}  // namespace warplens::window
