#include <cstdio>

// Without barriers between the last steps, as it was written before Volta.
__global__ void sum(const int* in, int* out) {
    __shared__ volatile int part[64];
    int t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    if (t < 32) {
        part[t] += part[t + 32];
        part[t] += part[t + 16];  //! warp_order
        part[t] += part[t + 8];  //! warp_order
        part[t] += part[t + 4];  //! warp_order
        part[t] += part[t + 2];  //! warp_order
        part[t] += part[t + 1];  //! warp_order
    }
    if (t == 0) *out = part[0];
}

int main() {
    int h[64], got, *in, *out;
    for (int i = 0; i < 64; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(in, out);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    if (got != 63 * 64 / 2) return 1;
    puts("ok");
}
