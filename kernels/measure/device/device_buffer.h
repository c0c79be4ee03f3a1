#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <utility>

#include "kernels/measure/device/cuda_error.h"

namespace warplens {

/// Owns one cudaMalloc allocation. The buffer in it starts `offset` bytes after a multiple of 256.
class DeviceBuffer final {
  public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::uint64_t bytes, std::uint64_t offset = 0)
        : bytes_(bytes), offset_(offset) {
        check(cudaMalloc(&data_, offset + bytes), "cudaMalloc");
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          bytes_(std::exchange(other.bytes_, 0)),
          offset_(std::exchange(other.offset_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(offset_, other.offset_);
        return *this;
    }
    // The result is ignored: after a kernel fault or at exit the driver has freed the memory
    // itself.
    ~DeviceBuffer() { cudaFree(data_); }

    template <class T = std::byte>
    [[nodiscard]] T* as() const {
        return reinterpret_cast<T*>(static_cast<std::byte*>(data_) + offset_);
    }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  private:
    void* data_ = nullptr;
    std::uint64_t bytes_ = 0;
    std::uint64_t offset_ = 0;
};

}  // namespace warplens
