#include "core/measurement/timing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>

#include "core/json/archive.h"
#include "core/measurement/measurement.h"
#include "core/measurement/metric.h"

namespace warplens {
namespace {

constexpr double nano = 1e-9;
constexpr double noisySpread = 0.05;
constexpr double slowRun = 1.5;
constexpr double slowShare = 0.05;

/// Linear between the two neighbours; `sorted` is not empty.
double quantileOf(const std::vector<std::uint64_t>& sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const auto low = static_cast<double>(sorted[below]);
    return low + (at - static_cast<double>(below)) * (static_cast<double>(sorted[above]) - low);
}

std::vector<std::uint64_t> sortedRuns(std::span<const std::uint64_t> runs) {
    std::vector<std::uint64_t> sorted(runs.begin(), runs.end());
    std::ranges::sort(sorted);
    return sorted;
}

/// The step of the clock that told the times, in nanoseconds: the usual distance between times that
/// differ by more than the rounding of its conversion.
double clockStep(const std::vector<std::uint64_t>& sorted) {
    constexpr std::uint64_t rounding = 4;
    std::vector<std::uint64_t> steps;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (const std::uint64_t step = sorted[i] - sorted[i - 1]; step > rounding) {
            steps.push_back(step);
        }
    }
    if (steps.empty()) return 1;
    const std::uint64_t least = std::ranges::min(steps);
    std::erase_if(steps, [&](std::uint64_t step) { return 2 * step > 3 * least; });
    return std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
}

std::string percentText(double share) {
    return formatNumber(std::round(1000 * share) / 10, Unit::percent);
}

}  // namespace

void summarize(Timing& timing) {
    const std::vector<std::uint64_t> sorted = sortedRuns(timing.runNanoseconds);
    const double median = quantileOf(sorted, 0.5);
    timing.runs = static_cast<int>(sorted.size());
    timing.medianSeconds = nano * median;
    timing.minimumSeconds = nano * static_cast<double>(sorted.front());
    timing.maximumSeconds = nano * static_cast<double>(sorted.back());
    timing.spreadPercent =
        median > 0 ? 100 * (quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25)) / median : 0;
}

std::optional<Quartiles> quartilesOf(const Timing& timing) {
    if (timing.runNanoseconds.empty()) return std::nullopt;
    const std::vector<std::uint64_t> sorted = sortedRuns(timing.runNanoseconds);
    return Quartiles{nano * quantileOf(sorted, 0.25), nano * quantileOf(sorted, 0.75)};
}

std::uint32_t Histogram::highest() const {
    return counts.empty() ? 0 : std::ranges::max(counts);
}

std::optional<Histogram> histogramOf(const Timing& timing, std::size_t mostBins) {
    if (timing.runNanoseconds.empty() || mostBins == 0) return std::nullopt;
    const std::vector<std::uint64_t> sorted = sortedRuns(timing.runNanoseconds);
    const auto first = static_cast<double>(sorted.front());
    // What lies further above the median than six times the distance of the lower half, and is
    // among the slowest twentieth, is an outlier and not part of the shape.
    const double median = quantileOf(sorted, 0.5);
    const double upper = quantileOf(sorted, 0.75);
    const double step = clockStep(sorted);
    const double reach = median + 6 * std::max({median - first, upper - median, step});
    const double last =
        std::min(static_cast<double>(sorted.back()), std::max(reach, quantileOf(sorted, 0.95)));
    const double span = std::max(last - first, step);
    // Whole steps of the clock: or bins would be empty, or full, for no reason of the kernel's.
    const double width =
        step * std::ceil(std::max(1.0, (span + step) / step / static_cast<double>(mostBins)));
    Histogram histogram{nano * (first - step / 2), nano * width, {}, 0};
    histogram.counts.resize(
        std::min(mostBins, static_cast<std::size_t>((last - first + step / 2) / width) + 1));
    for (const std::uint64_t run : sorted) {
        const auto bin =
            static_cast<std::size_t>((static_cast<double>(run) - first + step / 2) / width);
        if (bin < histogram.counts.size()) {
            ++histogram.counts[bin];
        } else {
            ++histogram.slower;
        }
    }
    return histogram;
}

