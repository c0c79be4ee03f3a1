#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/program/launch_report.h"
#include "core/scenario/scenario.h"
#include "kernels/measure/device/device_buffer.h"
#include "kernels/measure/device/launched_kernel.h"
#include "kernels/measure/loaded_kernel.h"

namespace warplens {

/// What the probe counted.
struct ProbedKernel final {
    std::vector<ProgramLine> lines;  ///< by site; those of named branches alone
    /// Whether the compiled code has a branch at the line of each named one. One that it has not
    /// was made a choice between values: nothing counts it.
    std::vector<bool> hasBranch;
    std::vector<std::pair<Site, LineCost>> unnamed{};  ///< branches on lines without a name
    /// The probe's own code lets lanes come apart: what it counted of warps is not the kernel's.
    bool splitsWarps = false;
};

/// The arrays of one experiment on the device, with what its kernels need to be launched on them.
/// Every member that launches throws CudaError; launches are asynchronous on the default stream.
class BoundKernel final {
  public:
    /// Compiles the kernel where that was not done before, allocates the arrays, fills the inputs
    /// with `inputValue` and the outputs with a pattern that no kernel writes. Throws
    /// InvalidRequest where they do not fit the device's free memory, and what loadedKernel does.
    BoundKernel(const Experiment& experiment, const Device& device);

    /// Sets every byte of the outputs to 0xff, which reads as NaN and as -1; to 0 where the kernel
    /// adds to them.
    void poisonOutputs();

    /// The kernel as its file has it: what is timed and counted.
    void launchPlain() const { launch(loaded_.plain(), {}); }

    /// The same code with a call before each access and each branch. Never timed.
    [[nodiscard]] ProbedKernel probe() const;

    /// The same text with time stamps where each warp begins and ends, launched twice: where and
    /// when its blocks ran. Not what is timed; `notes` takes what sets it apart from the plain
    /// kernel.
    [[nodiscard]] Schedule schedule(std::uint32_t multiprocessors,
                                    std::vector<std::string>& notes) const;

    /// Blocks of the plain kernel that fit on one SM at once, by the driver's occupancy rule.
    [[nodiscard]] int residentBlocks() const {
        return residentBlocksOf(loaded_.plain(), experiment_.launch);
    }

    /// What the plain kernel takes as compiled for this device.
    [[nodiscard]] KernelResources resources() const { return resourcesOf(loaded_.plain()); }

    [[nodiscard]] const Experiment& experiment() const { return experiment_; }
    [[nodiscard]] const Kernel& kernel() const { return kernel_; }
    [[nodiscard]] const LoadedKernel& loaded() const { return loaded_; }
    [[nodiscard]] const std::vector<DeviceBuffer>& arrays() const { return arrays_; }
    /// The (only) output array's place among the arrays.
    [[nodiscard]] std::size_t outputArray() const;
    [[nodiscard]] std::uint64_t length(std::size_t array) const;

  private:
    /// `before` are bytes of parameters that come before the kernel's own, a multiple of 8.
    void launch(CUfunction function, const std::vector<std::byte>& before) const;
    [[nodiscard]] ProbeTable probeTable() const;

    Experiment experiment_;
    const Kernel& kernel_;
    LoadedKernel& loaded_;
    std::vector<DeviceBuffer> arrays_;
};

}  // namespace warplens
