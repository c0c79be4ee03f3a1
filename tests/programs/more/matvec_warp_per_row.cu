#include <cstdio>
#include <vector>

// A warp sums a row: neighbouring lanes read neighbouring elements.
__global__ void rows(const float* m, const float* x, float* y, int height, int width) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= height) return;
    float sum = 0;
    for (int k = lane; k < width; k += 32) sum += m[row * width + k] * x[k];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0) y[row] = sum;
}

int main() {
    const int height = 13, width = 100;
    std::vector<float> m(height * width), x(width), got(height);
    for (int i = 0; i < height * width; ++i) m[i] = i % 11;
    for (int k = 0; k < width; ++k) x[k] = k % 3;
    float *dm, *dx, *dy;
    cudaMalloc(&dm, m.size() * sizeof(float));
    cudaMalloc(&dx, x.size() * sizeof(float));
    cudaMalloc(&dy, got.size() * sizeof(float));
    cudaMemcpy(dm, m.data(), m.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    rows<<<(height + 3) / 4, 128>>>(dm, dx, dy, height, width);
    cudaMemcpy(got.data(), dy, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(dm);
    cudaFree(dx);
    cudaFree(dy);
    for (int r = 0; r < height; ++r) {
        float sum = 0;
        for (int k = 0; k < width; ++k) sum += m[r * width + k] * x[k];
        if (got[r] != sum) return 1;
    }
    puts("ok");
}
