#include <cstdio>

const int rows = 48, width = 5;

// Column-major storage: neighbouring threads read neighbouring entries; -1 pads short rows.
__global__ void multiply(const int* column, const float* value, const float* x, float* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < width; ++k) {
        int c = column[k * rows + row];
        if (c >= 0) sum += value[k * rows + row] * x[c];
    }
    y[row] = sum;
}

int main() {
    static int column[rows * width];
    static float value[rows * width], x[rows], want[rows], got[rows];
    for (int r = 0; r < rows; ++r) x[r] = r % 9;
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < width; ++k) {
            bool used = k < 1 + r % width;
            column[k * rows + r] = used ? (r + 7 * k) % rows : -1;
            value[k * rows + r] = k + 1;
            if (used) want[r] += (k + 1) * x[(r + 7 * k) % rows];
        }
    }
    int* dc;
    float *dv, *dx, *dy;
    cudaMalloc(&dc, sizeof column);
    cudaMalloc(&dv, sizeof value);
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof got);
    cudaMemcpy(dc, column, sizeof column, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, value, sizeof value, cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    multiply<<<2, 32>>>(dc, dv, dx, dy);
    cudaMemcpy(got, dy, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(dc);
    cudaFree(dv);
    cudaFree(dx);
    cudaFree(dy);
    for (int r = 0; r < rows; ++r) {
        if (got[r] != want[r]) return 1;
    }
    puts("ok");
}
