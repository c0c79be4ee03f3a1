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

/// Thrown when a stop was requested.
class Cancelled final : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Measures experiments on device 0 and keeps what is dear to set up: the context, the copy rate,
/// the profiler. One in a process: CUPTI 13.0 crashes when its profiler is opened a second time.
class Measuring final {
  public:
    using Report = std::function<void(const Progress&)>;

    /// Throws NoDevice (device_query.h).
    Measuring();
    ~Measuring();

    /// The device, and whether its counters can be read; tries them if they were not tried yet.
    [[nodiscard]] Description describe();

    /// One measurement, in this order: validate, allocate and fill, run once and check the result,
    /// read the mapping back, probe, warm up and time, count. Timing and counting never share a
    /// launch. Throws InvalidRequest, WrongResult, Cancelled or CudaError; counters that cannot be
    /// read are values with their reason instead.
    [[nodiscard]] Measurement measure(const MeasureRequest& request, const Report& report,
                                      std::stop_token stop);

  private:
    /// Null where the counters cannot be read; the reason is in countersReason_.
    RangeProfiler* profiler();

    Device device_;
    std::unique_ptr<RangeProfiler> profiler_;
    bool profilerTried_ = false;
    std::string countersReason_;
};

}  // namespace warplens
