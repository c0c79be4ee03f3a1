#include <algorithm>

#include "core/kernel/input_data.h"
#include "kernels/measure/bound_kernel.h"
#include "kernels/measure/device/memory_limit.h"

namespace warplens {
namespace {

__global__ void fillInput(float* values, std::uint64_t count, std::uint32_t array) {
    const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
         i += stride) {
        values[i] = inputValue(array, i);
    }
}

}  // namespace

BoundKernel::BoundKernel(const Experiment& experiment, const Device& device)
    : experiment_(experiment), kernel_(kernelOf(scenarioNamed(experiment.scenario).kernel)) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    requireMemory(experiment, free, device.name);
    for (std::size_t i = 0; i < kernel_.arrays.size(); ++i) {
        const KernelArray& array = kernel_.arrays[i];
        const std::uint64_t elementBytes = byteCount(array.type);
        arrays_.emplace_back(length(i) * elementBytes, experiment.arrayOffset * elementBytes);
        if (array.role == ArrayRole::input) {
            fillInput<<<1024, 256>>>(arrays_[i].as<float>(), arrays_[i].bytes() / sizeof(float),
                                     static_cast<std::uint32_t>(i));
            check(cudaGetLastError(), "fillInput");
        }
    }
    poisonOutputs();
}

void BoundKernel::poisonOutputs() {
    for (std::size_t i = 0; i < kernel_.arrays.size(); ++i) {
        if (kernel_.arrays[i].role != ArrayRole::output) continue;
        check(cudaMemsetAsync(arrays_[i].as<>(), 0xff, arrays_[i].bytes()), "cudaMemsetAsync");
    }
}

std::size_t BoundKernel::outputArray() const {
    const auto found = std::ranges::find(kernel_.arrays, ArrayRole::output, &KernelArray::role);
    return static_cast<std::size_t>(found - kernel_.arrays.begin());
}

std::uint64_t BoundKernel::length(std::size_t array) const {
    return kernel_.arrays[array].length(experiment_.arguments, experiment_.launch);
}

}  // namespace warplens
