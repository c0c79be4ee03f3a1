#include <cooperative_groups.h>

#include <cstdio>
namespace cg = cooperative_groups;

// Each block adds what its neighbour in the cluster has in its shared memory.
__global__ void __cluster_dims__(4, 1, 1) shiftWithin(const int* in, int* out) {
    __shared__ int mine[64];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * 64 + threadIdx.x;
    mine[threadIdx.x] = in[i];
    cluster.sync();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    const int* other = cluster.map_shared_rank(mine, next);
    out[i] = mine[threadIdx.x] * 1000 + other[63 - threadIdx.x];
    cluster.sync();
}

int main() {
    constexpr int n = 8 * 64;
    int h[n], got[n], *in, *out;
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    shiftWithin<<<8, 64>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        int block = i / 64, next = block / 4 * 4 + (block % 4 + 1) % 4;
        if (got[i] != h[i] * 1000 + h[next * 64 + 63 - i % 64]) return printf("%d: %d\n", i, got[i]);
    }
    puts("ok");
}
