#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/launch/launch.h"
#include "core/library/kernel_file.h"
#include "core/measurement/measurement.h"
#include "core/program/launch_inputs.h"
#include "core/program/program_measurement.h"
#include "core/scenario/scenario.h"
#include "core/schedule/schedule.h"
#include "kernels/device/compile.h"
#include "kernels/measure/device/loaded_code.h"

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
    [[nodiscard]] const CompiledUnit& compiled() const { return compiled_; }
    [[nodiscard]] const std::string& symbol() const { return symbol_; }
    /// Whether it has atomics that may go to global memory: what was there before counts.
    [[nodiscard]] bool addsToMemory() const { return addsToMemory_; }

    /// With time stamps (schedule_recording.h); its first parameter is a ScheduleRecords.
    [[nodiscard]] CUfunction scheduled();

  private:
    const Kernel& file_;
    std::string instance_;
    CompiledUnit compiled_;
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
[[nodiscard]] CompiledUnit compileKernelFile(const Kernel& file, const std::string& instance,
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

/// A kernel's text as it is compiled to tell when its warps run: the kernel becomes a function that
/// `scheduledKernelName` calls between two time stamps for each warp. In a loop with a `// step:`
/// mark that reads one value of an input into a variable, each round takes a stamp as it begins and
/// one when that value is there. Everything stays on its line.
[[nodiscard]] std::string scheduleText(const Kernel& file, const std::string& instance);

/// Its first parameter is where records go, the others are the kernel's.
inline constexpr const char* scheduledKernelName = "warplens_scheduled";

/// Compiles that text. Throws CompileError, CompilerUnavailable.
[[nodiscard]] CompiledUnit compileScheduleText(const Kernel& file, const std::string& instance,
                                               int computeCapability);

/// Launches it twice: where and when its blocks ran. `run` queues a launch with these bytes before
/// the kernel's own parameters. Throws CudaError.
[[nodiscard]] Schedule recordSchedule(const Launch& launch, std::uint32_t multiprocessors,
                                      const std::function<void(std::span<const std::byte>)>& run);

/// The hardware's own account of how it put threads into warps.
struct MappingReadback final {
    std::uint64_t threads = 0;           ///< threads that reported
    std::uint64_t mismatches = 0;        ///< of these, checked on the device against mapping.h
    std::uint64_t readBack = 0;          ///< records also checked on the host
    std::uint64_t mismatchesOnHost = 0;  ///< of these
};

/// Launches a kernel with exactly this launch. Each thread reports the lane number that the
/// hardware gives it (%laneid) and the rank of the first thread of its warp, asked of that thread
/// itself by a shuffle; both are checked against the rule on the device, and for the first 2^22
/// threads on the host as well. Throws CudaError.
[[nodiscard]] MappingReadback readMappingBack(const Launch& launch);

/// The kernel's output is not what the host computes; names the element and both values.
class WrongResult final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Compares the output array with what the machine computes (kernels/library), of the source where
/// there is PTX of it, else of the code that is measured: every element where that takes some ten
/// milliseconds, otherwise what as many warps write, spread evenly over the grid. Elements that no
/// thread of the launch reaches must still hold what the array was filled with. Throws WrongResult,
/// TraceFault or CudaError.
[[nodiscard]] ResultCheck checkResult(const ScenarioLaunch& launch);

/// One launch of a user's program: its kernel and arrays, and what brings these back to what they
/// were before it.
class UserLaunch final : public DeviceLaunch {
  public:
    /// Allocates and fills, pointers set to where the arrays lie here; device variables are those
    /// of the loaded code. Throws InvalidRequest where the device has not the memory for it,
    /// CudaError. `inputs`, whose machine code is loaded, must outlive this.
    explicit UserLaunch(const LaunchInputs& inputs);

    void restore() override;
    [[nodiscard]] bool needsRestoring() const override;
    [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

    /// Reads every array back and compares it with the host's contents after the launch.
    [[nodiscard]] std::vector<ArrayCheck> compare() const;

  private:
    struct Place final {
        CUdeviceptr address = 0;  ///< 0: a variable that no kernel of the code uses
        DeviceBuffer array{};     ///< empty of variables
        DeviceBuffer before{};  ///< a copy of the contents before; empty: not changed, none needed
    };
    UserLaunch(LoadedCode loaded, const LaunchInputs& inputs);
    void place();
    [[nodiscard]] std::vector<std::byte> relocatedHere(const InputBytes& bytes) const;

    LoadedCode loaded_;
    const LaunchInputs& inputs_;
    std::vector<Place> places_;
    std::uint64_t bytes_ = 0;
};

/// Compares two arrays of elements of `elementBytes`. Elements that differ in their bits are equal
/// within the tolerance where both read as floating-point numbers of that size (float, double;
/// neither far below what programs compute with) and differ by at most `floatTolerance` or
/// `doubleTolerance` of the largest expected magnitude.
[[nodiscard]] ArrayCheck compareArrays(const std::string& name, std::uint32_t elementBytes,
                                       std::span<const std::byte> expected,
                                       std::span<const std::byte> found);
inline constexpr double floatTolerance = 1e-4;
inline constexpr double doubleTolerance = 1e-10;

}  // namespace warplens
