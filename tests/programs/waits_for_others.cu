// Kernels that wait, while they run, for what the host or another kernel writes.
#include <cooperative_groups.h>
#include <cstdio>
#include <thread>

namespace cg = cooperative_groups;

__global__ void waitFor(volatile int* latch, int* seen) {
    while (*latch < 1) {
    }
    *seen = *latch;
}

__global__ void twice(int* data) {
    data[threadIdx.x] *= 2;
}

// Two grids that take turns by flags in the host's memory; each adds its rank's share.
__global__ void exchange(volatile int* arrived, int* sums, int rank, int rounds) {
    cg::grid_group grid = cg::this_grid();
    for (int round = 1; round <= rounds; ++round) {
        atomicAdd(&sums[rank], 1);
        grid.sync();
        if (grid.thread_rank() == 0) {
            arrived[rank] = round;
            __threadfence_system();
            while (arrived[1 - rank] < round) {
            }
        }
        grid.sync();
    }
    if (grid.thread_rank() == 0) sums[2 + rank] = sums[1 - rank];
}

int main() {
    int *latch, *arrived, *seen, *data, *sums;
    cudaMallocHost((void**)&latch, sizeof(int));
    cudaMallocHost((void**)&arrived, 2 * sizeof(int));
    cudaMalloc((void**)&seen, sizeof(int));
    cudaMalloc((void**)&data, 64 * sizeof(int));
    cudaMalloc((void**)&sums, 4 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(sums, 0, 4 * sizeof(int));
    cudaStream_t streams[2];
    for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    *latch = 0;
    waitFor<<<1, 1, 0, streams[0]>>>(latch, seen);
    twice<<<1, 64, 0, streams[1]>>>(data);
    const bool waited = cudaStreamQuery(streams[0]) == cudaErrorNotReady;
    *(volatile int*)latch = 5;
    const bool ended = cudaStreamSynchronize(streams[0]) == cudaSuccess;
    int got = 0;
    cudaMemcpy(&got, seen, sizeof got, cudaMemcpyDeviceToHost);

    // Another thread of the host opens it while this one waits.
    *latch = 0;
    waitFor<<<1, 1, 0, streams[0]>>>(latch, seen);
    std::thread opens([latch] { *(volatile int*)latch = 7; });
    const bool endedToo = cudaStreamSynchronize(streams[0]) == cudaSuccess;
    opens.join();
    int gotThen = 0;
    cudaMemcpy(&gotThen, seen, sizeof gotThen, cudaMemcpyDeviceToHost);

    arrived[0] = arrived[1] = 0;
    for (int rank = 0; rank < 2; ++rank) {
        int rounds = 3;
        void* arguments[] = {&arrived, &sums, &rank, &rounds};
        cudaLaunchCooperativeKernel((void*)exchange, 2, 32, arguments, 0, streams[rank]);
    }
    const bool exchanged = cudaDeviceSynchronize() == cudaSuccess;
    int all[4];
    cudaMemcpy(all, sums, sizeof all, cudaMemcpyDeviceToHost);
    const bool right = waited && ended && got == 5 && endedToo && gotThen == 7 && exchanged &&
                       all[0] == 192 && all[1] == 192 && all[2] == 192 && all[3] == 192;
    printf("%d %d %d %d %d %d %d %d\n", waited, ended, got, endedToo, gotThen, exchanged, all[0],
           all[3]);
    cudaFreeHost(latch);
    cudaFreeHost(arrived);
    cudaFree(seen);
    cudaFree(data);
    cudaFree(sums);
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    puts(right ? "ok" : "FAIL");
    return right ? 0 : 1;
}
