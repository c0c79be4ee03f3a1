#include "kernels/measure/device/loaded_code.h"

#include <array>

#include "kernels/device/compile.h"
#include "kernels/measure/device/device_query.h"

#include "embedded/warplens_measure.h"

namespace warplens {

LoadedCode::LoadedCode(const std::string& cubin) {
    check(Driver::open().moduleLoadDataEx(&module_, cubin.data(), 0, nullptr, nullptr),
          "cuModuleLoadDataEx");
}

CUfunction LoadedCode::kernel(const std::string& symbol) const {
    CUfunction function = nullptr;
    check(Driver::open().moduleGetFunction(&function, module_, symbol.c_str()),
          "cuModuleGetFunction");
    return function;
}

LoadedCode::Variable LoadedCode::variable(const std::string& symbol) const {
    Variable found;
    const CUresult result =
        Driver::open().moduleGetGlobal(&found.address, &found.bytes, module_, symbol.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) return {};
    check(result, "cuModuleGetGlobal");
    return found;
}

void allowSharedMemory(CUfunction kernel, const Launch& launch) {
    // More than that has to be asked for (CUDA Programming Guide, "Dynamic Shared Memory").
    constexpr std::uint32_t given = 48 * 1024;
    if (launch.dynamicSharedBytes <= given) return;
    check(Driver::open().funcSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                          static_cast<int>(launch.dynamicSharedBytes)),
          "cuFuncSetAttribute");
}

void launchWith(CUfunction kernel, const Launch& launch, std::span<const std::byte> parameters,
                bool cooperative) {
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
    CUlaunchConfig config{};
    config.gridDimX = launch.grid.x;
    config.gridDimY = launch.grid.y;
    config.gridDimZ = launch.grid.z;
    config.blockDimX = launch.block.x;
    config.blockDimY = launch.block.y;
    config.blockDimZ = launch.block.z;
    config.sharedMemBytes = launch.dynamicSharedBytes;
    config.attrs = &attribute;
    config.numAttrs = cooperative ? 1 : 0;
    std::size_t size = parameters.size();
    std::array<void*, 5> extra{CU_LAUNCH_PARAM_BUFFER_POINTER,
                               const_cast<std::byte*>(parameters.data()),
                               CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    check(
        Driver::open().launchKernelEx(&config, kernel, nullptr, size == 0 ? nullptr : extra.data()),
        "cuLaunchKernelEx");
}

KernelResources resourcesOf(CUfunction kernel) {
    const auto attribute = [&](CUfunction_attribute which) {
        int value = 0;
        check(Driver::open().funcGetAttribute(&value, which, kernel), "cuFuncGetAttribute");
        return value;
    };
    return {.registersPerThread = static_cast<std::uint32_t>(attribute(CU_FUNC_ATTRIBUTE_NUM_REGS)),
            .staticSharedBytes =
                static_cast<std::uint64_t>(attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)),
            .localBytesPerThread =
                static_cast<std::uint64_t>(attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES))};
}

int residentBlocksOf(CUfunction kernel, const Launch& launch) {
    int blocks = 0;
    check(Driver::open().occupancy(&blocks, kernel, static_cast<int>(launch.block.count()),
                                   launch.dynamicSharedBytes),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    return blocks;
}

CUfunction deviceKernel(const char* name) {
    static const LoadedCode code = [] {
        const char* const file = "device_kernels.cu";
        return LoadedCode(compileDeviceCode(file, std::string(measure_texts::embeddedFile(file)),
                                            {}, {.computeCapability = computeCapabilityNumber()})
                              .cubin);
    }();
    return code.kernel(name);
}

}  // namespace warplens
