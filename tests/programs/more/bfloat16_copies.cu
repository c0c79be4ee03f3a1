#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>

struct Row {
    __nv_bfloat16 values[24];
};

// Rows go through a copy of their own; every value is halved on the way.
__global__ void halve(const Row* in, Row* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Row row;
    memcpy(&row, &in[i], sizeof(Row));
    for (int k = 0; k < 24; ++k) row.values[k] = __hmul(row.values[k], __float2bfloat16(0.5f));
    memcpy(&out[i], &row, sizeof(Row));
}

int main() {
    const int n = 50;
    Row host[n], got[n];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 24; ++k) host[i].values[k] = __float2bfloat16(float(i + k));
    Row *in, *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    halve<<<2, 32>>>(in, out, n);
    cudaMemcpy(got, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 24; ++k)
            if (__bfloat162float(got[i].values[k]) != (i + k) * 0.5f) return 1;
    puts("ok");
}
