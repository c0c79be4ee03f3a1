#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/measure/device/driver.h"

namespace warplens {

/// Owns memory of the device. The buffer in it starts `offset` bytes after a multiple of 256.
class DeviceBuffer final {
  public:
    DeviceBuffer() = default;
    /// Throws CudaError.
    explicit DeviceBuffer(std::uint64_t bytes, std::uint64_t offset = 0)
        : bytes_(bytes), offset_(offset) {
        check(Driver::open().memAlloc(&data_, offset + bytes), "cuMemAlloc");
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, 0)),
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
    ~DeviceBuffer() {
        if (data_ != 0) Driver::open().memFree(data_);
    }

    [[nodiscard]] CUdeviceptr address() const { return data_ + offset_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// Queues setting every byte on the default stream. Throws CudaError.
    void fill(unsigned char byte) const {
        check(Driver::open().memsetD8Async(address(), byte, bytes_, nullptr), "cuMemsetD8Async");
    }
    /// Copies `count` elements from the one at `first` on to the host, after all that was queued
    /// before. Throws CudaError.
    template <class T>
    void read(T* to, std::uint64_t count, std::uint64_t first = 0) const {
        if (count == 0) return;
        check(Driver::open().memcpyDtoH(to, address() + first * sizeof(T), count * sizeof(T)),
              "cuMemcpyDtoH");
    }
    template <class T>
    void write(const T* from, std::uint64_t count, std::uint64_t first = 0) const {
        check(Driver::open().memcpyHtoD(address() + first * sizeof(T), from, count * sizeof(T)),
              "cuMemcpyHtoD");
    }

  private:
    CUdeviceptr data_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t offset_ = 0;
};

}  // namespace warplens
