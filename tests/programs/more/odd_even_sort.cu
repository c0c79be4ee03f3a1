#include <algorithm>
#include <cstdio>

// One launch a phase: a launch ends before the next begins.
__global__ void phase(int* data, int n, int odd) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
    if (i + 1 < n && data[i] > data[i + 1]) {
        int keep = data[i];
        data[i] = data[i + 1];
        data[i + 1] = keep;
    }
}

int main() {
    const int n = 37;
    int h[n], got[n], *data;
    for (int i = 0; i < n; ++i) h[i] = i * 29 % 41;
    cudaMalloc(&data, sizeof h);
    cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
    for (int p = 0; p < n; ++p) phase<<<1, 32>>>(data, n, p % 2);
    cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(data);
    std::sort(h, h + n);
    if (!std::equal(h, h + n, got)) return 1;
    puts("ok");
}
