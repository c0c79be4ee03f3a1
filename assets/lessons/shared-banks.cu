// The transpose of a matrix of 256 x 256. As it stands each
// store takes 32 sectors. Bring a tile into shared memory
// along its rows, and take it out along its columns: 4
// sectors for each load and store, and no bank conflict.
__global__ void transpose(const float* in, float* out, int n) {
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    out[column * n + row] = in[row * n + column];
}

// From here on nothing is changed.
#include <cstdio>
#include <vector>

int main() {
    const int n = 256;
    const std::size_t bytes = n * n * sizeof(float);
    std::vector<float> in(n * n), out(n * n);
    for (int i = 0; i < n * n; ++i) in[i] = i;
    float *from, *to;
    cudaMalloc(&from, bytes);
    cudaMalloc(&to, bytes);
    cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice);
    transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(from, to, n);
    cudaMemcpy(out.data(), to, bytes, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    for (int i = 0; i < n * n; ++i) {
        if (out[i] == in[i % n * n + i / n]) continue;
        std::fprintf(stderr, "row %d, column %d is not right\n", i / n, i % n);
        return 1;
    }
}
