#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/measurement/timing.h"
#include "kernels/measure/counters/cupti_library.h"
#include "kernels/measure/device/driver.h"
#include "kernels/measure/device/loaded_code.h"

namespace warplens {

/// What timing asks of a device: one kernel, launched on one stream, in order. No CUDA in it, so
/// that the rules of timing can be judged without a GPU. Every member but `release` may throw what
/// the device's calls throw.
class TimedDevice {
  public:
    TimedDevice() = default;
    TimedDevice(TimedDevice&&) = delete;
    virtual ~TimedDevice() = default;

    /// Queues one run of the kernel, which must be the only kernel that it launches.
    virtual void launch() = 0;
    /// Queues what fills the L2 with other data. Launches no kernel of the timed one's name.
    virtual void spoilCache() = 0;
    /// Waits until everything queued is done.
    virtual void wait() = 0;

    /// Queues an event; `place` below `mostMarks`.
    virtual void mark(std::size_t place) = 0;
    /// Device time between two marks that were passed, seconds.
    [[nodiscard]] virtual double secondsBetween(std::size_t from, std::size_t to) = 0;
    static constexpr std::size_t mostMarks = 64;

    /// Keeps what is queued from now on from starting before `release`; `wait` would not return.
    /// At most some hundred launches may be queued meanwhile. False where the device cannot.
    [[nodiscard]] virtual bool hold() = 0;
    virtual void release() noexcept = 0;
};

/// Holds the device while it lives.
class HeldDevice final {
  public:
    explicit HeldDevice(TimedDevice& device) : device_(device), held_(device.hold()) {}
    HeldDevice(HeldDevice&&) = delete;
    ~HeldDevice() {
        if (held_) device_.release();
    }
    [[nodiscard]] bool held() const { return held_; }

  private:
    TimedDevice& device_;
    bool held_;
};

/// Tells how long single runs of a kernel take.
class RunTimer {
  public:
    RunTimer() = default;
    RunTimer(RunTimer&&) = delete;
    virtual ~RunTimer() = default;

    /// Runs the kernel `runs` times, one run after the other, and waits: nanoseconds of each, in
    /// the order they ran.
    [[nodiscard]] virtual std::vector<std::uint64_t> time(std::size_t runs) = 0;
    [[nodiscard]] virtual TimeFrom from() const = 0;
};

/// The kernels that `work` launches, in the order they began (ActivityRecords::stampsOf).
using StampsOf =
    std::function<std::vector<KernelStamp>(StampKind kind, const std::function<void()>& work)>;

/// By the device's own stamps: from a run's first instruction to its last. The time that the host
/// takes to launch is in none of them, and the device need not be held back.
class StampTimer final : public RunTimer {
  public:
    /// Runs the kernel up to ten times to find out which kind of stamp tells the shorter time, and
    /// stays with it. Throws as `time`.
    StampTimer(TimedDevice& device, CacheBefore cache, StampsOf stampsOf);
    /// Throws StampsUnavailable where CUPTI has not one record for each run.
    [[nodiscard]] std::vector<std::uint64_t> time(std::size_t runs) override;
    [[nodiscard]] TimeFrom from() const override { return TimeFrom::deviceStamps; }
    [[nodiscard]] StampKind kind() const { return kind_; }

  private:
    TimedDevice& device_;
    CacheBefore cache_;
    StampsOf stampsOf_;
    StampKind kind_ = StampKind::concurrent;
};

/// By events before and after each run. The runs are queued while the device is held back, so that
/// the host's launch time is in none of them; the device's own is.
class EventTimer final : public RunTimer {
  public:
    EventTimer(TimedDevice& device, CacheBefore cache);
    [[nodiscard]] std::vector<std::uint64_t> time(std::size_t runs) override;
    [[nodiscard]] TimeFrom from() const override { return TimeFrom::events; }

  private:
    void queue(std::size_t place);

    TimedDevice& device_;
    CacheBefore cache_;
};

/// Owns one CUDA event with timing, on the default stream.
class Event final {
  public:
    Event() { check(Driver::open().eventCreate(&event_, CU_EVENT_DEFAULT), "cuEventCreate"); }
    Event(Event&&) = delete;
    ~Event() { Driver::open().eventDestroy(event_); }
    void record() { check(Driver::open().eventRecord(event_, nullptr), "cuEventRecord"); }
    void wait() const { check(Driver::open().eventSynchronize(event_), "cuEventSynchronize"); }
    /// Seconds of device time from `begin` to this event; both must have completed. Resolution:
    /// about half a microsecond (CUDA Driver API, cuEventElapsedTime).
    [[nodiscard]] double secondsSince(const Event& begin) const {
        float milliseconds = 0;
        check(Driver::open().eventElapsedTime(&milliseconds, begin.event_, event_),
              "cuEventElapsedTime");
        return milliseconds * 1e-3;
    }

