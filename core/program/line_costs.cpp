#include "core/program/line_costs.h"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

namespace warplens {

void LineCosts::add(const ProgramLine& line) {
    dependsOnOrder = dependsOnOrder || line.inOtherOrder;
    const auto sum = [&](std::vector<AccessCosts>& all, std::uint64_t units, std::uint64_t ideal) {
        auto found = std::ranges::find_if(all, [&](const AccessCosts& one) {
            return one.kind == line.kind && one.array == line.array;
        });
        if (found == all.end()) {
            const auto behind =
                std::ranges::upper_bound(all, line.kind, {}, &AccessCosts::kind);  // loads first
            found = all.insert(behind, {.kind = line.kind, .array = line.array});
        }
        found->requests += line.requests;
        found->units += units;
        found->ideal += ideal;
    };
    if (isAtomic(line.kind)) {
        mostSameAddress = std::max(mostSameAddress, line.mostSameAddress);
    }
    if (line.kind == AccessKind::branch) {
        branches += line.requests;
        divergent += line.divergent;
    } else if (isGlobal(line.kind)) {
        requests += line.requests;
        sectors += line.sectors;
        idealSectors += line.idealSectors;
        uniqueBytes += line.uniqueBytes;
        sum(global, line.sectors, line.idealSectors);
    } else {
        sharedRequests += line.requests;
        wavefronts += line.wavefronts;
        idealWavefronts += line.idealWavefronts;
        sum(shared, line.wavefronts, line.idealWavefronts);
    }
    if (!line.array.empty() && std::ranges::find(arrays, line.array) == arrays.end()) {
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

std::optional<double> LineCosts::usedPercent() const {
    if (sectors == 0) return std::nullopt;
    return 100.0 * static_cast<double>(uniqueBytes) /
           (bytesPerSector * static_cast<double>(sectors));
}

LineCosts costsOf(const LaunchReport& launch) {
    LineCosts sum;
    for (const ProgramLine& line : launch.lines) {
        if (line.source == Source::predicted) sum.add(line);
    }
    return sum;
}

std::vector<LineCosts> costsByLine(const LaunchReport& launch, const std::string& file,
                                   std::size_t lines, Source source) {
    std::vector<LineCosts> costs(lines);
    for (const ProgramLine& line : launch.lines) {
        if (line.source != source || line.place.line == 0 || line.place.line > lines ||
            !sameFile(line.place.file, file)) {
            continue;
        }
        costs[line.place.line - 1].add(line);
    }
    return costs;
}

bool isSameWork(const LineCosts& a, const LineCosts& b) {
    const auto work = [](const LineCosts& line) {
        return std::tuple(line.requests, line.sectors, line.sharedRequests, line.wavefronts);
    };
    return work(a) == work(b);
}

std::uint32_t worstLine(const std::vector<LineCosts>& costs) {
    const auto waste = [](const LineCosts& line) {
        const std::uint64_t replays =
            line.wavefronts > line.idealWavefronts ? line.wavefronts - line.idealWavefronts : 0;
        return std::pair(line.wastedSectors(), replays);
    };
    const auto worst = std::ranges::max_element(costs, {}, waste);
    if (worst == costs.end() || waste(*worst) == std::pair<std::uint64_t, std::uint64_t>{})
        return 0;
    return static_cast<std::uint32_t>(worst - costs.begin()) + 1;
}

}  // namespace warplens
