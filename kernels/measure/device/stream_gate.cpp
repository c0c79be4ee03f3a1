#include "kernels/measure/device/stream_gate.h"

#include <atomic>
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "kernels/measure/device/cuda_error.h"

namespace warplens {

StreamGate::StreamGate() {
    void* word = nullptr;
    check(cudaHostAlloc(&word, sizeof *word_, cudaHostAllocMapped), "cudaHostAlloc");
    word_ = static_cast<std::uint32_t*>(word);
    *word_ = 0;
    check(cudaHostGetDevicePointer(&wordOnDevice_, word_, 0), "cudaHostGetDevicePointer");
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const cudaError_t asked = cudaGetDriverEntryPointByVersion(
        "cuStreamWaitValue32", &entry, CUDA_VERSION, cudaEnableDefault, &found);
    if (asked == cudaSuccess && found == cudaDriverEntryPointSuccess) {
        waitValue_ = reinterpret_cast<WaitValue>(entry);
    } else {
        (void)cudaGetLastError();
    }
}

StreamGate::~StreamGate() {
    open();
    // The stream may still wait to read it; freeing waits for that.
    cudaFreeHost(word_);
}

bool StreamGate::close() {
    if (waitValue_ == nullptr) return false;
    const auto address = reinterpret_cast<unsigned long long>(wordOnDevice_);
    if (waitValue_(nullptr, address, closed_ + 1, CU_STREAM_WAIT_VALUE_GEQ) != CUDA_SUCCESS) {
        waitValue_ = nullptr;
        return false;
    }
    ++closed_;
    return true;
}

void StreamGate::open() noexcept {
    std::atomic_ref(*word_).store(closed_, std::memory_order_release);
}

}  // namespace warplens
