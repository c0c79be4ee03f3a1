#include <cstdio>

__device__ unsigned finished = 0;

// The block that comes last adds what all blocks have left.
__global__ void sum(const int* in, volatile int* parts, int* total) {
    __shared__ bool last;
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = value;
        __threadfence();
        unsigned ticket = atomicInc(&finished, gridDim.x);
        last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (int b = 0; b < gridDim.x; ++b) all += parts[b];
        *total = all;
        finished = 0;
    }
}

int main() {
    const int n = 256;
    int h[n], got, *in, *parts, *total, want = 0;
    for (int i = 0; i < n; ++i) want += h[i] = i % 19;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&parts, 8 * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<8, 32>>>(in, parts, total);
    cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(parts);
    cudaFree(total);
    if (got != want) return 1;
    puts("ok");
}
