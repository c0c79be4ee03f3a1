#include <array>
#include <cmath>
#include <ctime>
#include <initializer_list>
#include <set>
#include <string_view>
#include <tuple>

#include "core/measurement/worker_protocol.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

/// A kernel has a few dozen for itself and a dozen for each array and branch.
constexpr std::size_t mostValues = 10'000;

/// How far the clocks of two machines may lie apart.
constexpr auto clocksApart = 24h;

/// What rounding, and counters that are read in passes of their own, may add.
constexpr double slackOfCounters = 0.01;
constexpr double slackOfRounding = 1e-6;

std::string nameOf(const Value& value) {
    std::string name(metricInfo(value.metric).id);
    if (value.variant != Variant::none) name += " (" + std::string(toString(value.variant)) + ")";
    return name + " of " + value.subject + ", " + std::string(toString(value.source));
}

std::string rangeProblem(const Value& value, double number) {
    const MetricRange range = metricInfo(value.metric).range;
    const double slack = value.source == Source::counted ? slackOfCounters : slackOfRounding;
    const std::string is = nameOf(value) + " = " + plainNumber(number);
    if (!(number >= range.least)) return is + ": at least " + plainNumber(range.least);
    if (!(number <= range.most * (1 + slack))) return is + ": at most " + plainNumber(range.most);
    return {};
}

std::string valueProblem(const Value& value) {
    // The one number that the worker computes by a rule, the CUDA runtime's.
    if (value.source == Source::predicted && value.metric != Metric::theoreticalOccupancy) {
        return nameOf(value) + ": a worker measures, it does not predict";
    }
    const double* const number = value.number();
    return number == nullptr ? std::string() : rangeProblem(value, *number);
}

/// Two metrics of which one is at least the other, for one subject and source.
struct Ordered final {
    Metric more;
    Metric less;
};
constexpr std::array orderedMetrics{
    Ordered{Metric::globalLoadSectors, Metric::globalLoadRequests},
    Ordered{Metric::globalStoreSectors, Metric::globalStoreRequests},
    Ordered{Metric::branches, Metric::divergentBranches},
    Ordered{Metric::sharedWavefronts, Metric::bankConflicts}};

std::string orderProblem(const std::vector<Value>& values, const Value& value) {
    for (const Ordered& pair : orderedMetrics) {
        if (value.metric != pair.less || value.number() == nullptr) continue;
        const Value* const other =
            findValue(values, pair.more, value.source, value.variant, value.subject);
        if (other == nullptr || other->number() == nullptr) continue;
        if (*other->number() * (1 + slackOfCounters) < *value.number()) {
            return nameOf(*other) + " = " + plainNumber(*other->number()) + ": at least " +
                   plainNumber(*value.number()) + ", its " + std::string(metricInfo(pair.less).id);
        }
    }
    return {};
}

std::string valuesProblem(const std::vector<Value>& values) {
    if (values.size() > mostValues) {
        return std::to_string(values.size()) + " values: at most " + std::to_string(mostValues);
    }
    std::set<std::tuple<Metric, std::string_view, Source, Variant>> seen;
    for (const Value& value : values) {
        if (std::string problem = valueProblem(value); !problem.empty()) return problem;
        if (!seen.emplace(value.metric, value.subject, value.source, value.variant).second) {
            return nameOf(value) + ": there twice";
        }
        if (std::string problem = orderProblem(values, value); !problem.empty()) return problem;
    }
    return {};
}

/// Against the runs that it sums up, which are whole nanoseconds.
std::string summaryProblem(const Timing& timing) {
    if (timing.runNanoseconds.empty()) return {};
    Timing again = timing;
    summarize(again);
    for (const auto& [name, said, found] :
         {std::tuple{"minimum_s", timing.minimumSeconds, again.minimumSeconds},
          {"median_s", timing.medianSeconds, again.medianSeconds},
          {"maximum_s", timing.maximumSeconds, again.maximumSeconds}}) {
        if (std::abs(said - found) <= 1e-9) continue;
        return std::string(name) + " = " + plainNumber(said) + ": " + plainNumber(found) +
               ", as its run_ns have it";
    }
    return {};
}

std::string timingProblem(const Timing& timing, const std::vector<Value>& values) {
    if (timing.runs < 1) return "a median of 0 runs";
    for (const auto& [name, seconds] : {std::pair{"minimum_s", timing.minimumSeconds},
                                        {"median_s", timing.medianSeconds},
                                        {"maximum_s", timing.maximumSeconds}}) {
        if (!(seconds > 0) || !std::isfinite(seconds)) {
            return std::string(name) + " = " + plainNumber(seconds) + ": above 0";
        }
    }
    if (timing.minimumSeconds > timing.medianSeconds ||
        timing.medianSeconds > timing.maximumSeconds) {
        return "minimum " + plainNumber(timing.minimumSeconds) + " s, median " +
               plainNumber(timing.medianSeconds) + " s, maximum " +
               plainNumber(timing.maximumSeconds) + " s: in rising order";
    }
    if (!(timing.spreadPercent >= 0)) {
        return "spread_percent = " + plainNumber(timing.spreadPercent) + ": at least 0";
    }
    if (std::string problem = summaryProblem(timing); !problem.empty()) return problem;
    const Value* const time = findValue(values, Metric::time, Source::timed);
    if (time != nullptr && time->number() != nullptr &&
        (*time->number() < timing.minimumSeconds || *time->number() > timing.maximumSeconds)) {
        return nameOf(*time) + " = " + plainNumber(*time->number()) + ": from the minimum, " +
               plainNumber(timing.minimumSeconds) + ", to the maximum, " +
               plainNumber(timing.maximumSeconds);
    }
    return {};
}

