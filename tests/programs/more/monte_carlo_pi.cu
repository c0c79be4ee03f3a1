#include <cstdio>

__device__ unsigned next(unsigned& state) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__global__ void throwDarts(unsigned long long* hits, int darts) {
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1;
    int inside = 0;
    for (int d = 0; d < darts; ++d) {
        unsigned x = next(state) >> 20, y = next(state) >> 20;
        if (x * x + y * y < 4096u * 4096u) ++inside;
    }
    atomicAdd(hits, (unsigned long long)inside);
}

int main() {
    const int blocks = 4, threads = 64, darts = 50;
    unsigned long long got, *hits;
    cudaMalloc(&hits, sizeof got);
    cudaMemset(hits, 0, sizeof got);
    throwDarts<<<blocks, threads>>>(hits, darts);
    cudaMemcpy(&got, hits, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(hits);
    double pi = 4.0 * got / (blocks * threads * darts);
    if (pi < 3.0 || pi > 3.3) return 1;
    puts("ok");
}
