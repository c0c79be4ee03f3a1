#include <cstdio>
#include <vector>

const int warps = 4, bins = 16;

// Each warp counts into bins of its own; then they are added.
__global__ void count(const int* data, int* total, int n) {
    __shared__ int own[warps][bins];
    int warp = threadIdx.x / 32;
    for (int b = threadIdx.x; b < warps * bins; b += blockDim.x) own[b / bins][b % bins] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&own[warp][data[i] % bins], 1);
    __syncthreads();
    if (threadIdx.x < bins) {
        int sum = 0;
        for (int w = 0; w < warps; ++w) sum += own[w][threadIdx.x];
        total[threadIdx.x] = sum;
    }
}

int main() {
    const int n = 500;
    std::vector<int> h(n);
    int want[bins] = {}, got[bins], *data, *total;
    for (int i = 0; i < n; ++i) {
        h[i] = i * 5 + i / 16;
        ++want[h[i] % bins];
    }
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&total, sizeof got);
    cudaMemcpy(data, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    count<<<1, warps * 32>>>(data, total, n);
    cudaMemcpy(got, total, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(total);
    for (int b = 0; b < bins; ++b) {
        if (got[b] != want[b]) return 1;
    }
    puts("ok");
}