  private:
    CUevent event_ = nullptr;
};

/// Fills the L2 with other data. Reads a buffer of its own rather than writing it: lines that were
/// written would have to go to memory in the time of whoever comes next.
class L2Spoiler final {
  public:
    /// Throws CudaError, and what deviceKernel does.
    explicit L2Spoiler(std::uint64_t l2Bytes);

    /// Queues the reading on the default stream. Throws CudaError.
    void spoil();

    /// What is read for an L2 of that size: twice as much.
    [[nodiscard]] static constexpr std::uint64_t bytesFor(std::uint64_t l2Bytes) {
        return 2 * l2Bytes;
    }

  private:
    DeviceBuffer data_;
    CUfunction kernel_;
};

/// Keeps the default stream from going on until the host says so: what is queued behind a closed
/// gate starts only when all of it is queued, however slow the host is. The device waits for a word
/// in the host's memory (cuStreamWaitValue32), so that no kernel spins and no time is guessed.
class StreamGate final {
  public:
    StreamGate();  ///< Some 2 ms with its end: to be kept. Throws CudaError.
    StreamGate(StreamGate&&) = delete;
    ~StreamGate();  ///< Opens it.

    /// Queues the wait. False, and nothing queued, where the driver does not wait for values.
    [[nodiscard]] bool close();
    void open() noexcept;

  private:
    std::uint32_t* word_ = nullptr;  ///< in host memory that the device reads
    CUdeviceptr wordOnDevice_ = 0;
    std::uint32_t closed_ = 0;  ///< how often; the word's value that opens the last one
    bool waits_ = true;         ///< until the driver has refused to
};

/// A kernel launched on the default stream of this thread's context.
class DriverTimedDevice final : public TimedDevice {
  public:
    /// `l2Bytes` of the device; `launch` and the gate of its default stream must outlive this.
    /// Throws CudaError.
    DriverTimedDevice(const std::function<void()>& launch, std::uint64_t l2Bytes, StreamGate& gate)
        : launch_(launch), l2Bytes_(l2Bytes), gate_(gate) {}

    void launch() override { launch_(); }
    void spoilCache() override;
    void wait() override;
    void mark(std::size_t place) override { marks_.at(place).record(); }
    [[nodiscard]] double secondsBetween(std::size_t from, std::size_t to) override {
        return marks_.at(to).secondsSince(marks_.at(from));
    }
    [[nodiscard]] bool hold() override { return gate_.close(); }
    void release() noexcept override { gate_.open(); }

  private:
    const std::function<void()>& launch_;
    std::uint64_t l2Bytes_;
    std::optional<L2Spoiler> spoiler_;  ///< from the first need on
    std::vector<Event> marks_{mostMarks};
    StreamGate& gate_;
};

/// Times the kernel by `timer`. Warm-up runs come first: two alone, then a batch. Then at least 20
/// runs, more until 20 ms of device time or 200 runs; a kernel so slow that 20 runs would take over
/// 0.5 s stops there, after at least 3. Where `request` names a number of runs, that many. Fills
/// what the runs told; cache state and clocks are the caller's to state. `between` is called after
/// each batch. A requested stop ends it early, with what it has.
[[nodiscard]] Timing timeRuns(RunTimer& timer, const TimingRequest& request,
                              const std::function<void()>& between, std::stop_token stop);

/// Longer runs hide what a launch costs.
inline constexpr double slowestBackToBack = 1e-3;

/// Seconds that each of many runs takes that are queued one behind another, the device held back
/// until all are: its median over some rounds. `once` is about what one run takes, at most
/// `slowestBackToBack`. Nullopt where the device cannot be held back.
[[nodiscard]] std::optional<double> backToBackSeconds(TimedDevice& device, double once);

/// How long the runs of a kernel took, and what a launch costs beside that.
struct TimedLaunches final {
    Timing timing;  ///< but for cache state and working set, which the caller knows
    std::variant<double, Unavailable> launchOverhead;  ///< seconds
};

/// Times the kernel by the device's own stamps, or by events where CUPTI gives none, which the
/// timing then says with the reason. `pciBusId` names the device to NVML, `0000:17:00.0`.
[[nodiscard]] TimedLaunches timeLaunches(TimedDevice& device, const TimingRequest& request,
                                         const char* pciBusId, std::stop_token stop);

}  // namespace warplens
