#pragma once

#include <string>
#include <vector>

#include "kernels/programs/runtime_api/device.h"

namespace warplens::programs {

/// All that a launch reads, kept from before it until what came of it is there: what it needs to be
/// run elsewhere. Cost: a copy of the device's memory.
class KeptInputs final {
  public:
    /// Nothing is kept, and a note says so, where the launch `index` would have more than
    /// mostLaunchInputBytes.
    KeptInputs(RuntimeDevice& device, std::uint32_t index);
    /// Sends them with what arrays hold now. `instance` is the kernel's name expression,
    /// `parameters` are the names of its parameters.
    void send(const ptx::KernelLaunch& launch, const std::string& instance,
              const std::vector<std::string>& parameters) const;

  private:
    RuntimeDevice& device_;
    std::uint32_t index_;
    bool areKept_ = false;
    ptx::Memory::Snapshot before_;
};

}  // namespace warplens::programs
