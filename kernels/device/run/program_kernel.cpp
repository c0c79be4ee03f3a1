#include "kernels/device/run/program_kernel.h"

#include <array>

namespace warplens {

ProgramKernel::ProgramKernel(const LoadedCode& code, const std::string& symbol,
                             const LaunchInputs& inputs, const ProgramMemory& memory)
    : function_(code.kernel(symbol)), inputs_(inputs), parameters_(memory.parameters()) {
    if (inputs.launch.dynamicSharedBytes != 0) {
        check(Driver::open().funcSetAttribute(function_,
                                              CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                              static_cast<int>(inputs.launch.dynamicSharedBytes)),
              "cuFuncSetAttribute");
    }
}

void ProgramKernel::launch() const {
    const Launch& launch = inputs_.launch;
    CUlaunchAttribute cooperative{};
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
    CUlaunchConfig config{};
    config.gridDimX = launch.grid.x;
    config.gridDimY = launch.grid.y;
    config.gridDimZ = launch.grid.z;
    config.blockDimX = launch.block.x;
    config.blockDimY = launch.block.y;
    config.blockDimZ = launch.block.z;
    config.sharedMemBytes = launch.dynamicSharedBytes;
    config.attrs = &cooperative;
    config.numAttrs = inputs_.cooperative ? 1 : 0;
    std::size_t size = parameters_.size();
    std::array<void*, 5> extra{CU_LAUNCH_PARAM_BUFFER_POINTER,
                               const_cast<std::byte*>(parameters_.data()),
                               CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    check(Driver::open().launchKernelEx(&config, function_, nullptr,
                                        size == 0 ? nullptr : extra.data()),
          "cuLaunchKernelEx");
}

KernelResources ProgramKernel::resources() const {
    const auto attribute = [&](CUfunction_attribute which) {
        int value = 0;
        check(Driver::open().funcGetAttribute(&value, which, function_), "cuFuncGetAttribute");
        return value;
    };
    return {.registersPerThread = static_cast<std::uint32_t>(attribute(CU_FUNC_ATTRIBUTE_NUM_REGS)),
            .staticSharedBytes =
                static_cast<std::uint64_t>(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)),
            .localBytesPerThread =
                static_cast<std::uint64_t>(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES))};
}

int ProgramKernel::residentBlocks() const {
    int blocks = 0;
    check(
        Driver::open().occupancy(&blocks, function_, static_cast<int>(inputs_.launch.block.count()),
                                 inputs_.launch.dynamicSharedBytes),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return blocks;
}

}  // namespace warplens
