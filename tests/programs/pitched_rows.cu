#include <cstdio>

// Rows begin at multiples of the pitch, which is in bytes.
__global__ void addRow(char* base, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= width || y >= height) return;
    float* row = (float*)(base + y * pitch);
    row[x] += y;
}

int main() {
    const int width = 70, height = 5;
    static float h[height][width], got[height][width];
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) h[y][x] = x;
    }
    char* device;
    size_t pitch;
    cudaMallocPitch(&device, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(device, pitch, h, width * sizeof(float), width * sizeof(float), height,
                 cudaMemcpyHostToDevice);
    addRow<<<dim3(3, height), 32>>>(device, pitch, width, height);
    cudaMemcpy2D(got, width * sizeof(float), device, pitch, width * sizeof(float), height,
                 cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (got[y][x] != x + y) return 1;
        }
    }
    puts("ok");
}
