#include "app/cli/value_report.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "app/cli/text_table.h"
#include "core/measurement/value_text.h"
#include "core/occupancy/measured_demand.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using Table = std::vector<std::vector<std::string>>;

struct Group final {
    const char* title;
    Metric last;  ///< the metrics are declared group by group
};

constexpr std::array<Group, 8> groups{{{"Coalescing", Metric::requestedBytesPerSector},
                                       {"Bandwidth", Metric::bandwidthUtilization},
                                       {"Divergence", Metric::laneEfficiency},
                                       {"Shared memory", Metric::sharedWavefrontsPerRequest},
                                       {"Atomics", Metric::atomicTurns},
                                       {"Occupancy", Metric::achievedOccupancy},
                                       {"Time", Metric::launchOverhead},
                                       {"Check", Metric::mappingMismatches}}};

std::string inWords(Variant variant) {
    switch (variant) {
        case Variant::none:
            return "";
        case Variant::load:
            return ", loads";
        case Variant::store:
            return ", stores";
        case Variant::loadIdeal:
            return ", loads, fewest possible";
        case Variant::storeIdeal:
            return ", stores, fewest possible";
        case Variant::copyRate:
            return " of the copy rate";
        case Variant::theoreticalPeak:
            return " of the theoretical peak";
        case Variant::active:
            return ", active";
        case Variant::notPredicatedOff:
            return ", not predicated off";
    }
    return "";
}

std::string titleOf(const Value& value) {
    return std::string(metricInfo(value.metric).title) + inWords(value.variant);
}

/// `Not available` and each reason once, with the values it concerns.
std::string missingValues(const std::vector<Value>& values) {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;  // as they appear
    for (const Value& value : values) {
        const auto* missing = std::get_if<Unavailable>(&value.content);
        if (!missing) continue;
        auto known = std::ranges::find(reasons, missing->reason,
                                       &std::pair<std::string, std::vector<std::string>>::first);
        if (known == reasons.end()) {
            known = reasons.insert(known, {missing->reason, {}});
        }
        const std::string name = titleOf(value) + " (" + std::string(toString(value.source)) + ")";
        if (!std::ranges::count(known->second, name)) known->second.push_back(name);
    }
    if (reasons.empty()) return "";
    std::string text = "Not available\n";
    for (const auto& [reason, names] : reasons) {
        std::string line;
        for (const std::string& name : names) line += (line.empty() ? "  " : "; ") + name;
        text += line + ":\n    " + reason + '\n';
    }
    return text;
}

/// The sources that any of the values names, in the order of the columns.
std::vector<Source> sourcesOf(const std::vector<Value>& values) {
    std::vector<Source> found;
    for (Source source : {Source::predicted, Source::probed, Source::counted, Source::timed}) {
        if (std::ranges::count(values, source, &Value::source)) found.push_back(source);
    }
    return found;
}

/// What stands in each source's column for the metric, variant and subject of `like`.
std::vector<std::string> rowOf(const Value& like, const std::vector<Value>& values,
                               const std::vector<Source>& sources) {
    std::vector<std::string> row{"  " + titleOf(like), like.subject};
    for (Source source : sources) {
        const Value* value = findValue(values, like.metric, source, like.variant, like.subject);
        row.push_back(value && value->number() ? formatValue(*value) : "-");
    }
    return row;
}

std::string inWords(BranchForm form) {
    switch (form) {
        case BranchForm::branch:
            return "branch: an instruction at which warps can diverge";
        case BranchForm::exit:
            return "exit: threads on the other side end at a predicated EXIT";
        case BranchForm::predicated:
            return "predicated: no branch left, lanes take part in the arms by predicate";
    }
    return "";
}

/// Values by what they tell about, and what became of the branches below their divergence.
std::string tableOf(const std::vector<Value>& values,
                    const std::vector<CompiledBranch>& compiledBranches) {
    const std::vector<Source> sources = sourcesOf(values);
    Table rows{{"metric", "subject"}};
    for (Source source : sources) rows[0].emplace_back(toString(source));
    std::size_t first = 0;
    for (const Group& group : groups) {
        const std::size_t end = static_cast<std::size_t>(group.last) + 1;
        Table inGroup;
        for (const MetricInfo& metric : allMetrics().subspan(first, end - first)) {
            for (const Value& value : values) {
                if (value.metric != metric.metric) continue;
                std::vector<std::string> row = rowOf(value, values, sources);
                if (!std::ranges::count(inGroup, row)) inGroup.push_back(std::move(row));
            }
        }
        if (group.last == Metric::laneEfficiency) {
            for (const CompiledBranch& branch : compiledBranches) {
                inGroup.push_back({"  Compiled as", branch.branch, inWords(branch.form)});
            }
        }
        if (!inGroup.empty()) rows.push_back({group.title});
        std::ranges::move(inGroup, std::back_inserter(rows));
        first = end;
    }
    return toTable(rows) + missingValues(values);
}

