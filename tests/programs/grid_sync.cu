#include <cooperative_groups.h>

#include <cstdio>
namespace cg = cooperative_groups;

// All blocks meet between the two halves: the sum of all is known to all.
__global__ void normalize(float* data, float* total, int n) {
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank();
    if (i < n) atomicAdd(total, data[i]);
    grid.sync();
    if (i < n) data[i] /= *total;
}

int main() {
    int n = 128;
    float h[128], *data, *total;
    for (int i = 0; i < n; ++i) h[i] = i % 2 ? 3.0f : 1.0f;
    cudaMalloc(&data, sizeof h);
    cudaMalloc(&total, sizeof(float));
    cudaMemset(total, 0, sizeof(float));
    cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
    void* arguments[] = {&data, &total, &n};
    cudaLaunchCooperativeKernel((void*)normalize, dim3(2), dim3(64), arguments, 0, 0);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(total);
    for (int i = 0; i < n; ++i) {
        if (h[i] != (i % 2 ? 3.0f : 1.0f) / 256) return 1;
    }
    puts("ok");
}
