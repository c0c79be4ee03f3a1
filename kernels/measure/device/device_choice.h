#pragma once

#include <span>
#include <vector>

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

}  // namespace warplens