std::optional<std::string> noiseOf(const Timing& timing) {
    const std::vector<std::uint64_t>& runs = timing.runNanoseconds;
    if (runs.size() < fewestTimedRuns) return std::nullopt;
    const std::vector<std::uint64_t> sorted = sortedRuns(timing.runNanoseconds);
    const double median = quantileOf(sorted, 0.5);
    if (median <= 0) return std::nullopt;
    // Two steps of the clock are no noise of the runs.
    const double told = 2 * std::min(clockStep(sorted), 0.02 * median);
    const auto matters = [&](double difference) {
        return difference > std::max(noisySpread * median, told);
    };
    const std::string meaningless = ": smaller differences mean nothing";
    const double between = quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25);
    if (matters(between)) {
        return "noisy: the middle half of the runs lies " + percentText(between / median) +
               " apart" + meaningless;
    }
    const std::size_t third = runs.size() / 3;
    if (third >= 3) {
        const std::span all(runs);
        const double drift = quantileOf(sortedRuns(all.last(third)), 0.5) -
                             quantileOf(sortedRuns(all.first(third)), 0.5);
        if (matters(std::abs(drift))) {
            return std::string("noisy: the runs became ") + (drift > 0 ? "slower" : "faster") +
                   " by " + percentText(std::abs(drift) / median) + " while they were timed" +
                   meaningless;
        }
    }
    const auto slow = static_cast<double>(std::ranges::count_if(
        sorted, [&](std::uint64_t run) { return static_cast<double>(run) > slowRun * median; }));
    if (slow > slowShare * static_cast<double>(sorted.size())) {
        return "noisy: " + std::to_string(static_cast<int>(slow)) + " of " +
               std::to_string(sorted.size()) + " runs took over 1.5 times the median";
    }
    return std::nullopt;
}

std::string_view inWords(TimeFrom from) {
    return from == TimeFrom::deviceStamps ? "by the device's own time stamps"
                                          : "between CUDA events, the launch included";
}

void describe(Archive& v, Timing& timing) {
    v.type("timing", "The timed runs.");
    v.added("time_from", timing.from,
            "What told the times: the device's own stamps, or events before and after each run, "
            "with the launch between them.");
    v.added("cache", timing.cache,
            "What a run found in the L2: what the run before left, or other data.");
    v("warm_up_runs", timing.warmUpRuns, "Runs before them.", {.most = 1 << 30});
    v("runs", timing.runs, "Runs timed.", {.most = 1 << 30});
    v("median_s", timing.medianSeconds, "Median, in seconds.", {.least = 0});
    v("minimum_s", timing.minimumSeconds, "Shortest, in seconds.", {.least = 0});
    v("maximum_s", timing.maximumSeconds, "Longest, in seconds.", {.least = 0});
    v("spread_percent", timing.spreadPercent, "Interquartile range, in percent of the median.",
      {.least = 0});
    v("working_set_bytes", timing.workingSetBytes, "Bytes of the arrays.");
    v("cache_state", timing.cacheState, "What the caches held.", {.oneLine = true});
    v.added("clock_state", timing.clockState,
            "What set the SM clock while runs were timed: load alone, power or heat, or somebody.");
    v("clocks", timing.clocks, "Clock rates while timed, and whether they were locked.",
      {.oneLine = true});
    v.optional("time_from_reason", timing.fromReason,
               "Why not from the device's stamps, where it is not.", {.oneLine = true});
    v.optional("run_ns", timing.runNanoseconds,
               "Each timed run's time in nanoseconds, in the order they ran.",
               {.entries = mostTimedRuns});
    const std::size_t times = timing.runNanoseconds.size();
    if (v.reads() && times != 0 && times != static_cast<std::size_t>(timing.runs)) {
        Archive::refuse("run_ns", "has " + std::to_string(times) +
                                      " entries: as many as \"runs\", " +
                                      std::to_string(timing.runs));
    }
    if (v.reads()) return;
    v.derived("noise", noiseOf(timing),
              "What makes the runs differ more than a comparison bears, where something does.");
}

void describe(Archive& v, TimingRequest& request) {
    v.added("cache", request.cache, "What a timed run is to find in the L2; left out, warm.");
    v("runs", request.runs, "Timed runs; left out, as many as the kernel's time lets.",
      {.least = fewestTimedRuns, .most = mostTimedRuns});
}

}  // namespace warplens
