#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <utility>

#include "kernels/measure/device/cuda_error.h"

namespace warplens {

/// Owns one cudaMalloc allocation; its address is a multiple of 256.
class DeviceBuffer final {
  public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::uint64_t bytes) : bytes_(bytes) {
        check(cudaMalloc(&data_, bytes), "cudaMalloc");
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    // The result is ignored: after a kernel fault or at exit the driver has freed the memory
    // itself.
    ~DeviceBuffer() { cudaFree(data_); }

    template <class T = void>
    [[nodiscard]] T* as() const {
        return static_cast<T*>(data_);
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    void* data_ = nullptr;
    std::uint64_t bytes_ = 0;
};

}  // namespace warplens
