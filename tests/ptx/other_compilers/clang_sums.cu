#include "clang_cuda.h"

// A sum of each block: in shared memory, then by shuffles of its first warp.
__global__ void sums(const int* in, int* out, int n) {
    __shared__ int part[128];
    const int t = threadX, i = blockX * threadsX + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = threadsX / 2; half >= 32; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    int sum = part[t % 32];
    for (int d = 16; d > 0; d /= 2) sum += __nvvm_shfl_sync_bfly_i32(~0u, sum, d, 31);
    if (t == 0) out[blockX] = sum;
}
