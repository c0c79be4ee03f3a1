#include <cstdio>
#include <cstdlib>
#include <vector>

// mean brightness of each row of a picture
__global__ void byRow(const float* picture, float* mean, int width, int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < height) {
        float sum = 0.0f;
        for (int x = 0; x < width; ++x) {
            sum += picture[row * width + x];
        }
        mean[row] = sum / width;
    }
}

// the same, a column each
__global__ void byColumn(const float* picture, float* mean, int width, int height) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < width) {
        float sum = 0.0f;
        for (int y = 0; y < height; ++y) {
            sum += picture[y * width + column];
        }
        mean[column] = sum / height;
    }
}

int main() {
    const int n = 512;
    std::vector<float> host(n * n), mean(n);
    for (int i = 0; i < n * n; ++i) host[i] = i % 256;
    float *picture, *result;
    cudaMalloc(&picture, n * n * sizeof(float));
    cudaMalloc(&result, n * sizeof(float));
    cudaMemcpy(picture, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    byRow<<<n / 128, 128>>>(picture, result, n, n);
    byColumn<<<n / 128, 128>>>(picture, result, n, n);
    cudaMemcpy(mean.data(), result, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("mean %f\n", mean[17]);
    cudaFree(picture);
    return mean[17] == 17.0f ? 0 : 1;
}
