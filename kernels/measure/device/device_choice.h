#pragma once

#include <span>
#include <vector>

#include "core/measurement/worker_protocol.h"

namespace warplens {

/// The devices that CUDA shows this process, by their numbers. Makes no context. Throws NoDevice.
[[nodiscard]] std::vector<DeviceName> allDevices();

/// The number of the device that is meant. Throws InvalidRequest with what there is to choose from.
[[nodiscard]] int deviceNumber(const DeviceChoice& choice, std::span<const DeviceName> devices);

/// The number of this thread's device. Throws CudaError.
[[nodiscard]] int currentDevice();

}  // namespace warplens
