#include <cstdio>

__global__ void sum(const int* in, int* out) {
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;  //= store out requests=4 sectors=4 //= branch - requests=4 divergent=4
}

int main() {
    int h[128], got[4], *in, *out;
    for (int i = 0; i < 128; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 128>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int w = 0; w < 4; ++w) {
        if (got[w] != 32 * (32 * w) + 496) return 1;
    }
    puts("ok");
}
