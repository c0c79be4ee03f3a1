#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/measure/device/loaded_code.h"

namespace warplens {

/// A kernel on the device with its arrays, ready to be launched any number of times. Members that
/// launch or copy queue that on the default stream and throw CudaError.
class DeviceLaunch {
  public:
    DeviceLaunch(const DeviceLaunch&) = delete;
    DeviceLaunch& operator=(const DeviceLaunch&) = delete;
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
