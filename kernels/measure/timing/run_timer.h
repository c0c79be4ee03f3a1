#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/measurement/timing.h"
#include "kernels/measure/device/activity_records.h"

namespace warplens {

/// What timing asks of a device: one kernel, launched on one stream, in order. No CUDA in it, so
/// that the rules of timing can be judged without a GPU. Every member but `release` may throw what
/// the device's calls throw.
class TimedDevice {
  public:
    TimedDevice() = default;
    TimedDevice(const TimedDevice&) = delete;
    TimedDevice& operator=(const TimedDevice&) = delete;
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
    HeldDevice(const HeldDevice&) = delete;
    HeldDevice& operator=(const HeldDevice&) = delete;
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
    RunTimer(const RunTimer&) = delete;
    RunTimer& operator=(const RunTimer&) = delete;
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

}  // namespace warplens
