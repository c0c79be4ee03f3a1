// What bench_machine_rate runs, and `warplens predict` beside it: six kernels of the same parameters.
#include <cstdio>

constexpr int tile = 16;

__global__ void product(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

__global__ void tiles(const float* a, const float* b, float* c, int n) {
    __shared__ float left[tile][tile];
    __shared__ float right[tile][tile];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * tile + y;
    int col = blockIdx.x * tile + x;
    float sum = 0;
    for (int m = 0; m < n; m += tile) {
        left[y][x] = a[row * n + m + x];
        right[y][x] = b[(m + y) * n + col];
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void sum(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) c[row * n + col] = a[row * n + col] + b[row * n + col];
}

// Odd lanes go one way, even ones the other, 16 rounds of each.
__global__ void twoArms(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0;
    if (i % 2 == 0) {
        for (int k = 0; k < 16; ++k) value += a[i + k * 32];
    } else {
        for (int k = 0; k < 16; ++k) value *= b[i + k * 32] + value;
    }
    c[i] = value;
}

// As many rounds as the lane's number.
__global__ void unevenLoop(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = b[i];
    for (int k = 0; k < threadIdx.x % 32; ++k) value += a[i + k];
    c[i] = value;
}

__global__ void interleavedSum(const float* a, const float* b, float* c, int n) {
    __shared__ float values[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    values[t] = i < n ? a[i] + b[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0) values[t] += values[t + stride];
        __syncthreads();
    }
    if (t == 0) c[blockIdx.x] = values[0];
}

int main() {
    constexpr size_t elements = 2048 * 2048;
    float *a, *b, *c;
    cudaMalloc(&a, elements * sizeof(float));
    cudaMalloc(&b, elements * sizeof(float));
    cudaMalloc(&c, elements * sizeof(float));
    cudaMemset(a, 0, elements * sizeof(float));
    cudaMemset(b, 0, elements * sizeof(float));
    product<<<dim3(32, 32), dim3(16, 16)>>>(a, b, c, 512);
    tiles<<<dim3(32, 32), dim3(tile, tile)>>>(a, b, c, 512);
    sum<<<dim3(128, 128), dim3(16, 16)>>>(a, b, c, 2048);
    twoArms<<<2048, 256>>>(a, b, c, 2048 * 256);
    unevenLoop<<<1024, 256>>>(a, b, c, 1024 * 256);
    interleavedSum<<<4096, 256>>>(a, b, c, 4096 * 256);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
