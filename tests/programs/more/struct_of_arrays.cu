#include <cstdio>

struct Stars {
    double* mass;
    float *x, *y;
};

// A struct of pointers travels as the kernel's argument.
__global__ void masses(Stars stars, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = stars.mass[i] * 2 + stars.x[i];
}

int main() {
    const int n = 128;
    double h[n], got[n], *out;
    float x[n];
    for (int i = 0; i < n; ++i) {
        h[i] = i * 0.5;
        x[i] = 1;
    }
    Stars stars;
    cudaMalloc(&stars.mass, sizeof h);
    cudaMalloc(&stars.x, sizeof x);
    stars.y = nullptr;
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(stars.mass, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(stars.x, x, sizeof x, cudaMemcpyHostToDevice);
    masses<<<2, 64>>>(stars, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(stars.mass);
    cudaFree(stars.x);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        if (got[i] != i + 1) return 1;
    }
    puts("ok");
}
