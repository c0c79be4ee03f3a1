// Adding 1 in shared memory, where nobody needs what was there, is an instruction of its own: lanes
// at one word come together, as in a load.
#include <cstdio>

template <class T>
__device__ void add(T* to, T what) {
    atomicAdd(to, what);  //= atomic bins requests=2 wavefronts=4 same=1
}

__global__ void tally(const int* keys, int* out, int two) {
    __shared__ unsigned bins[128];
    __shared__ int sums[128], most;
    bins[threadIdx.x] = bins[threadIdx.x + 64] = 0;
    sums[threadIdx.x] = sums[threadIdx.x + 64] = 0;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    const int key = keys[threadIdx.x] % 4;
    atomicAdd(&sums[key * 32], 1);        //= atomic sums requests=2 wavefronts=8 same=1
    atomicAdd(&sums[key * 32 + 1], two);  //= atomic sums requests=2 wavefronts=64 same=8
    atomicSub(&sums[key + 2], 1);         //= atomic sums requests=2 wavefronts=16 same=8
    atomicInc(&bins[key], 0xffffffffu);   //= atomic bins requests=2 wavefronts=2 same=1
    add(&bins[key / 2 * 32 + key % 2], 1u);
    out[threadIdx.x] =
        atomicAdd(&sums[8 + key], 1);  //= atomic sums requests=2 wavefronts=16 same=8
    atomicMax(&most, key);             //= atomic most requests=2 wavefronts=2
    __syncthreads();
    if (threadIdx.x == 0) out[64] = sums[0] + bins[0] + most;
}

int main() {
    int host[65];
    for (int i = 0; i < 64; ++i) host[i] = i;
    int *keys, *out;
    cudaMalloc(&keys, 64 * sizeof(int));
    cudaMalloc(&out, 65 * sizeof(int));
    cudaMemcpy(keys, host, 64 * sizeof(int), cudaMemcpyHostToDevice);
    tally<<<1, 64>>>(keys, out, 2);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(keys);
    cudaFree(out);
    if (host[64] != 16 + 32 + 3) return 1;
    puts("ok");
}
