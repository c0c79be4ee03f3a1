#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/kernel/arguments.h"
#include "core/library/kernel_file.h"
#include "kernels/device/compile/compile.h"
#include "kernels/measure/device/loaded_code.h"
#include "kernels/measure/probed_code.h"

namespace warplens {

/// A kernel's file as NVRTC compiles it for this thread's device, in the instance of its template
/// that the arguments ask for: the text word for word, and two copies of it that tell of
/// themselves. Each is compiled at its first use and kept for the process.
class LoadedKernel final {
  public:
    /// Throws CompileError, CompilerUnavailable, CudaError.
    LoadedKernel(const Kernel& file, std::string instance);

    /// As it is timed and counted.
    [[nodiscard]] CUfunction plain() const { return plain_; }
    /// Its machine code, PTX and symbol.
    [[nodiscard]] const CompiledUnit& compiled() const { return *compiled_; }
    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    /// Whether it has atomics that may go to global memory: what was there before counts.
    [[nodiscard]] bool addsToMemory() const { return addsToMemory_; }

    /// With calls that count its accesses and branches.
    [[nodiscard]] const ProbedCode& probed();
    /// With time stamps (schedule_text.h); its first parameter is a ScheduleRecords.
    [[nodiscard]] CUfunction scheduled();

  private:
    const Kernel& file_;
    std::string instance_;
    std::shared_ptr<const CompiledUnit> compiled_;
    std::string symbol_;
    LoadedCode code_;
    CUfunction plain_;
    bool addsToMemory_;
    std::optional<ProbedCode> probed_;
    std::optional<LoadedCode> scheduled_;
};

/// The one kept for the process, compiled where it is not there yet: some 30 ms, and 100 ms more
/// for the first one. Throws as the constructor.
[[nodiscard]] LoadedKernel& loadedKernel(const Kernel& file, const Arguments& arguments);

/// How NVRTC compiles a kernel's file for a compute capability (10 x major + minor). Needs no
/// device. Throws CompileError, CompilerUnavailable.
[[nodiscard]] std::shared_ptr<const CompiledUnit> compileKernelFile(const Kernel& file,
                                                                    const std::string& instance,
                                                                    int computeCapability);
/// The same for its text with time stamps.
[[nodiscard]] CompiledUnit compileScheduleText(const Kernel& file, const std::string& instance,
                                               int computeCapability);

}  // namespace warplens
