#include <cstdio>

__global__ void fill(int* a, int from, int value) { a[from + threadIdx.x] = value + threadIdx.x; }

// Halves its part until it is small, and launches a kernel for each half.
__global__ void split(int* a, int from, int count) {
    if (threadIdx.x != 0) return;
    if (count <= 32) {
        fill<<<1, count>>>(a, from, from);
        return;
    }
    split<<<1, 32>>>(a, from, count / 2);
    split<<<1, 32>>>(a, from + count / 2, count / 2);
}

int main() {
    int h[256], *a;
    cudaMalloc(&a, sizeof h);
    split<<<1, 32>>>(a, 0, 256);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(a);
    for (int i = 0; i < 256; ++i)
        if (h[i] != i) return printf("%d: %d\n", i, h[i]);
    puts("ok");
}