/// What the compiled kernel takes, and how many of its blocks that lets an SM hold.
std::string resourcesInWords(const Measurement& measurement) {
    if (!measurement.resources) return "";
    const KernelResources& resources = *measurement.resources;
    std::string text = "  kernel: " + std::to_string(resources.registersPerThread) +
                       " registers per thread, " + formatBytes(resources.staticSharedBytes) +
                       " of static shared memory per block, " +
                       formatBytes(resources.localBytesPerThread) + " of local memory per thread\n";
    const SmLimits* const limits = smLimitsOf(measurement.device);
    if (limits == nullptr) return text;
    const Occupancy occupancy = occupancyOf(*limits, *demandOf(measurement));
    return text + "  SM: " + counted(occupancy.residentBlocks, "block") + " of " +
           counted(occupancy.warpsPerBlock(), "warp") + " resident, limited by " +
           limitersOf(occupancy) + '\n';
}

/// The runs from fastest to slowest, one sign for a bin.
std::string barsOf(const Timing& timing) {
    constexpr std::array<const char*, 9> heights{"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::optional<Histogram> histogram = histogramOf(timing, 32);
    if (!histogram) return {};
    std::string bars;
    for (const std::uint32_t count : histogram->counts) {
        const std::uint32_t most = histogram->highest();
        bars += heights.at(count == 0 ? 0 : 1 + (7 * count + most / 2) / most);
    }
    if (histogram->slower > 0) {
        bars += " " + formatNumber(histogram->to(), Unit::seconds) + ", " +
                std::to_string(histogram->slower) + " slower, up";
    }
    return "  runs: " + formatNumber(timing.minimumSeconds, Unit::seconds) + ' ' + bars +
           (histogram->slower > 0 ? " to " : " ") +
           formatNumber(timing.maximumSeconds, Unit::seconds) + '\n';
}

std::string timingInWords(const Timing& timing) {
    std::string text = "  time: median of " +
                       counted(static_cast<std::uint64_t>(timing.runs), "run") + " after " +
                       std::to_string(timing.warmUpRuns) + " to warm up, minimum " +
                       formatNumber(timing.minimumSeconds, Unit::seconds) + ", spread " +
                       formatNumber(timing.spreadPercent, Unit::percent) + ", taken " +
                       std::string(inWords(timing.from)) + '\n';
    if (!timing.fromReason.empty()) text += "  no time stamps: " + timing.fromReason + '\n';
    text += barsOf(timing);
    if (const auto noise = noiseOf(timing)) text += "  " + *noise + '\n';
    return text;
}

std::string provenance(const Measurement& measurement) {
    const Device& device = measurement.device;
    const Timing& timing = measurement.timing;
    const ResultCheck& check = measurement.check;
    std::string text = "Measured on " + device.name + " (compute capability " +
                       device.computeCapability + ", " + std::to_string(device.multiprocessors) +
                       " SMs, L2 " + formatBytes(device.l2Bytes) + ", driver " + device.driver +
                       ", CUDA " + device.cuda + "), " + measurement.takenAt + ", Warplens " +
                       measurement.version + '\n';
    text += timingInWords(timing);
    if (!timing.cacheState.empty()) text += "  caches: " + timing.cacheState + '\n';
    if (!timing.clocks.empty()) text += "  clocks: " + timing.clocks + '\n';
    if (device.copyRate) {
        text += "  copy rate: " + formatNumber(*device.copyRate, Unit::bytesPerSecond) + " over " +
                formatBytes(device.copyRateBytes) + ", median of " +
                std::to_string(device.copyRateRuns) + " runs\n";
    }
    if (device.fp32Rate) {
        text += "  multiply-adds: " + formatNumber(*device.fp32Rate, Unit::flopsPerSecond) +
                ", median of " + std::to_string(device.fp32RateRuns) + " runs\n";
    }
    if (measurement.counting) {
        const auto passes = static_cast<std::uint64_t>(measurement.counting->passes);
        const auto repeats = static_cast<std::uint64_t>(measurement.counting->repeats);
        text += "  counters: " + std::to_string(passes) + (passes == 1 ? " pass, " : " passes, ") +
                counted(repeats, "repeat") + ", in " +
                formatNumber(measurement.counting->seconds, Unit::seconds) + '\n';
    }
    text += resourcesInWords(measurement);
    if (measurement.schedule) {
        for (const std::string& line : inWords(*measurement.schedule)) {
            text += "  schedule: " + line + '\n';
        }
    }
    text += "  result: " + groupedDigits(check.checked) + " of " + groupedDigits(check.elements) +
            " elements compared with the host (" + check.method + ")\n";
    return text;
}

}  // namespace

std::string titleOf(const Experiment& experiment) {
    const std::string arguments = sizesOf(experiment);
    return experiment.scenario + "  " + toLaunchSyntax(experiment.launch) +
           (arguments.empty() ? "" : "  " + arguments);
}

std::string reportOf(const Measurement& measurement) {
    std::string text = titleOf(measurement.experiment) + "\n\n" +
                       tableOf(measurement.values, measurement.compiledBranches) + '\n';
    for (const std::string& note : measurement.notes) text += "Note: " + note + '\n';
    return text + provenance(measurement);
}

std::string reportOf(const Prediction& prediction) {
    return titleOf(prediction.experiment) + "\n\n" + tableOf(prediction.values, {}) +
           "\nPredicted, " + howPredicted(prediction) + ", in " +
           formatNumber(prediction.seconds, Unit::seconds) + '\n';
}

}  // namespace warplens
