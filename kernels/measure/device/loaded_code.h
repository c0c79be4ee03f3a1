#pragma once

#include <cstdint>
#include <string>
#include <utility>

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

/// Links PTX with the driver's own linker, which takes PTX up to its own release: where there is no
/// nvJitLink. Throws CudaError, CompileError with the linker's words.
/// `mostRegisters` as in linkPtx (link.h).
[[nodiscard]] std::string linkWithDriver(const std::string& ptx, unsigned mostRegisters);

}  // namespace warplens
