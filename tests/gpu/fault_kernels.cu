#include <cstddef>
#include <cstdint>

#include "kernels/measure/device/cuda_error.h"
#include "tests/gpu/fault_kernels.h"

namespace warplens::tests {
namespace {

__global__ void writeTo(int* address) {
    *address = 1;
}

__global__ void waitFor(const volatile int* flag) {
    while (*flag == 0) {
    }
}

}  // namespace

void touchIllegalAddress() {
    writeTo<<<1, 1>>>(reinterpret_cast<int*>(std::uintptr_t{16}));
    check(cudaGetLastError(), "writeTo");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void hangOnDevice() {
    int* flag = nullptr;
    check(cudaMalloc(&flag, sizeof *flag), "cudaMalloc");
    check(cudaMemset(flag, 0, sizeof *flag), "cudaMemset");
    waitFor<<<1, 1>>>(flag);
    check(cudaGetLastError(), "waitFor");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

void exhaustMemory() {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    void* memory = nullptr;
    check(cudaMalloc(&memory, total), "cudaMalloc");
}

void holdMemory(std::size_t leftBytes) {
    constexpr std::size_t piece = std::size_t{256} << 20;
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    for (; free > leftBytes + piece; check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo")) {
        void* held = nullptr;  // given back when the process ends
        check(cudaMalloc(&held, piece), "cudaMalloc");
    }
}

}  // namespace warplens::tests
