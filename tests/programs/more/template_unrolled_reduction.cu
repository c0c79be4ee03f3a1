#include <cstdio>

// The block's size is known to the compiler: what cannot be so is left out.
template <unsigned BLOCK>
__global__ void sum(const float* in, float* out) {
    __shared__ float s[BLOCK];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * BLOCK * 2 + t] + in[blockIdx.x * BLOCK * 2 + t + BLOCK];
    __syncthreads();
    if constexpr (BLOCK >= 256) {
        if (t < 128) s[t] += s[t + 128];
        __syncthreads();
    }
    if constexpr (BLOCK >= 128) {
        if (t < 64) s[t] += s[t + 64];
        __syncthreads();
    }
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
        if (t == 0) out[blockIdx.x] = v;
    }
}

int main() {
    const int n = 512;
    float h[n], got[4], *in, *out;
    for (int i = 0; i < n; ++i) h[i] = i % 8;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<256><<<1, 256>>>(in, out);
    sum<128><<<1, 128>>>(in, out + 1);
    sum<64><<<2, 64>>>(in, out + 2);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    if (got[0] != 1792 || got[1] != 896 || got[2] != 448 || got[3] != 448) return 1;
    puts("ok");
}
