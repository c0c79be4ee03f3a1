#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/access/tally.h"
#include "core/measurement/measurement.h"
#include "core/scenario/scenario.h"
#include "kernels/measure/device/device_buffer.h"

namespace warplens {

/// The arrays of one experiment on the device, with what its kernels need to be launched on them.
/// Every member that launches throws CudaError; launches are asynchronous on the default stream.
class BoundKernel final {
  public:
    /// Allocates the arrays, fills the inputs with `inputValue` and the outputs with a pattern that
    /// no kernel writes. Throws InvalidRequest where they do not fit the device's free memory.
    BoundKernel(const Experiment& experiment, const Device& device);

    /// Sets every byte of the outputs to 0xff, which reads as NaN and as -1.
    void poisonOutputs();

    /// The kernel as a student would write it: what is timed and counted.
    void launchPlain() const;

    /// The instrumented copy of the same body: counts its accesses and branches. Never timed.
    [[nodiscard]] LaunchTally probe() const;

    /// The same body with time stamps where each warp begins and ends, launched twice: where and
    /// when its blocks ran. Not what is timed; `notes` takes what sets it apart from the plain
    /// kernel.
    [[nodiscard]] Schedule schedule(std::uint32_t multiprocessors,
                                    std::vector<std::string>& notes) const;

    /// Blocks of the plain kernel that fit on one SM at once, by the runtime's occupancy rule.
    [[nodiscard]] int residentBlocks() const;

    /// What the plain kernel takes as compiled for this device.
    [[nodiscard]] KernelResources resources() const;

    [[nodiscard]] const Experiment& experiment() const { return experiment_; }
    [[nodiscard]] const Kernel& kernel() const { return kernel_; }
    [[nodiscard]] const std::vector<DeviceBuffer>& arrays() const { return arrays_; }
    /// The (only) output array's place among the arrays.
    [[nodiscard]] std::size_t outputArray() const;
    [[nodiscard]] std::uint64_t length(std::size_t array) const;

    /// For bindKernel (kernels/bodies/bind.inl).
    template <class T>
    [[nodiscard]] T* pointer(int array) const {
        return arrays_[static_cast<std::size_t>(array)].template as<T>();
    }
    [[nodiscard]] int argument(const char* name) const {
        return static_cast<int>(experiment_.arguments.at(name));
    }

  private:
    Experiment experiment_;
    const Kernel& kernel_;
    std::vector<DeviceBuffer> arrays_;
};

}  // namespace warplens
