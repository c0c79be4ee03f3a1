#include <cstdio>

__global__ void reduce(const unsigned* in, unsigned* out) {
    unsigned v = in[threadIdx.x];
    unsigned sum = __reduce_add_sync(0xffffffffu, v);
    unsigned most = __reduce_max_sync(0xffffffffu, v);
    unsigned bits = __reduce_or_sync(0xffffffffu, v);
    unsigned leader = __ffs(__ballot_sync(0xffffffffu, v == most)) - 1;
    if (threadIdx.x == leader) {
        out[0] = sum;
        out[1] = most;
        out[2] = bits;
        out[3] = leader;
    }
}

int main() {
    unsigned h[32], got[4], *in, *out;
    for (int i = 0; i < 32; ++i) h[i] = i * 5 % 32;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reduce<<<1, 32>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    if (got[0] != 496 || got[1] != 31 || got[2] != 31 || h[got[3]] != 31) return 1;
    puts("ok");
}
