#include <cstdio>

// Dynamic shared memory has a name of its own in each kernel, also where it is used by a pointer.
__device__ void fill(float* a, float value) {
    a[threadIdx.x] = value;  //= shared_store low requests=2 //= shared_store high requests=1
}

__global__ void first(float* out) {
    extern __shared__ float low[];
    fill(low, 1);
    __syncthreads();
    out[threadIdx.x] = low[63 - threadIdx.x];  //= shared_load low requests=2
}

__device__ float* room() {
    extern __shared__ float high[];
    return high;
}

__global__ void second(float* out) {
    float* a = room();
    fill(a, 2);
    __syncthreads();
    out[threadIdx.x] += a[31 - threadIdx.x];  //= shared_load high requests=1
}

int main() {
    float host[64], *out;
    cudaMalloc(&out, sizeof host);
    first<<<1, 64, 64 * sizeof(float)>>>(out);
    second<<<1, 32, 32 * sizeof(float)>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; i < 64; ++i) {
        if (host[i] != (i < 32 ? 3 : 1)) return 1;
    }
    puts("ok");
}
