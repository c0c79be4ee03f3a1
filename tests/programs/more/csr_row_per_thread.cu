#include <cstdio>
#include <vector>

struct Csr {
    std::vector<int> begin{0}, column;
    std::vector<float> value;
};

static Csr example(int rows, int cols) {
    Csr m;
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < r % 7; ++k) {
            m.column.push_back((r * 5 + k * 3) % cols);
            m.value.push_back(k + 1);
        }
        m.begin.push_back((int)m.column.size());
    }
    return m;
}

__global__ void multiply(const int* begin, const int* column, const float* value, const float* x,
                         float* y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
}

int main() {
    const int rows = 70, cols = 40;
    Csr m = example(rows, cols);
    std::vector<float> x(cols), got(rows);
    for (int c = 0; c < cols; ++c) x[c] = c % 6;
    int *begin, *column;
    float *value, *dx, *dy;
    cudaMalloc(&begin, m.begin.size() * sizeof(int));
    cudaMalloc(&column, m.column.size() * sizeof(int));
    cudaMalloc(&value, m.value.size() * sizeof(float));
    cudaMalloc(&dx, cols * sizeof(float));
    cudaMalloc(&dy, rows * sizeof(float));
    cudaMemcpy(begin, m.begin.data(), m.begin.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(column, m.column.data(), m.column.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(value, m.value.data(), m.value.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), cols * sizeof(float), cudaMemcpyHostToDevice);
    multiply<<<3, 32>>>(begin, column, value, dx, dy, rows);
    cudaMemcpy(got.data(), dy, rows * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(begin);
    cudaFree(column);
    cudaFree(value);
    cudaFree(dx);
    cudaFree(dy);
    for (int r = 0; r < rows; ++r) {
        float sum = 0;
        for (int k = m.begin[r]; k < m.begin[r + 1]; ++k) sum += m.value[k] * x[m.column[k]];
        if (got[r] != sum) return 1;
    }
    puts("ok");
}
