#include <cstdio>
#include <cstdlib>
#include <vector>

const int bins = 64;

// Every thread adds to the counts in global memory.
__global__ void countInGlobal(const unsigned char* picture, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[picture[i] % bins], 1);
}

// Every block counts in shared memory first.
__global__ void countInShared(const unsigned char* picture, int* counts, int n) {
    __shared__ int own[bins];
    if (threadIdx.x < bins) own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&own[picture[i] % bins], 1);
    __syncthreads();
    if (threadIdx.x < bins) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

int main() {
    const int n = 1 << 16;
    std::vector<unsigned char> picture(n);
    // A dark picture: half of it is black.
    for (int i = 0; i < n; ++i) picture[i] = rand() % 2 == 0 ? 0 : rand() % bins;
    unsigned char* devicePicture;
    int* counts;
    std::vector<int> first(bins), second(bins);
    cudaMalloc(&devicePicture, n);
    cudaMalloc(&counts, bins * sizeof(int));
    cudaMemcpy(devicePicture, picture.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(counts, 0, bins * sizeof(int));
    countInGlobal<<<n / 256, 256>>>(devicePicture, counts, n);
    cudaMemcpy(first.data(), counts, bins * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemset(counts, 0, bins * sizeof(int));
    countInShared<<<n / 256, 256>>>(devicePicture, counts, n);
    cudaMemcpy(second.data(), counts, bins * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(devicePicture);
    cudaFree(counts);
    puts(first == second ? "equal" : "different");
    return first == second ? 0 : 1;
}
