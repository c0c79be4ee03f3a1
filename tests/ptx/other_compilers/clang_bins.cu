#include "clang_cuda.h"

__attribute__((noinline)) __device__ int binOf(int value) {
    switch (value % 6) {
        case 0: return 5;
        case 1: return value / 6 % 3;
        case 2: return 7;
        case 3: return value < 50 ? 1 : 6;
        case 4: return 4;
        default: return 2;
    }
}

// How many values are of each bin: a histogram of each block, added to the whole one.
__global__ void bins(const int* in, int* out, int n) {
    __shared__ int own[8];
    if (threadX < 8) own[threadX] = 0;
    __syncthreads();
    for (int i = blockX * threadsX + threadX; i < n; i += threadsX * __nvvm_read_ptx_sreg_nctaid_x())
        __nvvm_atom_add_gen_i(&own[binOf(in[i])], 1);
    __syncthreads();
    if (threadX < 8) __nvvm_atom_add_gen_i(&out[threadX], own[threadX]);
}
