#include <cstdio>
__global__ void spin(volatile int* flag) {
    if (threadIdx.x == 0) flag[0] = 0;
    while (flag[0] == 0) {  //! endless_loop: all blocks wait for what none of them writes
    }
}
int main() {
    int* flag;
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    spin<<<1, 64>>>(flag);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(flag);
}
