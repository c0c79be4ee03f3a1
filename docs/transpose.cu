// A transpose as one writes it first: the loads of a warp are side by side, its stores a column apart.
#include <cstdio>
#include <vector>

#define TILE 32

__global__ void transpose(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

int main() {
    const int width = 1000, height = 600;
    const size_t bytes = width * height * sizeof(float);
    std::vector<float> values(width * height);
    for (int i = 0; i < width * height; ++i) values[i] = float(i % 1009);
    float *in, *out;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, values.data(), bytes, cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE);
    dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    transpose<<<grid, block>>>(in, out, width, height);
    cudaMemcpy(values.data(), out, bytes, cudaMemcpyDeviceToHost);
    printf("column 1 begins with %.0f\n", values[height]);
    cudaFree(in);
    cudaFree(out);
}
