#include <cstdio>

// Each warp scans its 32 numbers, then one warp scans the warps' sums.
__global__ void scan(const int* in, int* out) {
    __shared__ int sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int value = in[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d) value += other;
    }
    if (lane == 31) sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int d = 1; d < 32; d *= 2) {
            int other = __shfl_up_sync(0xffffffffu, sum, d);
            if (lane >= d) sum += other;
        }
        sums[lane] = sum;
    }
    __syncthreads();
    out[threadIdx.x] = value + (warp > 0 ? sums[warp - 1] : 0);
}

int main() {
    const int n = 256;
    int h[n], got[n], *in, *out;
    for (int i = 0; i < n; ++i) h[i] = 3 - i % 7;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    scan<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0, sum = 0; i < n; ++i) {
        sum += h[i];
        if (got[i] != sum) return 1;
    }
    puts("ok");
}
