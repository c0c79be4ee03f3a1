#include <cstdio>
#include <vector>

struct Entry {
    int row, column;
    int value;
};

__global__ void multiply(const Entry* entries, const int* x, int* y, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        Entry e = entries[i];
        atomicAdd(&y[e.row], e.value * x[e.column]);
    }
}

int main() {
    const int rows = 20, count = 150;
    std::vector<Entry> entries;
    int x[rows], want[rows] = {}, got[rows];
    for (int r = 0; r < rows; ++r) x[r] = r - 4;
    for (int i = 0; i < count; ++i) {
        Entry e = {i * 7 % rows, i * 3 % rows, i % 5};
        entries.push_back(e);
        want[e.row] += e.value * x[e.column];
    }
    Entry* de;
    int *dx, *dy;
    cudaMalloc(&de, count * sizeof(Entry));
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof got);
    cudaMemcpy(de, entries.data(), count * sizeof(Entry), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemset(dy, 0, sizeof got);
    multiply<<<(count + 63) / 64, 64>>>(de, dx, dy, count);
    cudaMemcpy(got, dy, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(de);
    cudaFree(dx);
    cudaFree(dy);
    for (int r = 0; r < rows; ++r) {
        if (got[r] != want[r]) return 1;
    }
    puts("ok");
}
