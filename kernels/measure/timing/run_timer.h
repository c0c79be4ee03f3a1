#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/measurement/timing.h"
#include "kernels/measure/device/activity_records.h"
#include "kernels/measure/timing/timed_device.h"

namespace warplens {

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
