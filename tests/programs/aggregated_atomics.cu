#include <cooperative_groups.h>

#include <cstdio>
namespace cg = cooperative_groups;

// The lanes that are there ask once for all of them.
__device__ int next(int* counter) {
    auto active = cg::coalesced_threads();
    int begin = 0;
    if (active.thread_rank() == 0) begin = atomicAdd(counter, (int)active.size());
    return active.shfl(begin, 0) + active.thread_rank();
}

__global__ void multiplesOfThree(const int* in, int* out, int* counter, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) out[next(counter)] = in[i];
}

int main() {
    const int n = 120;
    int h[n], got[n], count, *in, *out, *counter;
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&counter, sizeof(int));
    cudaMemset(counter, 0, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    multiplesOfThree<<<1, 128>>>(in, out, counter, n);
    cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost);
    if (count != n / 3) return 1;
    cudaMemcpy(got, out, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    cudaFree(counter);
    int sum = 0;
    for (int i = 0; i < count; ++i) sum += got[i];
    if (sum != 3 * (39 * 40 / 2)) return 1;
    puts("ok");
}
