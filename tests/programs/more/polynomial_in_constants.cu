#include <cstdio>

#define DEGREE 6
__constant__ double coefficients[DEGREE + 1];
__device__ double offset = 0.5;

__global__ void evaluate(const double* x, double* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int k = DEGREE; k >= 0; --k) sum = sum * x[i] + coefficients[k];
    y[i] = sum + offset;
}

int main() {
    const int n = 60;
    double c[DEGREE + 1], h[n], got[n], *x, *y;
    for (int k = 0; k <= DEGREE; ++k) c[k] = k - 2;
    for (int i = 0; i < n; ++i) h[i] = i % 5 - 2;
    cudaMemcpyToSymbol(coefficients, c, sizeof c);
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    evaluate<<<2, 32>>>(x, y, n);
    cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = DEGREE; k >= 0; --k) sum = sum * h[i] + c[k];
        if (got[i] != sum + 0.5) return 1;
    }
    puts("ok");
}
