#include "core/program/costliest_line.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "core/program/warnings.h"

namespace warplens {
namespace {

double lanesOf(const LineCost& cost) {
    return static_cast<double>(cost.activeLanes) / static_cast<double>(cost.requests);
}

/// The line of the branch that diverges most, of those that `check` warns of; null: none.
const ProgramLine* mostDiverging(const LaunchReport& launch, const std::string& file,
                                 std::size_t lines) {
    const ProgramLine* most = nullptr;
    for (const ProgramLine& one : launch.lines) {
        const bool isCandidate = one.source == Source::predicted &&
                                 one.kind == AccessKind::branch && one.place.line != 0 &&
                                 one.place.line <= lines && sameFile(one.place.file, file) &&
                                 breaksCostRule(one, launch);
        if (isCandidate && (most == nullptr || one.divergent > most->divergent)) most = &one;
    }
    return most;
}

void add(LineWaste& waste, const ProgramLine& line, const LaunchReport& launch) {
    const bool breaks = breaksCostRule(line, launch);
    waste.breaksRule = waste.breaksRule || breaks;
    if (line.kind == AccessKind::branch) {
        if (breaks) waste.divergent += line.divergent;
    } else if (partingOf(line, launch) != nullptr) {
        return;
    } else if (line.kind == AccessKind::constantLoad) {
        waste.turns += wasteOf(line.kind, line);
    } else {
        (isGlobal(line.kind) ? waste.sectors : waste.wavefronts) += wasteOf(line.kind, line);
        if (isAtomic(line.kind) && breaks) waste.turns += line.sameAddress;
    }
}

auto weightOf(const LineWaste& line) {
    return std::pair(line.breaksRule, line.all());
}

}  // namespace

const ProgramLine* partingOf(const ProgramLine& access, const LaunchReport& launch) {
    if ((access.kind != AccessKind::load && access.kind != AccessKind::store) ||
        wasteOf(access.kind, access) == 0 || !access.address ||
        std::abs(access.address->thread[0]) != access.address->elementBytes)
        return nullptr;
    const auto leavesOut = [&](std::uint32_t lanes) {
        return access.activeLanes ==
               access.requests * static_cast<std::uint64_t>(std::popcount(lanes));
    };
    const ProgramLine* nearest = nullptr;
    for (const ProgramLine& one : launch.lines) {
        if (one.source != Source::predicted || one.kind != AccessKind::branch || !one.lanes ||
            one.place.line > access.place.line || !sameFile(one.place.file, access.place.file) ||
            !breaksCostRule(one, launch))
            continue;
        const bool isOfIt = leavesOut(one.lanes->oneWay) || leavesOut(one.lanes->otherWay);
        if (isOfIt && (nearest == nullptr || one.place.line > nearest->place.line)) nearest = &one;
    }
    return nearest;
}

std::vector<LineWaste> wasteByLine(const LaunchReport& launch, const std::string& file,
                                   std::size_t lines) {
    std::vector<LineWaste> all(lines);
    for (const ProgramLine& line : launch.lines) {
        if (line.source != Source::predicted || line.place.line == 0 || line.place.line > lines ||
            !sameFile(line.place.file, file))
            continue;
        add(all[line.place.line - 1], line, launch);
    }
    return all;
}

LineWaste worstWaste(const LaunchReport& launch, const std::string& file) {
    std::map<std::pair<std::string, std::uint32_t>, LineWaste> all;
    for (const ProgramLine& line : launch.lines) {
        const SourcePlace& place = line.place;
        if (line.source == Source::predicted && place.line != 0 &&
            (file.empty() || sameFile(place.file, file)))
            add(all[{place.file, place.line}], line, launch);
    }
    LineWaste worst;
    for (const auto& [place, waste] : all) worst = std::ranges::max(worst, waste, {}, weightOf);
    return worst;
}

std::uint32_t costliestLine(const LaunchReport& launch, const std::string& file,
                            std::size_t lines) {
    const std::vector<LineWaste> waste = wasteByLine(launch, file, lines);
    const auto most = std::ranges::max_element(waste, {}, weightOf);
    if (most == waste.end() || most->all() == 0) return 0;
    const auto line = static_cast<std::uint32_t>(most - waste.begin()) + 1;
    const ProgramLine* const branch = mostDiverging(launch, file, lines);
    if (branch == nullptr || branch->place.line >= line) return line;
    const LineCost global = costsByLine(launch, file, lines)[line - 1].global;
    const bool isBehind = global.requests != 0 && lanesOf(global) < 0.75 * lanesOf(*branch);
    return isBehind ? branch->place.line : line;
}

}  // namespace warplens
