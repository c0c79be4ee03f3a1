#include "kernels/measure/device/runtime_timed_device.h"

namespace warplens {

void RuntimeTimedDevice::spoilCache() {
    if (!spoiler_) spoiler_.emplace(l2Bytes_);
    spoiler_->spoil();
}

void RuntimeTimedDevice::wait() {
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

}  // namespace warplens
