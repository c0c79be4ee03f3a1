#include "app/cli/value_report.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/text_table.h"
#include "core/text/format.h"

namespace warplens {
namespace {

struct Group final {
    const char* title;
    Metric last;  ///< the metrics are declared group by group
};

constexpr std::array<Group, 7> groups{{{"Coalescing", Metric::requestedBytesPerSector},
                                       {"Bandwidth", Metric::bandwidthUtilization},
                                       {"Divergence", Metric::laneEfficiency},
                                       {"Shared memory", Metric::sharedWavefrontsPerRequest},
                                       {"Occupancy", Metric::achievedOccupancy},
                                       {"Time", Metric::time},
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

/// `Not available:` and each reason once, with the values it concerns.
std::string missingValues(const std::vector<Value>& values) {
    std::vector<std::pair<std::string, std::string>> reasons;  // in order of appearance
    for (const Value& value : values) {
        const auto* missing = std::get_if<Unavailable>(&value.content);
        if (!missing) continue;
        const std::string name = titleOf(value) + " (" + std::string(toString(value.source)) + ")";
        const auto known = std::ranges::find(reasons, missing->reason,
                                             &std::pair<std::string, std::string>::first);
        if (known == reasons.end()) {
            reasons.emplace_back(missing->reason, name);
        } else if (known->second.find(name) == std::string::npos) {
            known->second += "; " + name;
        }
    }
    if (reasons.empty()) return "";
    std::string text = "Not available\n";
    for (const auto& [reason, names] : reasons) text += "  " + names + ":\n    " + reason + '\n';
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
    text += "  time: median of " + std::to_string(timing.runs) + " runs after " +
            std::to_string(timing.warmUpRuns) + " to warm up, minimum " +
            formatNumber(timing.minimumSeconds, Unit::seconds) + ", spread " +
            formatNumber(timing.spreadPercent, Unit::percent) + '\n';
    if (!timing.cacheState.empty()) text += "  caches: " + timing.cacheState + '\n';
    if (!timing.clocks.empty()) text += "  clocks: " + timing.clocks + '\n';
    if (device.copyRate) {
        text += "  copy rate: " + formatNumber(*device.copyRate, Unit::bytesPerSecond) + " over " +
                formatBytes(device.copyRateBytes) + ", median of " +
                std::to_string(device.copyRateRuns) + " runs\n";
    }
    if (measurement.counting) {
        text += "  counters: " + std::to_string(measurement.counting->passes) + " passes, " +
                std::to_string(measurement.counting->repeats) + " repeats, in " +
                formatNumber(measurement.counting->seconds, Unit::seconds) + '\n';
    }
    text += "  result: " + groupedDigits(check.checked) + " of " + groupedDigits(check.elements) +
            " elements compared with the host (" + check.method + ")\n";
    return text;
}

}  // namespace

std::string titleOf(const Experiment& experiment) {
    const std::string arguments = toString(experiment.arguments);
    return experiment.scenario + "  " + toLaunchSyntax(experiment.launch) +
           (arguments.empty() ? "" : "  " + arguments);
}

std::string reportOf(const std::vector<Value>& values) {
    std::vector<std::vector<std::string>> rows;
    std::size_t first = 0;
    for (const Group& group : groups) {
        const std::size_t end = static_cast<std::size_t>(group.last) + 1;
        bool titled = false;
        for (const MetricInfo& metric : allMetrics().subspan(first, end - first)) {
            for (const Value& value : values) {
                if (value.metric != metric.metric) continue;
                if (!titled) rows.push_back({group.title});
                titled = true;
                rows.push_back({"  " + titleOf(value), value.subject,
                                value.number() ? formatValue(value) : "-",
                                std::string(toString(value.source))});
            }
        }
        first = end;
    }
    return toTable(rows) + missingValues(values);
}

std::string reportOf(const Measurement& measurement) {
    std::string text =
        titleOf(measurement.experiment) + "\n\n" + reportOf(measurement.values) + '\n';
    for (const std::string& note : measurement.notes) text += "Note: " + note + '\n';
    return text + provenance(measurement);
}

std::string reportOf(const Prediction& prediction) {
    const std::string blocks =
        groupedDigits(prediction.blocks) + (prediction.blocks == 1 ? " block" : " blocks");
    return titleOf(prediction.experiment) + "\n\n" + reportOf(prediction.values) + '\n' +
           (prediction.exact
                ? "Predicted exactly: all " + blocks + " traced"
                : "Predicted from a sample: " + groupedDigits(prediction.blocksTraced) + " of " +
                      blocks + " traced (" + prediction.sample + ")") +
           " in " + formatNumber(prediction.seconds, Unit::seconds) + '\n';
}

}  // namespace warplens
