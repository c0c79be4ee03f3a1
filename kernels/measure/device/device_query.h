#pragma once

#include <string>

#include "core/measurement/measurement.h"

namespace warplens {

/// Thrown when this machine has no CUDA device that can be used; says why and what to do.
class NoDevice final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The device of this number as the runtime describes it: everything but chip and copy rate. From
/// now on it is this thread's, with its primary context. Throws NoDevice.
[[nodiscard]] Device queryDevice(int number = 0);

/// Device-to-device cudaMemcpy over a buffer of four times the L2, at least 256 MiB: fills the copy
/// rate members. About 20 ms. Throws CudaError.
void measureCopyRate(Device& device);

/// Sets `fp32Rate` and `fp32RateRuns`. Cost: a few milliseconds. Throws CudaError.
void measureFp32Rate(Device& device);

/// The place of this thread's device on the bus, `0000:17:00.0`, by which NVML knows it. Throws
/// CudaError.
[[nodiscard]] std::string pciBusId();

}  // namespace warplens
