#include <cstdio>

// Each thread sorts eight numbers in an array of its own.
__global__ void medians(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int own[8];
    for (int k = 0; k < 8; ++k) own[k] = in[i * 8 + k];
    for (int a = 1; a < 8; ++a) {
        int v = own[a], b = a;
        while (b > 0 && own[b - 1] > v) {
            own[b] = own[b - 1];
            --b;
        }
        own[b] = v;
    }
    out[i] = own[4];
}

int main() {
    const int n = 40;
    int h[n * 8], got[n], *in, *out;
    for (int i = 0; i < n * 8; ++i) h[i] = i % 8 * 5 % 8 + i / 8;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    medians<<<2, 32>>>(in, out, n);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        if (got[i] != i + 4) return 1;
    }
    puts("ok");
}
