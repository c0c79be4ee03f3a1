#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::programs {

/// A launch by all that it depends on but memory, and whether it would do anything if it came
/// again.
class SeenLaunch final {
  public:
    std::uint32_t times = 0;
    LaunchReport told;  ///< of one that changes nothing

    /// Of the launch that is done; `hasEffect` where it changed memory or printed.
    void learn(const LaunchReport& report, const ptx::LaunchResult& result, bool hasEffect);
    /// Whether it would leave the memory that there is now as it is. Cost: one pass over the arrays
    /// that it uses and the host may write without a call.
    [[nodiscard]] bool changesNothing() const;

  private:
    bool changesNothing_ = false;     ///< of the memory that there was
    std::uint64_t changes_ = 0;       ///< RuntimeDevice::changes then
    std::set<std::uint32_t> shared_;  ///< arrays that it uses and the host may write
    std::uint64_t digest_ = 0;        ///< of these
};

/// The same for launches that differ only in which arrays of the same size they are given.
[[nodiscard]] std::string likeOf(const ptx::KernelLaunch& launch, const ptx::Memory& memory);

/// Whether an array that was written since has other bytes now, or there are others.
[[nodiscard]] bool hasChanged(const ptx::Memory& memory, const ptx::Memory::Snapshot& before);

}  // namespace warplens::programs
