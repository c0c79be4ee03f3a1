#include <cstdio>
#include <cstring>

// What is compiled with the headers of CUDA 12 asks for the device's properties by another name,
// and they lie elsewhere.
extern "C" cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device);

__global__ void number(int* to) {
    to[threadIdx.x] = threadIdx.x;  //= store to requests=1 sectors=4
}

int main() {
    alignas(8) unsigned char properties[1032];
    if (cudaGetDeviceProperties_v2(reinterpret_cast<cudaDeviceProp*>(properties), 0) != cudaSuccess) return 1;
    const auto at = [&](int offset) {
        int value = 0;
        std::memcpy(&value, properties + offset, sizeof value);
        return value;
    };
    const auto asked = [](cudaDeviceAttr which) {
        int value = 0;
        cudaDeviceGetAttribute(&value, which, 0);
        return value;
    };
    if (at(308) != 32 || at(348) != asked(cudaDevAttrClockRate)) return 2;
    if (at(388) != asked(cudaDevAttrMultiProcessorCount)) return 3;
    if (at(608) != asked(cudaDevAttrMemoryClockRate) || at(692) != 0) return 4;
    if (at(696) != asked(cudaDevAttrMaxSharedMemoryPerBlockOptin)) return 5;
    int* to;
    cudaMalloc(&to, 32 * sizeof(int));
    number<<<1, 32>>>(to);
    int last = 0;
    cudaMemcpy(&last, to + 31, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(to);
    if (last == 31) std::printf("ok\n");
}
