#include "core/program/line_costs.h"

#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "core/text/format.h"

namespace warplens {

void LineCosts::add(const ProgramLine& line) {
    dependsOnOrder = dependsOnOrder || line.inOtherOrder;
    if (line.kind == AccessKind::branch) return branch.add(line);
    if (isLocal(line.kind)) return local.add(line);
    const bool isConstant = line.kind == AccessKind::constantLoad;
    (isConstant ? constant : isGlobal(line.kind) ? global : shared).add(line);
    std::vector<ProgramLine>& parts = isConstant            ? constantParts
                                      : isGlobal(line.kind) ? globalParts
                                                            : sharedParts;
    const auto found = std::ranges::find_if(parts, [&](const ProgramLine& one) {
        return one.kind == line.kind && one.array == line.array &&
               (!isConstant || one.place.column == line.place.column);
    });
    if (found != parts.end()) {
        found->add(line);
        found->isJoined &= line.isJoined;
    } else {  // loads first
        parts.insert(std::ranges::upper_bound(parts, line.kind, {}, &ProgramLine::kind), line);
    }
    if (!isConstant && !line.array.empty() && line.array != toolkitTable &&
        std::ranges::find(arrays, line.array) == arrays.end()) {
        arrays.push_back(line.array);
    }
}

bool sameFile(const std::string& a, const std::string& b) {
    return a == b || std::filesystem::path(a).lexically_normal() ==
                         std::filesystem::path(b).lexically_normal();
}

std::vector<const Finding*> findingsAt(const ProgramTrace& trace, const std::string& file,
                                       std::uint32_t line) {
    std::vector<const Finding*> found;
    for (const Finding& finding : trace.findings) {
        const bool here = finding.place.line == line && sameFile(finding.place.file, file);
        if (here) found.push_back(&finding);
    }
    return found;
}

std::uint32_t LineCosts::mostInTurns() const {
    std::uint32_t most = 0;
    for (const auto* parts : {&globalParts, &sharedParts}) {
        for (const ProgramLine& part : *parts) {
            if (!part.isJoined && part.mostSameAddress > 1)
                most = std::max(most, part.mostSameAddress);
        }
    }
    return most;
}

LineCost LineCosts::atomics() const {
    LineCost sum;
    for (const auto* parts : {&globalParts, &sharedParts}) {
        for (const ProgramLine& part : *parts) {
            if (isAtomic(part.kind)) sum.add(part);
        }
    }
    return sum;
}

std::uint64_t LineCosts::wastedTurns() const {
    const LineCost all = atomics();
    return all.sameAddress > all.requests ? all.sameAddress - all.requests : 0;
}

std::optional<double> LineCosts::usedPercent() const {
    if (global.sectors == 0) return std::nullopt;
    return 100.0 * static_cast<double>(global.uniqueBytes) /
           (bytesPerSector * static_cast<double>(global.sectors));
}

LineCosts costsOf(const LaunchReport& launch) {
    LineCosts sum;
    for (const ProgramLine& line : launch.lines) {
        if (line.source == Source::predicted || isLocal(line.kind)) sum.add(line);
    }
    return sum;
}

std::vector<LineCosts> costsByLine(const LaunchReport& launch, const std::string& file,
                                   std::size_t lines, Source source) {
    std::vector<LineCosts> costs(lines);
    for (const ProgramLine& line : launch.lines) {
        if ((line.source != source && !isLocal(line.kind)) || line.place.line == 0 ||
            line.place.line > lines || !sameFile(line.place.file, file)) {
            continue;
        }
        costs[line.place.line - 1].add(line);
    }
    return costs;
}

bool isSameWork(const LineCosts& a, const LineCosts& b) {
    const auto work = [](const LineCosts& line) {
        return std::tuple(line.global.requests, line.global.sectors, line.shared.requests,
                          line.shared.wavefronts);
    };
    return work(a) == work(b);
}

WarpReach mostReaching(const BlockSteps& block, const LaunchReport& launch) {
    using Place = std::pair<std::uint32_t, AccessKind>;
    std::set<Place> all;
    for (const ProgramLine& line : launch.lines) {
        const bool counts = line.source == Source::predicted && line.kind != AccessKind::branch &&
                            sameFile(line.place.file, block.file);
        if (counts) all.insert({line.place.line, line.kind});
    }
    WarpReach most{.ofPlaces = all.size()};
    for (std::uint32_t warp = 0; warp < block.warps.size(); ++warp) {
        std::set<Place> reached;
        for (const BlockStep& step : block.warps[warp].steps) {
            const SourcePlace& place = block.places.at(step.place);
            const Place at{place.line, step.kind};
            if (sameFile(place.file, block.file) && all.contains(at)) reached.insert(at);
        }
        if (reached.size() > most.places) most = {warp, reached.size(), all.size()};
    }
    return most;
}

std::uint32_t worstLine(const std::vector<LineCosts>& costs) {
    const auto waste = [](const LineCosts& line) {
        return std::pair(line.wastedSectors(), line.conflicts());
    };
    const auto worst = std::ranges::max_element(costs, {}, waste);
    if (worst == costs.end() || waste(*worst) == std::pair<std::uint64_t, std::uint64_t>{})
        return 0;
    return static_cast<std::uint32_t>(worst - costs.begin()) + 1;
}

std::vector<LineComparison> compareLines(const std::vector<ProgramLine>& predicted,
                                         const std::vector<ProgramLine>& measured) {
    std::map<std::tuple<std::string, std::uint32_t, AccessKind>, LineComparison> byLine;
    std::array<bool, lineSources.size()> looked{};
    // The code that was measured is told, where it was counted, not what another compiler made.
    const bool compiledHere =
        std::ranges::find(measured, Source::compiled, &ProgramLine::source) != measured.end();
    for (const auto* const list : {&predicted, &measured}) {
        for (const ProgramLine& line : *list) {
            if (list == &predicted && compiledHere && line.source == Source::compiled) continue;
            const auto which = static_cast<std::size_t>(
                std::ranges::find(lineSources, line.source) - lineSources.begin());
            // No counter of the device tells of constant memory, and only compiled code has local.
            if (which == lineSources.size() || line.kind == AccessKind::constantLoad ||
                isLocal(line.kind))
                continue;
            looked.at(which) = true;
            LineComparison& comparison = byLine[{line.place.file, line.place.line, line.kind}];
            std::optional<LineCost>& counts = comparison.counts.at(which);
            if (!counts) counts.emplace();
            counts->add(line);
        }
    }
    std::vector<LineComparison> all;
    for (auto& [key, comparison] : byLine) {
        std::tie(comparison.file, comparison.line, comparison.kind) = key;
        for (std::size_t which = 0; which < looked.size(); ++which) {
            if (looked.at(which) && !comparison.counts.at(which))
                comparison.counts.at(which).emplace();
        }
        all.push_back(std::move(comparison));
    }
    return all;
}

std::vector<LineComparison> compareStatements(const LaunchReport& launch,
                                              const ProgramMeasurement& measured,
                                              const std::string& file,
                                              const std::vector<std::uint32_t>& statements) {
    const auto ofThisFile = [&](const std::vector<ProgramLine>& lines) {
        std::vector<ProgramLine> found;
        for (const ProgramLine& one : lines) {
            const std::uint32_t at = one.place.line;
            if (at == 0 || at > statements.size() || !sameFile(one.place.file, file)) continue;
            found.push_back(one);
            found.back().place.file = file;
            found.back().place.line = statements[at - 1];
        }
        return found;
    };
    return compareLines(ofThisFile(launch.lines), ofThisFile(measured.lines));
}

void add(std::vector<LineComparison>& all, const std::vector<LineComparison>& more) {
    for (const LineComparison& one : more) {
        const auto known = std::ranges::find_if(all, [&](const LineComparison& other) {
            return other.line == one.line && other.kind == one.kind && other.file == one.file;
        });
        if (known == all.end()) {
            all.push_back(one);
            continue;
        }
        for (std::size_t which = 0; which < one.counts.size(); ++which) {
            const auto& counts = one.counts.at(which);
            if (!counts) continue;
            LineCost sum = known->counts.at(which).value_or(LineCost{});
            sum.add(*counts);
            known->counts.at(which) = sum;
        }
    }
}

std::map<std::uint32_t, ComparedLine> comparedLines(const std::vector<LineComparison>& all,
                                                    const std::vector<LineDifference>& differences,
                                                    const std::string& file) {
    std::map<std::uint32_t, ComparedLine> lines;
    std::map<std::uint32_t, std::uint64_t> most;  // of what is shown
    for (const LineComparison& comparison : all) {
        const auto difference = std::ranges::find_if(differences, [&](const LineDifference& one) {
            return one.line == comparison.line && nameOf(one.kind) == nameOf(comparison.kind) &&
                   sameFile(one.file, file);
        });
        const bool differs = difference != differences.end();
        const bool requests =
            (differs && difference->quantity == "requests") || isAtomic(comparison.kind);
        ComparedLine line{.unit = std::string(requests ? "requests" : unitOf(comparison.kind)),
                          .differs = differs};
        std::uint64_t weight = 0;
        for (std::size_t which = 0; which < line.numbers.size(); ++which) {
            const auto& counts = comparison.counts.at(which);
            if (!counts) continue;
            line.numbers.at(which) =
                requests ? counts->requests : unitsOf(comparison.kind, *counts);
            weight = std::max(weight, *line.numbers.at(which));
        }
        // Branches are not the same thing to the three: they give way to what is.
        if (comparison.kind == AccessKind::branch) weight = 0;
        const auto [shown, isFirst] = lines.try_emplace(comparison.line);
        const bool better =
            differs != shown->second.differs ? differs : weight > most[comparison.line];
        if (!isFirst && !better) continue;
        shown->second = std::move(line);
        most[comparison.line] = weight;
    }
    return lines;
}

std::string inWords(const ComparedLine& line) {
    const auto& numbers = line.numbers;
    const auto says = [](const std::optional<std::uint64_t>& number) {
        return number.value_or(0) != 0;
    };
    if (std::ranges::none_of(numbers, says)) return {};
    std::string all;
    const bool isOne = std::ranges::all_of(
        numbers, [&](const auto& number) { return number && number == numbers.front(); });
    if (isOne)
        return groupedDigits(*numbers.front()) + ' ' + line.unit +
               ", predicted = compiled = counted";
    for (std::size_t which = 0; which < numbers.size(); ++which) {
        if (!numbers.at(which)) continue;
        const bool first = all.empty();
        all += (first ? "" : ", ") + groupedDigits(*numbers.at(which)) +
               (first ? ' ' + line.unit : std::string()) + ' ' +
               std::string(namesOfLineSources.at(which));
    }
    return all;
}

}  // namespace warplens
