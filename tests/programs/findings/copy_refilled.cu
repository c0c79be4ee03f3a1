#include <cstdio>
#include <cuda_pipeline.h>

// Two buffers take turns. The copy for the next turn but one may come before all have read.
constexpr int width = 64;
__global__ void smooth(const float* in, float* out, int tiles) {
    __shared__ float buffer[2][width];
    int k = 0;
    const auto fetch = [&](int tile, int to) {
        __pipeline_memcpy_async(&buffer[to][threadIdx.x], in + tile * width + threadIdx.x, 4);
        __pipeline_commit();
    };
    fetch(0, 0);
    for (int tile = 0; tile < tiles; ++tile, k ^= 1) {
        if (tile + 1 < tiles)
            fetch(tile + 1, k ^ 1);
        __pipeline_wait_prior(tile + 1 < tiles ? 1 : 0);
        __syncthreads();
        float next = buffer[k][(threadIdx.x + 32) % width];  //! shared_race: load from shared buffer[0][32], which the copy of line 10 fills again with no __syncthreads between
        out[tile * width + threadIdx.x] = buffer[k][threadIdx.x] + next;
    }
}

int main() {
    const int tiles = 4;
    float h[tiles * width], *in, *out;
    for (int i = 0; i < tiles * width; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    smooth<<<1, width>>>(in, out, tiles);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
