#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/library/kernel_file.h"
#include "core/measurement/measurement.h"
#include "core/scenario/scenario.h"
#include "kernels/device/compile/compile.h"
#include "kernels/measure/device/loaded_code.h"
#include "kernels/measure/device_launch.h"

namespace warplens {

/// A kernel's file as NVRTC compiles it for this thread's device, in the instance of its template
/// that the arguments ask for: the text word for word, and a copy of it that takes time stamps.
/// Each is compiled at its first use and kept for the process.
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

    /// With time stamps (schedule_recording.h); its first parameter is a ScheduleRecords.
    [[nodiscard]] CUfunction scheduled();

  private:
    const Kernel& file_;
    std::string instance_;
    std::shared_ptr<const CompiledUnit> compiled_;
    std::string symbol_;
    LoadedCode code_;
    CUfunction plain_;
    bool addsToMemory_;
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

/// Throws InvalidRequest, with both numbers, where the experiment's arrays take more than
/// `freeBytes` of the device's memory.
void requireMemory(const Experiment& experiment, std::uint64_t freeBytes,
                   const std::string& deviceName);

/// The kernel and the arrays of one experiment.
class ScenarioLaunch final : public DeviceLaunch {
  public:
    /// Compiles the kernel where that was not done before, allocates the arrays, fills the inputs
    /// with `inputValue` and the outputs with a pattern that no kernel writes: every byte 0xff,
    /// which reads as NaN and as -1; 0 where the kernel adds to them. Throws InvalidRequest where
    /// they do not fit the device's free memory, and what loadedKernel does.
    ScenarioLaunch(const Experiment& experiment, const Device& device);

    [[nodiscard]] std::uint64_t bytes() const override;

    /// The same text with time stamps where each warp begins and ends, launched twice: where and
    /// when its blocks ran. Not what is timed; `notes` takes what sets it apart from the plain
    /// kernel.
    [[nodiscard]] Schedule schedule(std::uint32_t multiprocessors,
                                    std::vector<std::string>& notes) const;

    [[nodiscard]] const Experiment& experiment() const { return experiment_; }
    [[nodiscard]] const Kernel& kernel() const { return kernel_; }
    [[nodiscard]] const LoadedKernel& loaded() const { return loaded_; }
    [[nodiscard]] const std::vector<DeviceBuffer>& arrays() const { return arrays_; }
    /// The (only) output array's place among the arrays.
    [[nodiscard]] std::size_t outputArray() const;

  private:
    ScenarioLaunch(const Experiment& experiment, const Device& device, LoadedKernel& loaded);
    [[nodiscard]] std::uint64_t length(std::size_t array) const;

    Experiment experiment_;
    const Kernel& kernel_;
    LoadedKernel& loaded_;
    std::vector<DeviceBuffer> arrays_;
};

}  // namespace warplens
