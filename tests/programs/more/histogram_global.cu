#include <cstdio>
#include <vector>

__global__ void count(const unsigned char* text, int n, unsigned* bins) {
    int stride = blockDim.x * gridDim.x;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) {
        atomicAdd(&bins[text[i]], 1);
    }
}

int main() {
    const int n = 700;
    std::vector<unsigned char> text(n);
    unsigned want[256] = {}, got[256];
    for (int i = 0; i < n; ++i) {
        text[i] = i * i % 251;
        ++want[text[i]];
    }
    unsigned char* dt;
    unsigned* bins;
    cudaMalloc(&dt, n);
    cudaMalloc(&bins, sizeof got);
    cudaMemset(bins, 0, sizeof got);
    cudaMemcpy(dt, text.data(), n, cudaMemcpyHostToDevice);
    count<<<2, 64>>>(dt, n, bins);
    cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(dt);
    cudaFree(bins);
    for (int b = 0; b < 256; ++b) {
        if (got[b] != want[b]) return 1;
    }
    puts("ok");
}
