#include <cstdio>

__global__ void votes(const int* in, unsigned* out) {
    int v = in[threadIdx.x];
    unsigned odd = __ballot_sync(0xffffffffu, v & 1);
    int any = __any_sync(0xffffffffu, v > 60);
    int all = __all_sync(0xffffffffu, v < 64);
    unsigned same = __match_any_sync(0xffffffffu, v / 8);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 9) {
        out[warp * 4] = odd;
        out[warp * 4 + 1] = any;
        out[warp * 4 + 2] = all;
        out[warp * 4 + 3] = same;
    }
}

int main() {
    int h[64], *in;
    unsigned got[8], *out;
    for (int i = 0; i < 64; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    votes<<<1, 64>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    const unsigned want[8] = {0xaaaaaaaau, 0, 1, 0xff00u, 0xaaaaaaaau, 1, 1, 0xff00u};
    for (int i = 0; i < 8; ++i) {
        if (got[i] != want[i]) return 1;
    }
    puts("ok");
}
