#include <algorithm>
#include <map>
#include <set>

#include "app/cli/output.h"
#include "app/cli/sweeping.h"
#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/launch/launch.h"
#include "core/program/line_costs.h"
#include "core/text/format.h"

namespace warplens {
namespace {

struct ProgramPoint final {
    std::string value;  ///< `N=64`, `block=16,16`
    TraceRequest request;
    ProgramTrace trace{};
    std::string failure{};
};

std::string shapeWords(Extents extents) {
    return std::to_string(extents.x) + ',' + std::to_string(extents.y) + ',' +
           std::to_string(extents.z);
}

std::vector<ProgramPoint> programPointsOf(const TraceRequest& base, const Axis& axis) {
    std::vector<ProgramPoint> points;
    if (const auto* shapes = std::get_if<BlockAxis>(&axis)) {
        for (const Extents shape : shapesOf(*shapes)) {
            points.push_back({"block=" + shapeWords(shape), base});
            points.back().request.block = shape;
        }
        return points;
    }
    const auto& argument = std::get<ArgumentAxis>(axis);
    for (const std::int64_t value : argument.values) {
        const std::string setting = argument.name + '=' + std::to_string(value);
        ProgramPoint& point = points.emplace_back(ProgramPoint{setting, base});
        const auto extent = static_cast<std::uint32_t>(value);
        if (argument.name == "grid") {
            point.request.grid = Extents{extent, 1, 1};
        } else if (argument.name == "block.x") {
            Extents block = base.block.value_or(Extents{1, 1, 1});
            block.x = extent;
            point.request.block = block;
        } else {
            point.request.source.settings.push_back(setting);
        }
    }
    return points;
}

void predictProgramPoint(ProgramPoint& point) {
    try {
        point.trace = tracedShowing(point.request).trace;
        if (point.trace.launches.empty() && !point.trace.findings.empty()) {
            point.failure = point.trace.findings.front().words;
        }
    } catch (const CommandFailed& failed) {
        if (failed.code() == ExitCode::impossible) throw;
        point.failure = failed.what();
    } catch (const InvalidRequest& invalid) {
        point.failure = joined(invalid.violations(), "; ",
                               [](const LimitViolation& violation) { return toString(violation); });
    }
}

/// One row for each launch of each point.
TextRows programRowsOf(const std::vector<ProgramPoint>& points, bool grouped) {
    TextRows rows{{"point", "launch", "kernel", "grid", "block", "threads", "requests", "sectors",
                   "ideal_sectors", "shared_requests", "wavefronts", "ideal_wavefronts", "branches",
                   "divergent", "findings"}};
    const auto number = [&](std::uint64_t value) {
        return grouped ? groupedDigits(value) : std::to_string(value);
    };
    for (const ProgramPoint& point : points) {
        if (!point.failure.empty()) {
            rows.push_back({point.value, "-", point.failure.substr(0, point.failure.find('\n'))});
            rows.back().resize(rows.front().size());
        }
        for (const LaunchReport& launch : point.trace.launches) {
            if (!launch.traced) continue;
            const LineCosts costs = costsOf(launch);
            rows.push_back({point.value, std::to_string(launch.index), launch.kernel,
                            toString(launch.launch.grid), toString(launch.launch.block),
                            number(launch.launch.threadCount()), number(costs.global.requests),
                            number(costs.global.sectors), number(costs.global.idealSectors),
                            number(costs.shared.requests), number(costs.shared.wavefronts),
                            number(costs.shared.idealWavefronts), number(costs.branch.requests),
                            number(costs.branch.divergent),
                            std::to_string(point.trace.findings.size())});
        }
    }
    return rows;
}

/// With other blocks, the rows of a launch are of the same work only where as many threads do it,
/// those aside that the last blocks have in excess.
void tellOtherWork(const std::vector<ProgramPoint>& points) {
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> threads;  // least and most
    std::set<std::uint32_t> others;
    for (const ProgramPoint& point : points) {
        for (const LaunchReport& launch : point.trace.launches) {
            const std::uint64_t count = launch.launch.threadCount();
            if (point.request.grid || !launch.overridden || count < launch.own.threadCount())
                others.insert(launch.index);
            const auto [known, isNew] = threads.try_emplace(launch.index, count, count);
            known->second = {std::min(known->second.first, count),
                             std::max(known->second.second, count)};
        }
    }
    for (const auto& [index, range] : threads) {
        if (range.first == range.second || !others.contains(index)) continue;
        complain("launch " + std::to_string(index) + " has " + groupedDigits(range.first) + " to " +
                 groupedDigits(range.second) +
                 " threads: the points are not of the same work where the grid stays as it is");
    }
}

struct ProgramSweep final {
    std::string program;
    std::string over;
    std::vector<ProgramPoint> points;
};

void describe(Archive& v, ProgramPoint& point) {
    v("value", point.value, "What was set, as in N=64.");
    v.optional("failure", point.failure,
               "Why it has no launches: the compiler's words, say. Absent where it has.");
    v("launches", point.trace.launches, "In order of launching.");
}

void describe(Archive& v, ProgramSweep& sweep) {
    describeVersion(v);
    v("program", sweep.program, "The file.");
    v("over", sweep.over, "What is varied, as --over reads it.");
    v("points", sweep.points, "In order.");
}

}  // namespace

ExitCode sweepProgram(const TraceRequest& base, const Axis& axis, const TableOptions& table,
                      bool json) {
    std::vector<ProgramPoint> points = programPointsOf(base, axis);
    bool some = false;
    for (ProgramPoint& point : points) {
        predictProgramPoint(point);
        some = some || point.failure.empty();
    }
    if (!some) {
        throw CommandFailed(ExitCode::failed, points.front().value + ": " + points.front().failure);
    }
    const auto* const argument = std::get_if<ArgumentAxis>(&axis);
    if (argument == nullptr || argument->name == "block.x") tellOtherWork(points);
    printResult(
        json, table, Document::programSweep,
        [&] {
            return ProgramSweep{base.source.files.front().string(), toString(axis), points};
        },
        [&] { return programRowsOf(points, false); },
        [&] { return toTable(programRowsOf(points, true)); });
    return ExitCode::done;
}

std::string programSweepSchema(Document document) {
    return schemaFor<ProgramSweep>(document);
}

}  // namespace warplens
