#include "app/window/state/program.h"

#include <algorithm>
#include <filesystem>

namespace warplens::window {
namespace {

bool sameFile(const std::string& a, const std::string& b) {
    return a == b || std::filesystem::path(a).lexically_normal() ==
                         std::filesystem::path(b).lexically_normal();
}

void add(LineCosts& costs, const ProgramLine& line) {
    switch (line.kind) {
        case LineKind::load:
        case LineKind::store:
            costs.requests += line.requests;
            costs.sectors += line.sectors;
            costs.idealSectors += line.idealSectors;
            costs.uniqueBytes += line.uniqueBytes;
            break;
        case LineKind::atomic:
            if (line.sectors != 0) {
                costs.requests += line.requests;
                costs.sectors += line.sectors;
                costs.idealSectors += line.idealSectors;
                costs.uniqueBytes += line.uniqueBytes;
                break;
            }
            [[fallthrough]];
        case LineKind::sharedLoad:
        case LineKind::sharedStore:
            costs.sharedRequests += line.requests;
            costs.wavefronts += line.wavefronts;
            costs.idealWavefronts += line.idealWavefronts;
            break;
        case LineKind::branch:
            costs.branches += line.requests;
            costs.divergent += line.divergent;
            break;
    }
    if (!line.array.empty() && std::ranges::find(costs.arrays, line.array) == costs.arrays.end()) {
        costs.arrays.push_back(line.array);
    }
}

LineCosts sumOf(const ProgramLaunch& launch) {
    LineCosts sum;
    for (const ProgramLine& line : launch.lines) {
        if (line.source == Source::predicted) add(sum, line);
    }
    return sum;
}

const ProgramLaunch* launchOf(const ProgramTrace& trace, std::uint32_t index) {
    const auto found = std::ranges::find(trace.launches, index, &ProgramLaunch::index);
    return found == trace.launches.end() ? nullptr : &*found;
}

std::string extentsText(Extents extents) {
    if (extents.y == 1 && extents.z == 1) return std::to_string(extents.x);
    std::string text = '(' + std::to_string(extents.x) + ", " + std::to_string(extents.y);
    if (extents.z != 1) text += ", " + std::to_string(extents.z);
    return text + ')';
}

std::optional<double> share(std::uint64_t used, std::uint64_t sectors) {
    if (sectors == 0) return std::nullopt;
    return 100.0 * static_cast<double>(used) / (32.0 * static_cast<double>(sectors));
}

}  // namespace

std::optional<double> LineCosts::usedPercent() const {
    return share(uniqueBytes, sectors);
}

const ProgramLaunch* chosenLaunch(const ProgramState& program) {
    return program.now ? launchOf(program.now->trace, program.launch) : nullptr;
}

std::vector<LineCosts> costsByLine(const ProgramLaunch& launch, const std::string& file,
                                   std::size_t lines) {
    std::vector<LineCosts> costs(lines);
    for (const ProgramLine& line : launch.lines) {
        if (line.source != Source::predicted || line.place.line == 0 || line.place.line > lines ||
            !sameFile(line.place.file, file)) {
            continue;
        }
        add(costs[line.place.line - 1], line);
    }
    return costs;
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

std::string launchText(const Launch& launch) {
    std::string text = "<<<" + extentsText(launch.grid) + ", " + extentsText(launch.block);
    if (launch.dynamicSharedBytes != 0) text += ", " + std::to_string(launch.dynamicSharedBytes);
    return text + ">>>";
}

std::optional<double> usedPercent(const ProgramLaunch& launch) {
    const LineCosts sum = sumOf(launch);
    return share(sum.uniqueBytes, sum.sectors);
}

std::vector<VersionChange> changesOf(const ProgramState& program) {
    const ProgramLaunch* const now = chosenLaunch(program);
    const ProgramLaunch* const before =
        program.before ? launchOf(program.before->trace, program.launch) : nullptr;
    if (now == nullptr || before == nullptr) return {};
    const LineCosts a = sumOf(*before);
    const LineCosts b = sumOf(*now);
    std::vector<VersionChange> changes;
    const auto compare = [&](std::string_view what, std::uint64_t old, std::uint64_t fresh) {
        if (old != fresh) {
            changes.push_back({what, static_cast<double>(old), static_cast<double>(fresh)});
        }
    };
    compare("Requests", a.requests, b.requests);
    compare("Sectors", a.sectors, b.sectors);
    compare("Shared wavefronts", a.wavefronts, b.wavefronts);
    compare("Divergent branches", a.divergent, b.divergent);
    return changes;
}

void chooseLaunch(ProgramState& program, std::uint32_t index) {
    program.line = 0;
    if (!program.now || program.now->trace.launches.empty()) return;
    const ProgramTrace& trace = program.now->trace;
    program.launch = launchOf(trace, index) != nullptr ? index : trace.launches.front().index;
    const ProgramLaunch& launch = *launchOf(trace, program.launch);
    program.line = worstLine(costsByLine(launch, program.path, program.now->lines.size()));
}

void takeVersion(ProgramState& program, std::shared_ptr<const ProgramVersion> version) {
    if (program.now && program.now->failure.empty()) program.before = program.now;
    program.now = std::move(version);
    program.stage.clear();
    const std::uint32_t line = program.line;
    if (!program.now->failure.empty()) {
        program.line = program.now->failureLine;
        return;
    }
    chooseLaunch(program, program.launch);
    if (line != 0 && line <= program.now->lines.size() && program.before) program.line = line;
}

}  // namespace warplens::window
