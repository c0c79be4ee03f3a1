#include "kernels/measure/device/driver_timed_device.h"

namespace warplens {

void DriverTimedDevice::spoilCache() {
    if (!spoiler_) spoiler_.emplace(l2Bytes_);
    spoiler_->spoil();
}

void DriverTimedDevice::wait() {
    synchronize();
}

}  // namespace warplens
