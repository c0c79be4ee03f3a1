#include "kernels/measure/timed_runs.h"

#include <algorithm>
#include <vector>

#include "kernels/measure/device/event_timer.h"

namespace warplens {
namespace {

constexpr int fewestRuns = 20;
constexpr int mostRuns = 200;
constexpr double enoughSeconds = 0.02;
constexpr double mostSeconds = 0.5;
constexpr int fewestSlowRuns = 3;

double quantile(const std::vector<double>& sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

bool enough(std::size_t runs, double seconds) {
    if (seconds >= mostSeconds) return runs >= fewestSlowRuns;
    return runs >= mostRuns || (runs >= fewestRuns && seconds >= enoughSeconds);
}

}  // namespace

Timing timeRuns(const std::function<void()>& launch, std::stop_token stop) {
    Timing timing{.cacheState = {}, .clocks = {}};
    Event begin;
    Event end;
    const auto timeOnce = [&] {
        begin.record();
        launch();
        end.record();
        end.wait();
        return end.secondsSince(begin);
    };
    // Warm until two runs in a row agree to 10 %, within reason.
    double before = timeOnce();
    double warmed = before;
    for (timing.warmUpRuns = 1; timing.warmUpRuns < 10 && warmed < 0.1; ++timing.warmUpRuns) {
        const double now = timeOnce();
        warmed += now;
        const bool steady = std::abs(now - before) < 0.1 * before;
        before = now;
        if (steady && timing.warmUpRuns >= 3) break;
    }

    std::vector<double> seconds;
    double total = 0;
    while (!enough(seconds.size(), total) && !(stop.stop_requested() && !seconds.empty())) {
        seconds.push_back(timeOnce());
        total += seconds.back();
    }
    std::ranges::sort(seconds);
    timing.runs = static_cast<int>(seconds.size());
    timing.medianSeconds = quantile(seconds, 0.5);
    timing.minimumSeconds = seconds.front();
    timing.maximumSeconds = seconds.back();
    timing.spreadPercent =
        100 * (quantile(seconds, 0.75) - quantile(seconds, 0.25)) / timing.medianSeconds;
    return timing;
}

}  // namespace warplens
