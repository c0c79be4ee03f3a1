#pragma once

#include <functional>
#include <stop_token>

#include "core/measurement/worker_protocol.h"
#include "core/program/program_measurement.h"

namespace warplens {

class RangeProfiler;

/// Measures launches of a person's programs on device 0, whose primary context is current.
class ProgramMeasuring final {
  public:
    using Report = std::function<void(const Progress&)>;
    /// Opens the hardware counters, or throws CountersUnavailable with the reason.
    using Counters = std::function<RangeProfiler&()>;

    ProgramMeasuring(Device device, Counters counters)
        : device_(std::move(device)), counters_(std::move(counters)) {}

    /// One measurement, in this order: compile, allocate and fill, run once and compare with the
    /// host's results, probe, find the causes of differences, warm up and time, count lines, count.
    /// Timing and counting never share a launch, and each launch begins with the arrays as they
    /// were. A result that differs is told, not refused: programs may depend on who comes first.
    /// Throws CompileError, InvalidRequest, Cancelled, CudaError; what cannot be probed or counted
    /// is a value, or a list of lines, with its reason.
    [[nodiscard]] ProgramMeasurement measure(const MeasureProgramRequest& request,
                                             const Report& report, std::stop_token stop);

  private:
    Device device_;
    Counters counters_;
};

}  // namespace warplens
