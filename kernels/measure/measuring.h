#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>

#include "core/measurement/worker_protocol.h"
#include "kernels/measure/counters/range_profiler.h"

namespace warplens {

class DeviceLaunch;
class StreamGate;

/// Thrown when a stop was requested.
class Cancelled final : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Measures launches on one device, of built-in kernels, courses and user programs alike, and keeps
/// what takes long to set up: the context, the copy rate, the profiler. One in a process:
/// CUPTI 13.0 crashes when its profiler is opened a second time. The counters stay with it after a
/// measurement, since acquiring them anew costs some 150 ms, until it is told to release them.
class Measuring final {
  public:
    using Report = std::function<void(const Progress&)>;

    /// `device` is its number. Throws NoDevice (device_query.h).
    explicit Measuring(int device = 0);
    ~Measuring();

    /// The device, and whether its counters can be read; tries them if they were not tried yet.
    [[nodiscard]] Description describe(const RetryPolicy& policy = {});

    /// One measurement, in this order: compile, allocate and fill, run once and check the result,
    /// warm up and time, count, count lines; meanwhile the machine (kernels/ptx) runs the PTX that
    /// is measured. Timing and counting never share a launch, and each launch begins with the
    /// arrays as they were. Counters that cannot be read, and compiled code that cannot be run
    /// without the GPU, are values with their reason. Throws CompileError, InvalidRequest,
    /// Cancelled or CudaError.
    ///
    /// Of a scenario the mapping is read back, too, and a wrong result throws WrongResult.
    [[nodiscard]] Measurement measure(const MeasureRequest& request, const Report& report,
                                      std::stop_token stop, const RetryPolicy& policy = {});
    /// Of a user program a result that differs from the host's is told, not refused: programs may
    /// depend on who comes first. What causes differences of its lines is looked for.
    [[nodiscard]] ProgramMeasurement measure(const MeasureProgramRequest& request,
                                             const Report& report, std::stop_token stop,
                                             const RetryPolicy& policy = {});

    /// Others may read the counters from now on.
    void releaseCounters();
    [[nodiscard]] bool hasCounters() const;

  private:
    class Run;
    /// Calls `act` with the counters acquired, and once more where another process turned out to
    /// have them, as the policy says. Throws CountersUnavailable, Cancelled, or what `act` throws.
    void withCounters(const RetryPolicy& policy, const Report& report, const std::stop_token& stop,
                      const std::function<void(RangeProfiler&)>& act);
    void requireRates(const Report& report);

    Device device_;
    std::unique_ptr<StreamGate> gate_;
    std::unique_ptr<RangeProfiler> profiler_;
};

}  // namespace warplens
