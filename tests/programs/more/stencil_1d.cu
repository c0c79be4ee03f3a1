#include <cstdio>

#define RADIUS 3
#define BLOCK 64

__global__ void stencil(const int* in, int* out) {
    __shared__ int temp[BLOCK + 2 * RADIUS];
    int g = threadIdx.x + blockIdx.x * blockDim.x + RADIUS;
    int s = threadIdx.x + RADIUS;
    temp[s] = in[g];
    if (threadIdx.x < RADIUS) {
        temp[s - RADIUS] = in[g - RADIUS];
        temp[s + BLOCK] = in[g + BLOCK];
    }
    __syncthreads();
    int sum = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++) sum += temp[s + offset];
    out[g - RADIUS] = sum;
}

int main() {
    const int n = 4 * BLOCK;
    int h[n + 2 * RADIUS], got[n], *in, *out;
    for (int i = 0; i < n + 2 * RADIUS; ++i) h[i] = i % 17;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    stencil<<<n / BLOCK, BLOCK>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        int sum = 0;
        for (int k = 0; k <= 2 * RADIUS; ++k) sum += h[i + k];
        if (got[i] != sum) return 1;
    }
    puts("ok");
}
