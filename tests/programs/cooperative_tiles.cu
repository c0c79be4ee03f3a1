#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
namespace cg = cooperative_groups;

__global__ void tiles(int* out) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
    block.sync();
    if (threadIdx.x % 3 == 0) {
        auto active = cg::coalesced_threads();
        if (active.thread_rank() == 0) out[8] = active.size();
    }
}

int main() {
    int got[9], *out;
    cudaMalloc(&out, sizeof got);
    tiles<<<1, 32>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int t = 0; t < 4; ++t) {
        if (got[t] != 8 * (8 * t) + 28) return 1;
    }
    if (got[8] != 11) return 1;
    puts("ok");
}
