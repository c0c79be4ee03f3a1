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

}  // namespace warplens
