#include "kernels/measure/timing/time_launches.h"

#include "core/measurement/value_text.h"
#include "kernels/measure/device/activity_records.h"
#include "kernels/measure/device/clock_watch.h"
#include "kernels/measure/timing/run_timer.h"
#include "kernels/measure/timing/timed_runs.h"

namespace warplens {
namespace {

std::variant<double, Unavailable> overheadOf(TimedDevice& device, const Timing& warm,
                                             StampKind kind) {
    if (warm.from != TimeFrom::deviceStamps) {
        return Unavailable{
            "without the device's time stamps a launch cannot be told from its kernel: " +
            warm.fromReason};
    }
    if (kind == StampKind::serial) {
        return Unavailable{"the time stamps of a kernel of many blocks hold a part of it"};
    }
    if (warm.medianSeconds > slowestBackToBack) {
        return Unavailable{"lost beside a kernel of " +
                           formatNumber(warm.medianSeconds, Unit::seconds)};
    }
    const std::optional<double> each = backToBackSeconds(device, warm.medianSeconds);
    if (!each) return Unavailable{"the driver does not hold launches back until all are queued"};
    const double overhead = *each - warm.medianSeconds;
    const double spread = warm.spreadPercent / 100 * warm.medianSeconds;
    if (overhead <= spread) {
        return Unavailable{"lost in the spread of the kernel's own times, " +
                           formatNumber(spread, Unit::seconds)};
    }
    return overhead;
}

}  // namespace

TimedLaunches timeLaunches(TimedDevice& device, const TimingRequest& request, const char* pciBusId,
                           std::stop_token stop) {
    ClockWatch clocks(pciBusId);
    const auto look = [&] { clocks.look(); };
    TimedLaunches timed{.timing = {.cacheState = {}, .clocks = {}}, .launchOverhead = 0.0};
    std::string reason;
    auto kindTaken = StampKind::concurrent;
    try {
        const ActivityRecords records(CuptiLibrary::open());
        const StampsOf stampsOf = [&](StampKind kind, const auto& work) {
            return records.stampsOf(kind, work);
        };
        StampTimer timer(device, request.cache, stampsOf);
        kindTaken = timer.kind();
        timed.timing = timeRuns(timer, request, look, stop);
    } catch (const StampsUnavailable& error) {
        reason = error.what();
    } catch (const CountersUnavailable& error) {
        reason = error.what();
    }
    if (!reason.empty()) {
        EventTimer timer(device, request.cache);
        timed.timing = timeRuns(timer, request, look, stop);
        timed.timing.fromReason = reason;
    }
    clocks.tell(timed.timing);
    if (request.cache == CacheBefore::cold) {
        timed.launchOverhead =
            Unavailable{"told with a warm L2, where launches follow one another"};
    } else {
        timed.launchOverhead = overheadOf(device, timed.timing, kindTaken);
    }
    return timed;
}

}  // namespace warplens
