#include <cuda_fp16.h>

#include <cstdio>

__global__ void axpy(int n, half a, const half* x, half* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma(a, x[i], y[i]);  //= load x requests=4 sectors=8
}

__global__ void pairs(const half2* x, half2* y) {
    y[threadIdx.x] = __hadd2(x[threadIdx.x], y[threadIdx.x]);
}

__global__ void fill(half* x, half* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = __float2half(i * 0.5f);
    y[i] = __float2half(1.0f);
}

__global__ void widen(const half* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __half2float(y[i]);
}

int main() {
    const int n = 128;
    half *x, *y;
    float got[n], *out;
    cudaMalloc(&x, n * sizeof(half));
    cudaMalloc(&y, n * sizeof(half));
    cudaMalloc(&out, sizeof got);
    fill<<<2, 64>>>(x, y, n);
    axpy<<<2, 64>>>(n, __float2half(2.0f), x, y);
    pairs<<<1, n / 2>>>((const half2*)x, (half2*)y);
    widen<<<2, 64>>>(y, out, n);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        if (got[i] != 1.5f * i + 1) return 1;
    }
    puts("ok");
}
