#include "kernels/measure/timing/timed_runs.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "kernels/measure/device/device_query.h"

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

L2Spoiler::L2Spoiler(std::uint64_t l2Bytes)
    : data_(bytesFor(l2Bytes)), kernel_(deviceKernel("readAll")) {
    data_.fill(0);
}

void L2Spoiler::spoil() {
    launchKernel(kernel_, {.grid = {1024}, .block = {256}}, data_.address(), data_.bytes() / 16);
}

StreamGate::StreamGate() {
    const Driver& driver = Driver::open();
    void* word = nullptr;
    check(driver.memHostAlloc(&word, sizeof *word_, CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc");
    word_ = static_cast<std::uint32_t*>(word);
    *word_ = 0;
    check(driver.memHostGetDevicePointer(&wordOnDevice_, word_, 0), "cuMemHostGetDevicePointer");
}

StreamGate::~StreamGate() {
    open();
    // The stream may still wait to read it; freeing waits for that.
    Driver::open().memFreeHost(word_);
}

bool StreamGate::close() {
    waits_ = waits_ && Driver::open().streamWaitValue32(nullptr, wordOnDevice_, closed_ + 1,
                                                        CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS;
    if (waits_) ++closed_;
    return waits_;
}

void StreamGate::open() noexcept {
    std::atomic_ref(*word_).store(closed_, std::memory_order_release);
}

void DriverTimedDevice::spoilCache() {
    if (!spoiler_) spoiler_.emplace(l2Bytes_);
    spoiler_->spoil();
}

void DriverTimedDevice::wait() {
    synchronize();
}

namespace {

constexpr std::size_t fewestRuns = 20;
constexpr std::size_t usualRuns = 200;
constexpr double enoughSeconds = 0.02;
constexpr double mostSeconds = 0.5;

constexpr std::size_t mostInBatch = 100;
constexpr double batchSeconds = 0.01;

bool enoughRuns(const TimingRequest& request, std::size_t runs, double seconds) {
    if (request.runs) return runs >= static_cast<std::size_t>(*request.runs);
    if (seconds >= mostSeconds) return runs >= fewestTimedRuns;
    return runs >= usualRuns || (runs >= fewestRuns && seconds >= enoughSeconds);
}

std::size_t batchFor(double once) {
    if (once <= 0) return mostInBatch;
    return std::clamp<std::size_t>(static_cast<std::size_t>(batchSeconds / once), 1, mostInBatch);
}

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

Timing timeRuns(RunTimer& timer, const TimingRequest& request, const std::function<void()>& between,
                std::stop_token stop) {
    Timing timing{.cacheState = {}, .clocks = {}, .from = timer.from(), .cache = request.cache};
    const double once = 1e-9 * static_cast<double>(timer.time(2).back());
    timing.warmUpRuns = 2;
    const std::size_t batch = batchFor(once);
    const bool slow = once * fewestRuns > mostSeconds;
    if (!slow && !stop.stop_requested()) {
        timing.warmUpRuns += static_cast<int>(timer.time(std::max<std::size_t>(batch, 3)).size());
    }
    between();
    double total = 0;
    std::vector<std::uint64_t>& runs = timing.runNanoseconds;
    while (!enoughRuns(request, runs.size(), total) && !(stop.stop_requested() && !runs.empty())) {
        std::size_t next = slow ? 1 : batch;
        const std::size_t last = request.runs ? static_cast<std::size_t>(*request.runs) : usualRuns;
        next = std::min(next, last - std::min(last - 1, runs.size()));
        for (const std::uint64_t time : timer.time(next)) {
            runs.push_back(time);
            total += 1e-9 * static_cast<double>(time);
        }
        between();
    }
    summarize(timing);
    return timing;
}

std::optional<double> backToBackSeconds(TimedDevice& device, double once) {
    constexpr int rounds = 5;
    constexpr double roundSeconds = 0.004;
    const auto runs =
        static_cast<std::size_t>(std::clamp(roundSeconds / std::max(once, 1e-9), 10.0, 40.0));
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        {
            const HeldDevice held(device);
            if (!held.held()) return std::nullopt;
            device.launch();  // what the first run waits for is none of the others' business
            device.mark(0);
            for (std::size_t run = 0; run < runs; ++run) device.launch();
            device.mark(1);
        }
        device.wait();
        seconds.push_back(device.secondsBetween(0, 1) / static_cast<double>(runs));
    }
    std::ranges::nth_element(seconds, seconds.begin() + rounds / 2);
    return seconds[rounds / 2];
}

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
