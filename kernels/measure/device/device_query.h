#pragma once

#include <string>

#include "core/measurement/measurement.h"
#include "kernels/measure/device/driver.h"

namespace warplens {

/// The device of this number as the driver describes it: everything but chip and copy rate. From
/// now on it is this thread's, with its primary context. Throws NoDevice, CompilerUnavailable where
/// there is no NVRTC, CudaError.
[[nodiscard]] Device queryDevice(int number = 0);

/// Copies within the device's memory, a buffer of four times the L2, at least 256 MiB: fills the
/// copy rate members. About 20 ms. Throws CudaError.
void measureCopyRate(Device& device);

/// Sets `fp32Rate` and `fp32RateRuns`. Cost: a few milliseconds. Throws CudaError.
void measureFp32Rate(Device& device);

/// The place of this thread's device on the bus, `0000:17:00.0`, by which NVML knows it. Throws
/// CudaError.
[[nodiscard]] std::string pciBusId();

}  // namespace warplens
