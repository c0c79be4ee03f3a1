#include <cstdio>
#include <cuda_pipeline.h>

// The second tile is read once the first one is there.
__global__ void sum(const int* in, int* out) {
    __shared__ int first[64];
    __shared__ int second[64];
    int i = threadIdx.x;
    __pipeline_memcpy_async(&first[i], &in[i], sizeof(int));
    __pipeline_commit();
    __pipeline_memcpy_async(&second[i], &in[64 + i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    int total = first[i];
    total += second[i];  //! shared_race: load from shared second[0], which the copy of line 11 may
    __pipeline_wait_prior(0);
    out[i] = total + second[i];
}

int main() {
    int h[128], got[64], *in, *out;
    for (int i = 0; i < 128; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return got[63] == 63 + 2 * 127 ? 0 : 1;
}
