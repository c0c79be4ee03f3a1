#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cstdio>
namespace cg = cooperative_groups;

// Two stages: while one half of shared memory is summed the other one is filled.
__global__ void sumTiles(const int* in, int* out, int tiles) {
    __shared__ int tile[2][128];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline();
    int total = 0;
    for (int stage = 0; stage < tiles + 1; ++stage) {
        if (stage < tiles) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[stage % 2][threadIdx.x], &in[stage * 128 + threadIdx.x],
                               sizeof(int), pipe);
            pipe.producer_commit();
        }
        if (stage > 0) {
            if (stage < tiles)
                cuda::pipeline_consumer_wait_prior<1>(pipe);
            else
                cuda::pipeline_consumer_wait_prior<0>(pipe);
            block.sync();
            total += tile[(stage - 1) % 2][127 - threadIdx.x];
            pipe.consumer_release();
            block.sync();
        }
    }
    out[threadIdx.x] = total;
}
// The copy of the whole block arrives at a barrier.
__global__ void reverse(const int* in, int* out) {
    __shared__ int tile[128];
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ Barrier barrier;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&barrier, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in, sizeof tile, barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

int main() {
    constexpr int tiles = 5;
    int h[tiles * 128], got[128], *in, *out;
    for (int i = 0; i < tiles * 128; ++i) h[i] = i * i % 1000;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sumTiles<<<1, 128>>>(in, out, tiles);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 128; ++i) {
        int want = 0;
        for (int t = 0; t < tiles; ++t) want += h[t * 128 + 127 - i];
        wrong += got[i] != want;
    }
    reverse<<<1, 128>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i) wrong += got[i] != h[127 - i];
    cudaFree(in);
    cudaFree(out);
    if (wrong != 0) return printf("%d wrong\n", wrong);
    puts("ok");
}
