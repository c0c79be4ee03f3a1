#include "kernels/device/run/program_kernel.h"

#include "kernels/measure/device/launched_kernel.h"

namespace warplens {

ProgramKernel::ProgramKernel(const LoadedCode& code, const std::string& symbol,
                             const LaunchInputs& inputs, const ProgramMemory& memory)
    : function_(code.kernel(symbol)), inputs_(inputs), parameters_(memory.parameters()) {
    allowSharedMemory(function_, inputs.launch);
}

void ProgramKernel::launch() const {
    launchWith(function_, inputs_.launch, parameters_, inputs_.cooperative);
}

KernelResources ProgramKernel::resources() const {
    return resourcesOf(function_);
}

int ProgramKernel::residentBlocks() const {
    return residentBlocksOf(function_, inputs_.launch);
}

}  // namespace warplens
