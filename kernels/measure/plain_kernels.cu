#include "kernels/measure/device_parameters.h"
#include "kernels/measure/plain_dialect.cuh"
#include "kernels/bodies/kernel_id.h"

namespace warplens {
namespace plain {

#include "kernels/bodies/all.inl"
#include "kernels/bodies/bind.inl"

struct RunOnDevice {
    const Launch& launch;
    template <auto function, class... Parameter>
    void operator()(Body<function>, Parameter... parameter) const {
        const dim3 grid(launch.grid.x, launch.grid.y, launch.grid.z);
        const dim3 block(launch.block.x, launch.block.y, launch.block.z);
        function<<<grid, block, launch.dynamicSharedBytes>>>(parameter...);
    }
};

struct AskResidentBlocks {
    const Launch& launch;
    int& blocks;
    template <auto function, class... Parameter>
    void operator()(Body<function>, Parameter...) const {
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
                                                            static_cast<int>(launch.block.count()),
                                                            launch.dynamicSharedBytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    }
};

struct AskResources {
    KernelResources& resources;
    template <auto function, class... Parameter>
    void operator()(Body<function>, Parameter...) const {
        cudaFuncAttributes attributes{};
        check(cudaFuncGetAttributes(&attributes, function), "cudaFuncGetAttributes");
        resources = {static_cast<std::uint32_t>(attributes.numRegs), attributes.sharedSizeBytes,
                     attributes.localSizeBytes};
    }
};

}  // namespace plain

void BoundKernel::launchPlain() const {
    plain::bindKernel(kernelIdOf(kernel_), DeviceParameters{*this}, plain::RunOnDevice{experiment_.launch});
    check(cudaGetLastError(), "launch of the plain kernel");
}

int BoundKernel::residentBlocks() const {
    int blocks = 0;
    plain::bindKernel(kernelIdOf(kernel_), DeviceParameters{*this},
                      plain::AskResidentBlocks{experiment_.launch, blocks});
    return blocks;
}

KernelResources BoundKernel::resources() const {
    KernelResources resources;
    plain::bindKernel(kernelIdOf(kernel_), DeviceParameters{*this}, plain::AskResources{resources});
    return resources;
}

}  // namespace warplens