std::string deviceProblem(const Device& device) {
    if (device.name.empty()) return "the device has no name";
    if (device.multiprocessors < 1) return "a device without multiprocessors";
    for (const auto& [name, rate] : {std::pair{"copy_rate", device.copyRate},
                                     {"theoretical_peak", device.theoreticalPeak},
                                     {"fp32_rate", device.fp32Rate}}) {
        if (rate && !(*rate > 0 && *rate < 1e18)) {
            return std::string(name) + " = " + plainNumber(*rate) + ": above 0, below 1e+18";
        }
    }
    return {};
}

std::string momentProblem(const std::string& takenAt, std::chrono::sys_seconds now) {
    const std::string said = "taken_at = '" + takenAt + "': ";
    const auto taken = timeFromUtc(takenAt);
    if (!taken) return said + "a time in UTC as in 2026-11-21T09:30:00Z";
    if (*taken > now + clocksApart || *taken < now - clocksApart) {
        return said + "within a day of this machine's clock; set the clock that is wrong";
    }
    return {};
}

template <class Check>
std::string errorProblem(const Check& check) {
    if (check.tolerance >= 0 && check.largestError >= 0) return {};
    return "largest_error = " + plainNumber(check.largestError) +
           ", tolerance = " + plainNumber(check.tolerance) + ": at least 0";
}

std::string checkProblem(const ResultCheck& check) {
    if (check.checked <= check.elements) return errorProblem(check);
    return "checked = " + std::to_string(check.checked) + ": at most " +
           std::to_string(check.elements) + ", all elements";
}

std::string durationProblem(const LaunchMeasurement& measurement) {
    if (!(measurement.totalSeconds >= 0)) {
        return "total_s = " + plainNumber(measurement.totalSeconds) + ": at least 0";
    }
    if (measurement.counting && !(measurement.counting->seconds >= 0)) {
        return "counting took " + plainNumber(measurement.counting->seconds) + " s: at least 0";
    }
    return {};
}

std::string versionProblem(const std::string& said) {
    if (said == version()) return {};
    return "measured by Warplens " + said + ": this is " + version();
}

std::string arrayProblem(const std::vector<ArrayCheck>& checks) {
    for (const ArrayCheck& check : checks) {
        const std::string problem = errorProblem(check);
        if (!problem.empty()) return check.array + ": " + problem;
    }
    return {};
}

std::string linesProblem(const std::vector<ProgramLine>& lines) {
    for (const ProgramLine& line : lines) {
        const std::string at = line.place.file + ':' + std::to_string(line.place.line) + ' ' +
                               std::string(nameOf(line.kind)) + ", " +
                               std::string(toString(line.source));
        if (line.source != Source::compiled && line.source != Source::counted) {
            return at + ": a worker counts compiled code and the hardware";
        }
        if (line.divergent > line.requests) {
            return at + ": divergent = " + std::to_string(line.divergent) + ": at most " +
                   std::to_string(line.requests) + ", its requests";
        }
    }
    return {};
}

std::optional<Failure> firstOf(std::initializer_list<std::string> problems) {
    for (const std::string& problem : problems) {
        if (problem.empty()) continue;
        return Failure{FailureKind::failed, "the worker's result cannot be: " + problem};
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::chrono::sys_seconds> timeFromUtc(const std::string& text) {
    constexpr const char* shape = "%Y-%m-%dT%H:%M:%SZ";
    std::tm read{};
    if (::strptime(text.c_str(), shape, &read) == nullptr) return std::nullopt;
    std::array<char, 32> again{};
    std::strftime(again.data(), again.size(), shape, &read);
    std::tm day = read;
    day.tm_sec = 0;  // of a leap second there are 61
    (void)::timegm(&day);
    // What was written otherwise is another text, and a day that no calendar has another one.
    if (text != again.data() || read.tm_sec > 60 || day.tm_mday != read.tm_mday)
        return std::nullopt;
    return std::chrono::sys_seconds(std::chrono::seconds(::timegm(&read)));
}

std::optional<Failure> implausibility(const Measurement& measurement,
                                      std::chrono::sys_seconds now) {
    const ResultCheck& check = measurement.check;
    if (check.largestError > check.tolerance) {
        return Failure{FailureKind::wrongResult, "the kernel's result differs from the host's by " +
                                                     plainNumber(check.largestError) +
                                                     ", more than the tolerance, " +
                                                     plainNumber(check.tolerance)};
    }
    return firstOf({checkProblem(check), deviceProblem(measurement.device),
                    timingProblem(measurement.timing, measurement.values),
                    momentProblem(measurement.takenAt, now), durationProblem(measurement),
                    versionProblem(measurement.version), valuesProblem(measurement.values)});
}

std::optional<Failure> implausibility(const ProgramMeasurement& measurement) {
    return firstOf({deviceProblem(measurement.device),
                    timingProblem(measurement.timing, measurement.values),
                    durationProblem(measurement), arrayProblem(measurement.checks),
                    linesProblem(measurement.lines), valuesProblem(measurement.values)});
}

std::optional<Failure> implausibility(const ProgramMeasurement& measurement,
                                      std::chrono::sys_seconds now) {
    const auto problem =
        firstOf({momentProblem(measurement.takenAt, now), versionProblem(measurement.version)});
    return problem ? problem : implausibility(measurement);
}

}  // namespace warplens
