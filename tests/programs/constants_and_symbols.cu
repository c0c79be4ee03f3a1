#include <cstdio>

__constant__ float weights[4];
__device__ int hits;
__device__ float table[32];

__global__ void weigh(float* out) {
    int i = threadIdx.x;
    out[i] = weights[i % 4] * table[i];  //= load table requests=1 sectors=4
    if (i % 2) atomicAdd(&hits, 1);      //= atomic hits requests=1 sectors=1 same=16
}

int main() {
    float w[4] = {1, 2, 3, 4}, t[32], got[32], *out;
    int n = 0;
    for (int i = 0; i < 32; ++i) t[i] = i;
    cudaMalloc(&out, sizeof got);
    cudaMemcpyToSymbol(weights, w, sizeof w);
    cudaMemcpyToSymbol(table, t, sizeof t);
    weigh<<<1, 32>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&n, hits, sizeof n);
    cudaFree(out);
    for (int i = 0; i < 32; ++i) {
        if (got[i] != w[i % 4] * i) return 1;
    }
    if (n != 16) return 1;
    puts("ok");
}
