#include <cstdio>
#include <cstdlib>
#include <vector>

#define TILE 16

// The tile with its rim is loaded by a loop over the block's threads.
__global__ void sobel(const int* in, int* out, int width, int height) {
    __shared__ int tile[TILE + 2][TILE + 2];
    int me = threadIdx.y * blockDim.x + threadIdx.x;
    for (int i = me; i < (TILE + 2) * (TILE + 2); i += blockDim.x * blockDim.y) {
        int y = min(max((int)(blockIdx.y * TILE) + i / (TILE + 2) - 1, 0), height - 1);
        int x = min(max((int)(blockIdx.x * TILE) + i % (TILE + 2) - 1, 0), width - 1);
        tile[i / (TILE + 2)][i % (TILE + 2)] = in[y * width + x];
    }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height) return;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int gx = tile[ty - 1][tx + 1] + 2 * tile[ty][tx + 1] + tile[ty + 1][tx + 1] -
             tile[ty - 1][tx - 1] - 2 * tile[ty][tx - 1] - tile[ty + 1][tx - 1];
    int gy = tile[ty + 1][tx - 1] + 2 * tile[ty + 1][tx] + tile[ty + 1][tx + 1] -
             tile[ty - 1][tx - 1] - 2 * tile[ty - 1][tx] - tile[ty - 1][tx + 1];
    out[y * width + x] = abs(gx) + abs(gy);
}

int main() {
    const int width = 40, height = 24;
    std::vector<int> h(width * height), got(h.size());
    for (int i = 0; i < width * height; ++i) h[i] = i % width < width / 2 ? 0 : 100;
    int *in, *out;
    cudaMalloc(&in, h.size() * sizeof(int));
    cudaMalloc(&out, h.size() * sizeof(int));
    cudaMemcpy(in, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);
    sobel<<<dim3(3, 2), dim3(TILE, TILE)>>>(in, out, width, height);
    cudaMemcpy(got.data(), out, h.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < width * height; ++i) {
        int x = i % width;
        if (got[i] != (x == width / 2 || x == width / 2 - 1 ? 400 : 0)) return 1;
    }
    puts("ok");
}
