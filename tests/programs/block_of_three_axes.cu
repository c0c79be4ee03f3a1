#include <cstdio>

// x is the innermost axis of a warp: here a warp is four wide, two high and four deep.
__global__ void order(int* out) {
    int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int threads = blockDim.x * blockDim.y * blockDim.z;
    out[block * threads + rank] = threadIdx.z * 100 + threadIdx.y * 10 + threadIdx.x;  //= store out requests=24 sectors=96
}

int main() {
    const int n = 12 * 64;
    static int got[n];
    int* out;
    cudaMalloc(&out, sizeof got);
    order<<<dim3(2, 3, 2), dim3(4, 2, 8)>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        int r = i % 64;
        if (got[i] != r / 8 * 100 + r / 4 % 2 * 10 + r % 4) return 1;
    }
    puts("ok");
}
