#include <cstdio>

__global__ void bits(const unsigned* in, int4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = in[i];
    out[i] = make_int4(__popc(v), __clz((int)v), __ffs((int)v), (int)(__brev(v) >> 24));
}

int main() {
    const int n = 33;
    unsigned h[n], *in;
    int4 got[n], *out;
    for (int i = 0; i < n; ++i) h[i] = i == 32 ? 0u : 1u << i | 1u;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    bits<<<2, 32>>>(in, out, n);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < 32; ++i) {
        if (got[i].x != (i == 0 ? 1 : 2) || got[i].y != 31 - i || got[i].z != 1) return 1;
    }
    if (got[32].x != 0 || got[32].y != 32 || got[32].z != 0 || got[3].w != 0x90) return 1;
    puts("ok");
}
