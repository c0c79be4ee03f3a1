#include "kernels/measure/timing/run_timer.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace warplens {

StampTimer::StampTimer(TimedDevice& device, CacheBefore cache, StampsOf stampsOf)
    : device_(device), cache_(cache), stampsOf_(std::move(stampsOf)) {
    constexpr std::size_t tries = 5;
    constexpr std::uint64_t longNanoseconds = 10'000'000;  // neither kind matters any more
    if (time(1).front() > longNanoseconds) {
        kind_ = StampKind::serial;
        return;
    }
    const auto median = [&](StampKind kind) {
        kind_ = kind;
        std::vector<std::uint64_t> times = time(tries);
        std::ranges::nth_element(times, times.begin() + tries / 2);
        return times[tries / 2];
    };
    const std::uint64_t concurrent = median(StampKind::concurrent);
    if (concurrent < median(StampKind::serial)) kind_ = StampKind::concurrent;
}

std::vector<std::uint64_t> StampTimer::time(std::size_t runs) {
    const std::vector<KernelStamp> stamps = stampsOf_(kind_, [&] {
        for (std::size_t run = 0; run < runs; ++run) {
            if (cache_ == CacheBefore::cold) device_.spoilCache();
            device_.launch();
        }
        device_.wait();
    });
    std::vector<std::uint64_t> times;
    for (const KernelStamp& stamp : stamps) {
        // The last launched is the timed one; a kernel of another name spoilt the cache.
        if (stamp.name == stamps.back().name) times.push_back(stamp.nanoseconds());
    }
    if (times.size() != runs) {
        throw StampsUnavailable("CUPTI recorded " + std::to_string(times.size()) + " of " +
                                std::to_string(runs) + " runs");
    }
    return times;
}

EventTimer::EventTimer(TimedDevice& device, CacheBefore cache) : device_(device), cache_(cache) {
    if (cache_ != CacheBefore::cold) return;
    // What the first call sets up must not wait for a device that is held back.
    device_.spoilCache();
    device_.wait();
}

void EventTimer::queue(std::size_t place) {
    if (cache_ == CacheBefore::cold) device_.spoilCache();
    device_.mark(place);
    device_.launch();
    device_.mark(place + 1);
}

std::vector<std::uint64_t> EventTimer::time(std::size_t runs) {
    constexpr std::size_t mostAtOnce = TimedDevice::mostMarks / 2;
    std::vector<std::uint64_t> times;
    while (times.size() < runs) {
        std::size_t queued = 0;
        {
            const HeldDevice held(device_);
            // Without being held the device would wait for the host between the events.
            const std::size_t most = held.held() ? std::min(mostAtOnce, runs - times.size()) : 1;
            for (; queued < most; ++queued) queue(2 * queued);
        }
        device_.wait();
        for (std::size_t run = 0; run < queued; ++run) {
            const double seconds = device_.secondsBetween(2 * run, 2 * run + 1);
            times.push_back(static_cast<std::uint64_t>(std::llround(1e9 * std::max(0.0, seconds))));
        }
    }
    return times;
}

}  // namespace warplens
