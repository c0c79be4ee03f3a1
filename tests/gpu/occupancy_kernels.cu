#include <array>
#include <utility>

#include "tests/gpu/occupancy_kernels.h"

namespace warplens {
namespace {

/// Holds `values` values over a barrier, each in a register.
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

template <int... steps>
std::array<const void*, 2 * sizeof...(steps)> kernels(std::integer_sequence<int, steps...>) {
    return {reinterpret_cast<const void*>(hold<1 + 7 * steps, 0>)...,
            reinterpret_cast<const void*>(hold<1 + 7 * steps, 211 * steps>)...};
}

}  // namespace

std::span<const void* const> kernelsOfManySizes() {
    static const auto all = kernels(std::make_integer_sequence<int, 33>{});
    return all;
}

}  // namespace warplens
