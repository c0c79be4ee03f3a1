#include <cuda_runtime.h>

template <int tile>
__global__ void transpose(const float* in, float* out, int n) {
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    if (x < n && y < n) out[x * n + y] = in[y * n + x];
}

__global__ void scale(float* values, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= by;
}

static void launchScale(float* values, int n) {
    scale<<<(n + 255) / 256, 256>>>(values, 2, n);
}

// input and output are device pointers
extern "C" void solve(const float* input, float* output, int N) {
    dim3 block(8, 8), grid((N + 7) / 8, (N + 7) / 8);
    transpose<8><<<grid, block>>>(input, output, N);
    launchScale(output, N * N);
    cudaDeviceSynchronize();
}

void scaleOnHost(float* values, int count) {
    float* array;
    cudaMalloc(&array, count * sizeof(float));
    cudaMemcpy(array, values, count * sizeof(float), cudaMemcpyHostToDevice);
    launchScale(array, count);
    cudaMemcpy(values, array, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(array);
}
