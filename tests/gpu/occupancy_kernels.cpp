#include "tests/gpu/occupancy_kernels.h"

#include <string>
#include <vector>

#include "kernels/device/compile.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/loaded_code.h"

namespace warplens {
namespace {

constexpr const char* text = R"(
// Holds `values` values over a barrier, each in a register.
template <int values, int sharedFloats>
__global__ void hold(float* data) {
    __shared__ float mailbox[sharedFloats + 1];
    float held[values];
#pragma unroll
    for (int i = 0; i < values; ++i) held[i] = data[i * blockDim.x + threadIdx.x];
    mailbox[threadIdx.x % (sharedFloats + 1)] = held[0];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < values; ++i) {
        data[i * blockDim.x + threadIdx.x] = held[i] * held[values - 1 - i] + mailbox[0];
    }
}
)";

CompiledUnit compiledSizes() {
    std::vector<std::string> names;
    for (int step = 0; step < 33; ++step) {
        const std::string values = std::to_string(1 + 7 * step);
        names.push_back("hold<" + values + ", 0>");
        names.push_back("hold<" + values + ", " + std::to_string(211 * step) + ">");
    }
    return compileDeviceCode("occupancy_kernels.cu", text, names,
                             {.computeCapability = computeCapabilityNumber()});
}

}  // namespace

std::span<const CUfunction> kernelsOfManySizes() {
    static const CompiledUnit unit = compiledSizes();
    static const LoadedCode code(unit.cubin);
    static const std::vector<CUfunction> kernels = [] {
        std::vector<CUfunction> all;
        for (const auto& [name, symbol] : unit.symbols) all.push_back(code.kernel(symbol));
        return all;
    }();
    return kernels;
}

}  // namespace warplens
