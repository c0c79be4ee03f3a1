#pragma once

#include <cstdint>

#include "core/measurement/measurement.h"
#include "core/program/launch_inputs.h"
#include "kernels/device/run/program_memory.h"
#include "kernels/measure/device/loaded_code.h"

namespace warplens {

/// One kernel of loaded code, ready to be launched on a launch's arrays. The memory must be bound
/// to the same code.
class ProgramKernel final {
  public:
    /// Throws CudaError.
    ProgramKernel(const LoadedCode& code, const std::string& symbol, const LaunchInputs& inputs,
                  const ProgramMemory& memory);

    /// Queues one launch on the default stream. Throws CudaError.
    void launch() const;

    [[nodiscard]] KernelResources resources() const;
    /// Blocks that an SM holds at once.
    [[nodiscard]] int residentBlocks() const;

  private:
    CUfunction function_;
    const LaunchInputs& inputs_;
    std::vector<std::byte> parameters_;
};

}  // namespace warplens
