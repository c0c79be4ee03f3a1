#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/launch/launch.h"
#include "core/measurement/measurement.h"
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

/// Owns machine code loaded into the current context.
class LoadedCode final {
  public:
    /// Throws CudaError.
    explicit LoadedCode(const std::string& cubin);
    LoadedCode(LoadedCode&& other) noexcept : module_(std::exchange(other.module_, nullptr)) {}
    LoadedCode(const LoadedCode&) = delete;
    LoadedCode& operator=(const LoadedCode&) = delete;
    // The result is ignored: after a kernel fault or at exit the driver has unloaded it itself.
    ~LoadedCode() {
        if (module_ != nullptr) Driver::open().moduleUnload(module_);
    }

    /// A kernel by its symbol. Throws CudaError.
    [[nodiscard]] CUfunction kernel(const std::string& symbol) const;

    /// A variable by its symbol; size 0 where there is none of that name.
    struct Variable final {
        CUdeviceptr address = 0;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Variable variable(const std::string& symbol) const;

  private:
    CUmodule module_ = nullptr;
};

/// Appends a kernel's next parameter, aligned as parameters are.
template <class T>
void appendParameter(std::vector<std::byte>& bytes, T value) {
    bytes.resize((bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T) + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

/// Queues a launch on the default stream; `parameters` are the kernel's, as they lie in memory.
/// Throws CudaError.
void launchWith(CUfunction kernel, const Launch& launch, std::span<const std::byte> parameters,
                bool cooperative = false);

/// Lets the kernel have as much dynamic shared memory as the launch asks for. Throws CudaError.
void allowSharedMemory(CUfunction kernel, const Launch& launch);

/// What the kernel takes as compiled. Throws CudaError.
[[nodiscard]] KernelResources resourcesOf(CUfunction kernel);

/// Blocks of the launch that fit on one SM at once, by the driver's occupancy rule. Throws
/// CudaError.
[[nodiscard]] int residentBlocksOf(CUfunction kernel, const Launch& launch);

/// Queues a launch of a kernel whose parameters have these types. Throws CudaError.
template <class... Parameter>
void launchKernel(CUfunction kernel, const Launch& launch, Parameter... parameter) {
    std::vector<std::byte> bytes;
    (appendParameter(bytes, parameter), ...);
    launchWith(kernel, launch, bytes);
}

/// A kernel of device_kernels.cu, which NVRTC compiles for this thread's device at the first use in
/// a process: some 100 ms. Throws CompileError, CompilerUnavailable, CudaError.
[[nodiscard]] CUfunction deviceKernel(const char* name);

/// A kernel on the device with its arrays, ready to be launched any number of times. Members that
/// launch or copy queue that on the default stream and throw CudaError.
class DeviceLaunch {
  public:
    DeviceLaunch(DeviceLaunch&&) = delete;
    virtual ~DeviceLaunch() = default;

    /// One launch of the plain code: what is timed and counted.
    void run() const { run(function_); }
    /// The same of other code. `before` are bytes of parameters that come before the kernel's own,
    /// a multiple of 8.
    void run(CUfunction function, std::span<const std::byte> before = {}) const {
        if (before.empty()) return launchWith(function, launch_, parameters_, cooperative_);
        std::vector<std::byte> all(before.begin(), before.end());
        all.insert(all.end(), parameters_.begin(), parameters_.end());
        launchWith(function, launch_, all, cooperative_);
    }

    /// Brings every array that the launch changes back to its contents before it.
    virtual void restore() {}
    /// Whether `restore` has anything to do.
    [[nodiscard]] virtual bool needsRestoring() const { return false; }
    /// Bytes of the arrays.
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;

    [[nodiscard]] const Launch& launch() const { return launch_; }
    /// What the plain kernel takes as compiled for this device.
    [[nodiscard]] KernelResources resources() const { return resourcesOf(function_); }
    /// Blocks of it that fit on one SM at once, by the driver's occupancy rule.
    [[nodiscard]] int residentBlocks() const { return residentBlocksOf(function_, launch_); }

  protected:
    DeviceLaunch(const Launch& launch, CUfunction function, bool cooperative = false)
        : launch_(launch), function_(function), cooperative_(cooperative) {
        allowSharedMemory(function, launch);
    }
    void setParameters(std::vector<std::byte> parameters) { parameters_ = std::move(parameters); }

  private:
    Launch launch_;
    CUfunction function_;
    bool cooperative_;
    std::vector<std::byte> parameters_;
};

}  // namespace warplens
