#include <cstdio>

// There is no atomicMax for float: compare and swap until nobody was faster. The warp that comes last
// to the barrier goes on first: warps 2, 0, 1 take 4 turns, and 0, 2, 1 with the last lane first 6.
__device__ float atomicMaxFloat(float* address, float value) {
    int* bits = (int*)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= value) break;
        old = atomicCAS(bits, assumed, __float_as_int(value));  //= atomic best requests=4 other=6
    } while (assumed != old);
    return __int_as_float(old);
}

__global__ void largest(const float* in, float* out) {
    __shared__ float best;
    if (threadIdx.x == 0) best = in[0];
    __syncthreads();
    atomicMaxFloat(&best, in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *out = best;
}

int main() {
    float h[96], got, *in, *out;
    for (int i = 0; i < 96; ++i) h[i] = (i * 41 % 96) - 50.5f;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    largest<<<1, 96>>>(in, out);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    if (got != 44.5f) return 1;
    puts("ok");
}
