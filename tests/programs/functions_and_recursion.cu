#include <cstdio>

__device__ int depth(const int* next, int i) {
    if (next[i] < 0) return 0;
    return 1 + depth(next, next[i]);
}

// A list that hops by 8: lanes are 0 to 3 calls deep.
__global__ void depths(const int* next, int* out) {
    int i = threadIdx.x;
    out[i] = depth(next, i);  //= store out requests=1 sectors=4
}

int main() {
    int h[32], got[32], *next, *out;
    for (int i = 0; i < 32; ++i) h[i] = i < 24 ? i + 8 : -1;
    cudaMalloc(&next, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(next, h, sizeof h, cudaMemcpyHostToDevice);
    depths<<<1, 32>>>(next, out);
    cudaMemcpy(got, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(next);
    cudaFree(out);
    for (int i = 0; i < 32; ++i) {
        if (got[i] != 3 - i / 8) return 1;
    }
    puts("ok");
}
