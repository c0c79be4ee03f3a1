#include "kernels/measure/device/stream_gate.h"

#include <atomic>

namespace warplens {

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

}  // namespace warplens
