// Make a picture of 76 x 62 pixels twice as bright, with
// blocks of 16 x 16 threads. There must be a thread for
// every pixel, and no thread may leave the picture.
__global__ void brighten(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = 2 * in[y * width + x];
}

dim3 gridFor(int width, int height, dim3 block) {
    return dim3(width / block.x, height / block.y);
}

// From here on nothing is changed.
#include <cstdio>
#include <vector>

int main() {
    const int width = 76, height = 62;
    const std::size_t bytes = width * height * sizeof(float);
    std::vector<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; ++i) in[i] = i;
    float *from, *to;
    cudaMalloc(&from, bytes);
    cudaMalloc(&to, bytes);
    cudaMemcpy(from, in.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemset(to, 0, bytes);
    const dim3 block(16, 16);
    brighten<<<gridFor(width, height, block), block>>>(from, to, width, height);
    cudaMemcpy(out.data(), to, bytes, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    for (int i = 0; i < width * height; ++i) {
        if (out[i] == 2 * in[i]) continue;
        std::fprintf(stderr, "the pixel in column %d, row %d is not right\n", i % width, i / width);
        return 1;
    }
}
