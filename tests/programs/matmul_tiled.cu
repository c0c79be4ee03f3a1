#include <cstdio>
#include <vector>

const int TILE = 16;

__global__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float tileA[TILE][TILE];
    __shared__ float tileB[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
        int x = t * TILE + threadIdx.x;
        int y = t * TILE + threadIdx.y;
        tileA[threadIdx.y][threadIdx.x] = row < n && x < n ? a[row * n + x] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = col < n && y < n ? b[y * n + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n) c[row * n + col] = sum;
}

int main() {
    const int n = 40;
    std::vector<float> a(n * n), b(n * n), got(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = i % 9;
        b[i] = i % 4 - 1;
    }
    float *da, *db, *dc;
    size_t bytes = n * n * sizeof(float);
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMalloc(&dc, bytes);
    cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
    product<<<dim3(3, 3), dim3(TILE, TILE)>>>(da, db, dc, n);
    cudaMemcpy(got.data(), dc, bytes, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[r * n + k] * b[k * n + c];
            if (got[r * n + c] != sum) return 1;
        }
    }
    puts("ok");
}
