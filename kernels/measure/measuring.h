#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "core/measurement/worker_protocol.h"

namespace warplens {

class RangeProfiler;
class StreamGate;
struct CounterPatience;

/// Thrown when a stop was requested.
class Cancelled final : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Measures experiments on one device and keeps what takes long to set up: the context, the copy
/// rate, the profiler. One in a process: CUPTI 13.0 crashes when its profiler is opened a second
/// time. The counters stay with it after a measurement, since taking them anew costs some 150 ms,
/// until it is told to let go of them.
class Measuring final {
  public:
    using Report = std::function<void(const Progress&)>;

    /// `device` is its number. Throws NoDevice (device_query.h).
    explicit Measuring(int device = 0);
    ~Measuring();

    /// The device, and whether its counters can be read; tries them if they were not tried yet.
    [[nodiscard]] Description describe(const CounterPatience& patience);
    [[nodiscard]] Description describe();

    /// One measurement, in this order: validate, allocate and fill, run once and check the result,
    /// read the mapping back, probe, warm up and time, count. Timing and counting never share a
    /// launch. Throws InvalidRequest, WrongResult, Cancelled or CudaError; counters that cannot be
    /// read are values with their reason instead.
    [[nodiscard]] Measurement measure(const MeasureRequest& request, const Report& report,
                                      std::stop_token stop, const CounterPatience& patience);
    [[nodiscard]] Measurement measure(const MeasureRequest& request, const Report& report,
                                      std::stop_token stop);

    /// Others may read the counters from now on.
    void letGoOfCounters();
    [[nodiscard]] bool hasCounters() const;
    [[nodiscard]] const Device& device() const { return device_; }
    /// The profiler with the counters taken; waits for them no longer than the patience lasts.
    /// Throws CountersUnavailable, Cancelled.
    RangeProfiler& takeCounters(const CounterPatience& patience, const Report& report,
                                const std::stop_token& stop);
    /// Calls `act` with the counters taken, and once more where another process turned out to have
    /// them, as long as the patience lasts. Throws CountersUnavailable, Cancelled, or what `act`
    /// throws.
    void withCounters(const CounterPatience& patience, const Report& report,
                      const std::stop_token& stop, const std::function<void(RangeProfiler&)>& act);

  private:
    Device device_;
    std::unique_ptr<StreamGate> gate_;
    std::unique_ptr<RangeProfiler> profiler_;
};

}  // namespace warplens
