#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
namespace cg = cooperative_groups;

// A function for any group: a block, or lanes of a warp.
__device__ int groupSum(cg::thread_group group, int* room, int value) {
    int lane = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        room[lane] = value;
        group.sync();
        if (lane < half) value += room[lane + half];
        group.sync();
    }
    return value;
}

__global__ void sums(int* out) {
    __shared__ int room[64];
    cg::thread_block block = cg::this_thread_block();
    int all = groupSum(block, room, block.thread_rank());
    if (block.thread_rank() == 0) out[0] = all;
    block.sync();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int part = groupSum(tile, room + block.thread_rank() / 16 * 16, 1);
    if (tile.thread_rank() == 0) out[1 + block.thread_rank() / 16] = part;
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto odd = cg::binary_partition(warp, warp.thread_rank() % 2);
    int ranks = cg::reduce(odd, (int)warp.thread_rank(), cg::plus<int>());
    if (block.thread_rank() < 2) out[5 + block.thread_rank()] = ranks;
    auto label = cg::labeled_partition(cg::coalesced_threads(), warp.thread_rank() / 10);
    if (block.thread_rank() == 31) out[7] = label.size();
}

int main() {
    int got[8], *out;
    cudaMalloc(&out, sizeof got);
    sums<<<1, 64>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
    const int want[8] = {2016, 16, 16, 16, 16, 240, 256, 2};
    for (int i = 0; i < 8; ++i) {
        if (got[i] != want[i]) return 1;
    }
    puts("ok");
}
