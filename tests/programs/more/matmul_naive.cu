#include <cmath>
#include <cstdio>
#include <vector>

// One thread an element; the matrices are no multiple of the block.
__global__ void product(const float* a, const float* b, float* c, int rows, int inner, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * cols + col];
    c[row * cols + col] = sum;
}

int main() {
    const int rows = 19, inner = 23, cols = 37;
    std::vector<float> a(rows * inner), b(inner * cols), got(rows * cols);
    for (int i = 0; i < rows * inner; ++i) a[i] = (i % 7) - 3;
    for (int i = 0; i < inner * cols; ++i) b[i] = (i % 5) - 2;
    float *da, *db, *dc;
    cudaMalloc(&da, a.size() * sizeof(float));
    cudaMalloc(&db, b.size() * sizeof(float));
    cudaMalloc(&dc, got.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(16, 8);
    dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    product<<<grid, block>>>(da, db, dc, rows, inner, cols);
    cudaMemcpy(got.data(), dc, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < cols; ++c) {
            float sum = 0;
            for (int k = 0; k < inner; ++k) sum += a[r * inner + k] * b[k * cols + c];
            if (got[r * cols + c] != sum) return 1;
        }
    }
    puts("ok");
}
