#include <cstdio>
#include <vector>

__global__ void count(const unsigned char* data, unsigned* bins, int n) {
    __shared__ unsigned own[32];
    if (threadIdx.x < 32) own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&own[data[i]], 1u);  //= atomic own requests=8 wavefronts=8 same=1 //= load data sectors=8
    __syncthreads();
    if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);  //= atomic bins requests=2 sectors=8 same=1
}

int main() {
    const int n = 256;
    std::vector<unsigned char> h(n, 7);
    unsigned char* data;
    unsigned *bins, got[32];
    cudaMalloc(&data, n);
    cudaMalloc(&bins, sizeof got);
    cudaMemset(bins, 0, sizeof got);
    cudaMemcpy(data, h.data(), n, cudaMemcpyHostToDevice);
    count<<<2, 128>>>(data, bins, n);
    cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(bins);
    for (int b = 0; b < 32; ++b) {
        if (got[b] != (b == 7 ? 256u : 0u)) return 1;
    }
    puts("ok");
}
