#include "kernels/measure/timed_runs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/measure/device/event_timer.h"
#include "kernels/measure/device/hold_device.h"

namespace warplens {
namespace {

constexpr int batch = 20;
constexpr std::size_t fewestRuns = 20;
constexpr std::size_t mostRuns = 200;
constexpr double enoughSeconds = 0.02;
constexpr double mostSeconds = 0.5;
constexpr std::size_t fewestSlowRuns = 3;
constexpr std::chrono::microseconds queueTime{15 * batch};  // the host queues a run in some 5 us

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

/// Times `runs` launches queued behind one another; appends their durations.
class Stopwatch final {
  public:
    explicit Stopwatch(const std::function<void()>& launch) : launch_(launch) {}

    void time(std::size_t runs, std::vector<double>& seconds) {
        if (runs > 1) holdDevice(queueTime);
        events_[0].record();
        for (std::size_t run = 0; run < runs; ++run) {
            launch_();
            events_[run + 1].record();
        }
        events_[runs].wait();
        for (std::size_t run = 0; run < runs; ++run) {
            seconds.push_back(events_[run + 1].secondsSince(events_[run]));
        }
    }

  private:
    const std::function<void()>& launch_;
    std::vector<Event> events_{batch + 1};
};

}  // namespace

Timing timeRuns(const std::function<void()>& launch, std::stop_token stop) {
    Timing timing{.cacheState = {}, .clocks = {}};
    Stopwatch stopwatch(launch);
    std::vector<double> warmUp;
    stopwatch.time(1, warmUp);
    stopwatch.time(1, warmUp);
    const double once = warmUp.back();
    const bool slow = once * batch > mostSeconds;
    if (!slow) stopwatch.time(batch, warmUp);
    timing.warmUpRuns = static_cast<int>(warmUp.size());

    std::vector<double> seconds;
    double total = 0;
    while (!enough(seconds.size(), total) && !(stop.stop_requested() && !seconds.empty())) {
        const std::size_t before = seconds.size();
        stopwatch.time(slow ? 1 : batch, seconds);
        for (std::size_t i = before; i < seconds.size(); ++i) total += seconds[i];
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
