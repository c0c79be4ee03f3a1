#include "kernels/measure/device/driver_timed_device.h"

#include <atomic>

#include "kernels/measure/device/loaded_code.h"

namespace warplens {

L2Spoiler::L2Spoiler(std::uint64_t l2Bytes)
    : data_(bytesFor(l2Bytes)), kernel_(deviceKernel("readAll")) {
    data_.fill(0);
}

void L2Spoiler::spoil() {
    launchKernel(kernel_, {.grid = {1024}, .block = {256}}, data_.address(), data_.bytes() / 16);
}

StreamGate::StreamGate() {
    const Driver& driver = Driver::open();
    void* word = nullptr;
    check(driver.memHostAlloc(&word, sizeof *word_, CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc");
    word_ = static_cast<std::uint32_t*>(word);
    *word_ = 0;
    check(driver.memHostGetDevicePointer(&wordOnDevice_, word_, 0), "cuMemHostGetDevicePointer");
}

StreamGate::~StreamGate() {
    open();
    // The stream may still wait to read it; freeing waits for that.
    Driver::open().memFreeHost(word_);
}

bool StreamGate::close() {
    waits_ = waits_ && Driver::open().streamWaitValue32(nullptr, wordOnDevice_, closed_ + 1,
                                                        CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS;
    if (waits_) ++closed_;
    return waits_;
}

void StreamGate::open() noexcept {
    std::atomic_ref(*word_).store(closed_, std::memory_order_release);
}

void DriverTimedDevice::spoilCache() {
    if (!spoiler_) spoiler_.emplace(l2Bytes_);
    spoiler_->spoil();
}

void DriverTimedDevice::wait() {
    synchronize();
}

}  // namespace warplens
