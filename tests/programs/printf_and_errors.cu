#include <cstdio>

__global__ void hello() {
    if (threadIdx.x < 2) printf("hello from thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main() {
    cudaDeviceProp prop;
    int device = -1, count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) return 1;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    if (prop.warpSize != 32 || prop.maxThreadsPerBlock < 512) return 1;
    if (cudaGetLastError() != cudaSuccess) return 1;
    hello<<<2, 4>>>();
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    int* none = nullptr;
    if (cudaMemcpy(none, &device, sizeof device, cudaMemcpyHostToDevice) == cudaSuccess) return 1;
    cudaGetLastError();
    int grid = 0, block = 0;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, hello, 0, 256);
    if (block < 32 || block > 256 || grid < 1) return 1;
    puts("ok");
}
