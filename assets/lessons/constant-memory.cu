// Each thread adds up 16 values of its own column, each
// with its weight. As it stands neighbouring threads begin
// at different weights: the lanes of a warp read 16 words
// of constant memory, one after the other. Let all of them
// read the same weight in each iteration.
__constant__ int weights[16];

__global__ void weighted(const int* in, int* out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 16; ++k) {
        int row = (t + k) % 16;
        sum += weights[row] * in[row * n + t];
    }
    out[t] = sum;
}

// From here on nothing is changed.
#include <cstdio>
#include <vector>

int main() {
    const int n = 1024;
    std::vector<int> of(16), in(16 * n), out(n);
    for (int row = 0; row < 16; ++row) of[row] = row * row + 1;
    for (int i = 0; i < 16 * n; ++i) in[i] = i % 61;
    int *values, *sums;
    cudaMalloc(&values, 16 * n * sizeof(int));
    cudaMalloc(&sums, n * sizeof(int));
    cudaMemcpyToSymbol(weights, of.data(), 16 * sizeof(int));
    cudaMemcpy(values, in.data(), 16 * n * sizeof(int), cudaMemcpyHostToDevice);
    weighted<<<n / 256, 256>>>(values, sums, n);
    cudaMemcpy(out.data(), sums, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(values);
    cudaFree(sums);
    for (int t = 0; t < n; ++t) {
        int expected = 0;
        for (int row = 0; row < 16; ++row) expected += of[row] * in[row * n + t];
        if (out[t] == expected) continue;
        std::fprintf(stderr, "the sum of thread %d is %d, not %d\n", t, out[t], expected);
        return 1;
    }
}
