#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/measurement/worker_protocol.h"
#include "kernels/measure/device/driver.h"

namespace warplens {

/// What the device of this number is called. Makes no context. Throws NoDevice, CudaError.
[[nodiscard]] DeviceName nameOfDevice(int number);

/// The devices that CUDA shows this process, by their numbers. Makes no context. Throws NoDevice.
[[nodiscard]] std::vector<DeviceName> allDevices();

/// The number of the device that is meant. Throws InvalidRequest with what there is to choose from.
[[nodiscard]] int deviceNumber(const DeviceChoice& choice, std::span<const DeviceName> devices);

/// The device of this thread's context. Throws CudaError.
[[nodiscard]] CUdevice currentDevice();
[[nodiscard]] int attributeOf(CUdevice device, CUdevice_attribute attribute);
/// Of this thread's device, 90 for 9.0. Throws CudaError.
[[nodiscard]] int computeCapabilityNumber();

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
