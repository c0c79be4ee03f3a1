#include <cstdio>
__global__ void waitFor(volatile int* latch) {
    while (*latch < 1) {  //! endless_loop: all blocks wait for what none of them writes
    }
}
int main() {
    int* latch;
    cudaMallocHost((void**)&latch, sizeof(int));
    *latch = 0;
    waitFor<<<1, 1>>>(latch);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFreeHost(latch);
}
