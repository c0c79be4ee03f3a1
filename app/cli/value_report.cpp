#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/report.h"
#include "app/drawing/evidence.h"
#include "core/measurement/measurement.h"
#include "core/occupancy/occupancy.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// `Not available` and each reason once, with the rows and sources it concerns.
std::string missingNumbers(const std::vector<NumberRow>& rows) {
    std::vector<std::pair<std::string, std::string>> reasons;  // and whom, as they appear
    for (const MissingNumber& missing : missingFrom(rows)) {
        const std::string name = missing.name + " (" + missing.sources + ")";
        const auto known =
            std::ranges::find(reasons, missing.reason, &std::pair<std::string, std::string>::first);
        if (known == reasons.end()) {
            reasons.emplace_back(missing.reason, name);
        } else {
            known->second += "; " + name;
        }
    }
    std::string text = reasons.empty() ? "" : "Not available\n";
    for (const auto& [reason, names] : reasons) text += "  " + names + ":\n    " + reason + '\n';
    return text;
}

std::string differences(const std::vector<NumberRow>& rows) {
    std::string text;
    for (const std::string& difference : differencesIn(rows)) text += "  " + difference + '\n';
    return text.empty() ? "" : "Sources differ\n" + text;
}

/// Values by what they tell about, and what became of the branches below their divergence.
std::string tableOf(const Evidence& evidence) {
    std::vector<Source> sources;
    for (const Source source : measuredSources) {
        if (std::ranges::count(evidence.values, source, &Value::source)) sources.push_back(source);
    }
    std::vector<std::vector<std::string>> table{{"metric"}};
    for (const Source source : sources) table[0].emplace_back(toString(source));
    std::vector<NumberRow> all;
    for (const NumberGroup& group : groupsOf(evidence)) {
        table.push_back({std::string(titleOf(group.group))});
        for (const NumberRow& row : group.rows) {
            std::vector<std::string> cells{"  " + row.name};
            for (const Source source : sources) {
                const Value* const value = row.cell(source);
                cells.push_back(value && value->number() ? formatValue(*value) : "-");
            }
            cells.emplace_back(agreementOf(row) == Agreement::different ? "≠ " : "");
            if (!row.ideal.empty()) cells.back() += "at best " + row.ideal;
            table.push_back(std::move(cells));
            all.push_back(row);
        }
        if (group.group != MetricGroup::divergence) continue;
        for (const MarkLine& mark : compiledMarks(evidence)) {
            table.push_back({"  What the compiler made of " + mark.mark + ": " + mark.words});
        }
    }
    return toTable(table) + differences(all) + missingNumbers(all);
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
                       tableOf(evidenceOf(nullptr, &measurement, false)) + '\n';
    for (const std::string& note : measurement.notes) text += "Note: " + note + '\n';
    return text + provenance(measurement);
}

std::string reportOf(const LaunchReport& prediction) {
    return titleOf(prediction) + "\n\n" + tableOf(evidenceOf(&prediction, nullptr, false)) +
           "\nPredicted, " + howPredicted(prediction) + ", in " +
           formatNumber(prediction.seconds, Unit::seconds) + '\n';
}

}  // namespace warplens
